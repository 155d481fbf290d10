"""Shells that only read, shellcheck, shfmt, bats and cppcheck."""

from pathlib import Path

import pytest

from fixloop_bot.checks.registry import recognise
from fixloop_bot.checks.sh_syntax import parse as parse_syntax
from fixloop_bot.model.diagnostic import DiagnosticKind, Level
from tests.checks.reading import parsed, place
from tests.checks.running import run

BATS = "test/app.bats"
TTY = """\
In bin/a.sh line 3:
echo $1 $2
     ^-- SC2086 (info): Double quote to prevent globbing and word splitting.
        ^-- SC2086 (info): Double quote to prevent globbing and word splitting.
^-^ SC1089 (error): Parsing stopped here.

Did you mean:
echo "$1" "$2"

For more information:
  https://www.shellcheck.net/wiki/SC2086 -- Double quote to prevent globbing ...
"""
COMMENT = '{"file":"bin/a.sh","line":3,"column":6,"level":"info","code":2086,"message":"Double quote it."}'
DIFF = "--- bin/a.sh.orig\n+++ bin/a.sh\n@@ -2,3 +2,3 @@\n if true; then\n-        echo\n+\techo\n fi\n"


def test_a_real_shell_names_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "my bin").mkdir()
    (tmp_path / "my bin" / "a.sh").write_text("if true; then\n  echo\ndone\n")
    (error,) = parse_syntax(run(tmp_path, "sh", "-n", "my bin/a.sh")).diagnostics
    assert (error.path, error.line, error.kind) == ("my bin/a.sh", 3, DiagnosticKind.SYNTAX_ERROR)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('a.sh: 5: Syntax error: "fi" unexpected\n', 5),
        ("a.sh: line 5: syntax error near unexpected token `fi'\na.sh: line 5: `fi'\n", 5),
        ("a.sh: line 3: unexpected EOF while looking for matching `\"'\n", 3),
        ("/bin/sh: a.sh: line 3: syntax error: unexpected end of file\n", 3),
        ("a.sh:5: parse error near `fi'\n", 5),
    ],
)
def test_each_shell_has_its_own_words(text: str, line: int) -> None:
    (error,) = parsed("sh-syntax", text, files=("a.sh",)).diagnostics
    assert place(error) == ("a.sh", line, None, "syntax")


def test_a_script_that_is_not_here_is_none_of_its_business() -> None:
    assert parsed("sh-syntax", "sh: line 1: syntax error: no\n", files=("a.sh",)).diagnostics == ()


def test_shellcheck_s_findings_all_fail_and_stand_under_their_file_and_line() -> None:
    found = parsed("shellcheck", TTY, files=("bin/a.sh",)).diagnostics
    assert [place(item) for item in found] == [
        ("bin/a.sh", 3, 6, "SC2086"),
        ("bin/a.sh", 3, 9, "SC2086"),
        ("bin/a.sh", 3, 1, "SC1089"),
    ]
    assert {item.level for item in found} == {Level.ERROR}
    assert [item.kind for item in found[1:]] == [DiagnosticKind.LINT_ERROR, DiagnosticKind.SYNTAX_ERROR]


@pytest.mark.parametrize(
    "text",
    [
        "bin/a.sh:3:6: note: Double quote it. [SC2086]\n",
        f'{{"comments":[{COMMENT}]}}',
        f"[{COMMENT}]",
    ],
    ids=["gcc", "json1", "json"],
)
def test_every_form_of_shellcheck_tells_the_same(text: str) -> None:
    (error,) = parsed("shellcheck", text, files=("bin/a.sh",)).diagnostics
    assert (place(error), error.message) == (("bin/a.sh", 3, 6, "SC2086"), "Double quote it.")


def test_shfmt_names_the_first_line_that_it_would_change() -> None:
    (error,) = parsed("shfmt", f"diff bin/a.sh.orig bin/a.sh\n{DIFF}", files=("bin/a.sh",)).diagnostics
    assert place(error) == ("bin/a.sh", 3, None, "format")
    assert error.message == "would be reformatted:\n-        echo\n+\techo"


