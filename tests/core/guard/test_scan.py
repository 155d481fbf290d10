"""Comments and strings told from code, in text of any quality."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixloop_bot.core.guard.languages import Language
from fixloop_bot.core.guard.scan import spans
from fixloop_bot.core.guard.source import Source, source_of

CASES = [
    pytest.param("a.py", 'x = "# no" # yes\n', 'x = "    "      \n', "# yes", id="a hash in a Python string"),
    pytest.param("a.py", '"""doc # no\n"""\nx = 1 # yes', '"        \n  "\nx = 1      ', "# yes", id="a docstring"),
    pytest.param("a.py", "x = 'it\\'s' # yes", "x = '     '      ", "# yes", id="an escaped quote"),
    pytest.param("a.py", "x = 'open\ny = 1 # yes", "x = '   n\ny = 1      ", "# yes", id="a quote that is not closed"),
    pytest.param("a.js", "x = /[\"'`]/g; // yes", "x = /       g;       ", "// yes", id="a regular expression"),
    pytest.param("a.js", "x = a / b; // yes", "x = a / b;       ", "// yes", id="a division"),
    pytest.param("a.js", "x = `a ${b(`c`)} d`; // yes", "x = `  ${b(` `)}  `;       ", "// yes", id="nested templates"),
    pytest.param("a.ts", "/* one\ntwo */ x", "      \n       x", "/* one\ntwo */", id="a comment over two lines"),
    pytest.param("a.go", "x := `// no\n` // yes", "x := `     \n`       ", "// yes", id="a raw Go string"),
    pytest.param("a.rs", "fn f<'a>(x: &'a str) {} // yes", "fn f<'a>(x: &'a str) {}       ", "// yes", id="a lifetime"),
    pytest.param("a.rs", 'r#"// "no"# // yes', "r          #       ", "// yes", id="a raw Rust string"),
    pytest.param("a.rb", "x = 'a\nb' # yes", "x = ' \n '      ", "# yes", id="a Ruby string over two lines"),
    pytest.param("a.php", "#[Pure] $x = '#'; # yes", "#[Pure] $x = ' ';      ", "# yes", id="a PHP attribute"),
    pytest.param("a.sh", 'echo "$#" a#b # yes', 'echo "  " a#b      ', "# yes", id="a shell comment"),
    pytest.param("run", "#!/bin/sh\nx # yes", "         \nx      ", "#!/bin/sh\n# yes", id="a script without a suffix"),
]


@pytest.mark.parametrize(("path", "text", "code", "comments"), CASES)
def test_code_and_comments_are_told_apart(path: str, text: str, code: str, comments: str) -> None:
    source = source_of(path, text)
    shown = "\n".join(line.comment.strip() for line in source.lines if line.comment.strip())
    assert source.code.split() == code.split()
    assert shown == comments


@given(st.text(alphabet="\"'`/*#\\{}$[](=\nr @-<!>abc", max_size=200), st.sampled_from(Language))
def test_every_text_has_one_reading_of_its_own_shape(text: str, language: Language) -> None:
    found = list(spans(text, language))
    assert all(start < end for start, end, _ in found)
    assert [start for start, _, _ in found] == sorted(start for start, _, _ in found)
    assert all(first[1] <= second[0] for first, second in pairwise(found))
    source = Source("x", text, language)
    assert len(source.code) == len(source.bare) == len(text)
    assert source.code.count("\n") == text.count("\n")


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("unit", ["/*", '"', "'", "`${", 'r#"', "//", "/", "=begin\n", "\\", '"""', "<!--", "(", "a ("])
def test_a_hundred_thousand_openings_are_read_to_the_end(language: Language, unit: str) -> None:
    source = Source("x", unit * 100_000, language)
    assert len(source.code) == len(unit) * 100_000
