"""What linkers print is mapped to the sources that they name."""

import pytest

from fixloop_bot.model.diagnostic import DiagnosticKind
from tests.checks.reading import parsed, place

FILES = ("src/a.c", "src/b.c")
UNDEFINED = "undefined reference to `tax'"
IN_TEXT = f"in function `main':\na.c:(.text+0x1b): {UNDEFINED}"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param(f"/usr/bin/ld: /tmp/ccX.o: {IN_TEXT}", None, id="bare name"),
        pytest.param(f"/usr/bin/ld: obj/src/a.o: {IN_TEXT}", None, id="object"),
        pytest.param(f"/usr/bin/ld: CMakeFiles/app.dir/src/a.c.o: {IN_TEXT}", None, id="CMake's object"),
        pytest.param(f"/usr/bin/ld: /p/src/a.c:4: {UNDEFINED}", 4, id="with a line"),
        pytest.param(f"/usr/bin/ld: src/a.o:(.data.rel+0x0): {UNDEFINED}", None, id="no function"),
        pytest.param("/tmp/cc7.o:a.c:function main: error: undefined reference to 'tax'", None, id="gold"),
        pytest.param("ld.lld: error: undefined symbol: tax\n>>> referenced by a.c:4 (src/a.c:4)", 4, id="lld"),
    ],
)  # fmt: skip
def test_a_missing_symbol_is_placed_in_the_source_that_wants_it(text: str, line: int | None) -> None:
    (error,) = parsed("gcc", f"{text}\ncollect2: error: ld returned 1 exit status\n", files=FILES).diagnostics
    assert place(error) == ("src/a.c", line, None, "undefined-reference")
    assert (error.message, error.kind) == (UNDEFINED, DiagnosticKind.BUILD_ERROR)


def test_a_second_definition_is_placed_where_it_stands() -> None:
    text = (
        "/usr/bin/ld: obj/src/b.o: in function `dup':\n"
        "b.c:(.text+0x0): multiple definition of `dup'; obj/src/a.o:a.c:(.text+0x0): first defined here\n"
    )
    (error,) = parsed("gcc", text, files=FILES).diagnostics
    assert (place(error), error.message) == (
        ("src/b.c", None, None, "multiple-definition"),
        "multiple definition of `dup'",
    )


def test_a_symbol_that_only_the_start_code_wants_has_no_place() -> None:
    text = f"/usr/bin/ld: /usr/lib/crt1.o: in function `_start':\n(.text+0x17): {UNDEFINED.replace('tax', 'main')}\n"
    assert [place(item) for item in parsed("gcc", text, files=FILES).diagnostics] == [
        (None, None, None, "undefined-reference")
    ]


def test_the_same_symbol_twice_in_a_source_is_one_error_and_a_warning_is_none() -> None:
    text = (
        f"/usr/bin/ld: /tmp/a.o: in function `main':\na.c:(.text+0x21): {UNDEFINED}\n"
        f"/usr/bin/ld: a.c:(.text+0x28): {UNDEFINED}\n"
        "/usr/bin/ld: /tmp/b.o: warning: relocation against `ext' in read-only section `.text'\n"
        "/usr/bin/ld: warning: creating DT_TEXTREL in a PIE\n"
    )
    assert len(parsed("gcc", text, files=FILES).diagnostics) == 1


def test_a_bare_name_is_looked_up_where_the_output_spells_it_in_full() -> None:
    text = f"cc -c lib/deep/odd.c -o odd.o\ncc odd.o -o app\nodd.c:(.text+0x1): {UNDEFINED}\n"
    (error,) = parsed("make", text, files=("lib/deep/odd.c",)).diagnostics
    assert error.path == "lib/deep/odd.c"