@pytest.mark.parametrize(
    ("text", "form"),
    [
        pytest.param(
            f"1..4\nnot ok 1 adds\n# (in test file {BATS}, line 5)\n#   `[ 3 = 5 ]' failed\n# got 3\n"
            f"not ok 2 helps\n# (from function `h' in file test/h.bash, line 2,\n#  in test file {BATS}, line 9)\n"
            "#   `h' failed\nok 3 fine in 12ms\nok 4 later # skip not yet\n",
            "TAP",
            id="tap",
        ),
        pytest.param(
            f"app.bats\n   adds1/4 \u2717 adds\n   (in test file {BATS}, line 5)\n     `[ 3 = 5 ]' failed\n   got 3\n"
            f"   helps2/4 \u2717 helps [3]\n   (from function `h' in file test/h.bash, line 2,\n"
            f"    in test file {BATS}, line 9)\n     `h' failed\n   fine \u2713 fine\n - later (skipped: not yet)\n"
            "\n4 tests, 2 failures, 1 skipped\n",
            "pretty",
            id="pretty",
        ),
        pytest.param(
            f'<testsuites><testsuite name="app.bats"><testcase classname="app.bats" name="adds"><failure>(in test file '
            f"{BATS}, line 5)\n  `[ 3 = 5 ]' failed\ngot 3</failure></testcase>"
            f'<testcase classname="app.bats" name="helps"><failure>(from function `h\' in file test/h.bash, line 2,\n'
            f" in test file {BATS}, line 9)\n  `h' failed</failure></testcase>"
            '<testcase classname="app.bats" name="fine"/><testcase classname="app.bats" name="later"><skipped/>'
            "</testcase>"
            "</testsuite></testsuites>",
            "JUnit",
            id="junit",
        ),
    ],
)
def test_every_form_of_bats_tells_the_same(text: str, form: str) -> None:
    found = parsed("bats", text, files=(BATS, "test/h.bash"))
    assert [place(item) for item in found.diagnostics] == [(BATS, 5, None, "adds"), (BATS, 9, None, "helps")], form
    assert found.diagnostics[0].message.splitlines() == ["`[ 3 = 5 ]' failed", "got 3"]
    assert found.tests is not None
    assert (found.tests.executed, found.tests.passed, found.tests.skipped) == (3, ("fine",), ("later",))


def test_a_test_file_that_cannot_be_read_is_placed_too() -> None:
    text = "1..1\nnot ok 1 setup_file failed\n# /p/test/app.bats: line 3: syntax error near unexpected token `}'\n"
    (error,) = parsed("bats", text, files=(BATS,)).diagnostics
    assert place(error) == (BATS, 3, None, "setup_file failed")


@pytest.mark.parametrize(
    ("text", "executed"),
    [("1..2\nok 1 adds\nok 2 # names\n", 2), ("1..0\n", 0)],
    ids=["all pass", "none there"],
)
def test_how_many_tests_ran_is_known(text: str, executed: int) -> None:
    tests = parsed("bats", text, code=0).tests
    assert tests is not None
    assert tests.executed == executed


@pytest.mark.parametrize(
    "text",
    ["TAP version 13\n1..1\nok 1 adds\n", "1..1\nnot ok 1 adds\n# at Object.<anonymous> (a.js:1:2)\n"],
    ids=["another runner passes", "another runner fails"],
)
def test_another_runner_s_tap_is_not_taken_for_bats(text: str) -> None:
    assert parsed("bats", text).diagnostics == ()
    assert parsed("bats", text).tests is None


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("src/a.c:2:45: error: Array index out of bounds. [arrayIndexOutOfBounds]\n", "arrayIndexOutOfBounds"),
        ("src/a.c:2:45: style: The variable is never used. [unusedVariable]\n", "unusedVariable"),
        ("[src/a.c:2]: (error) Array index out of bounds.\n", "error"),
    ],
)
def test_cppcheck_s_findings_all_fail(text: str, rule: str) -> None:
    (error,) = parsed("cppcheck", text, files=("src/a.c",)).diagnostics
    assert (error.path, error.line, error.rule_id, error.level) == ("src/a.c", 2, rule, Level.ERROR)


@pytest.mark.parametrize(
    ("command", "tool"),
    [
        ("bats --tap test", "bats"),
        ("./test/bats/bin/bats test", "bats"),
        ("shellcheck bin/*.sh", "shellcheck"),
        ("shfmt -d .", "shfmt"),
        ('for f in *.sh; do bash -n "$f" || rc=1; done', "sh-syntax"),
        ("bash -c 'echo -n x'", "generic"),
        ("cppcheck --enable=all .", "cppcheck"),
    ],
)
def test_a_command_line_names_its_tool(command: str, tool: str) -> None:
    assert recognise(command) == tool
