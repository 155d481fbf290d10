"""black and isort, which say which files they would write anew."""

import pytest

from fixloop_bot.checks.registry import parse, recognise
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.diagnostic import DiagnosticKind
from tests.checks.reading import parsed, place

BLACK = """\
error: cannot parse: /p/b.py:1:6
    def g(:
         ^
ParseError: bad input
--- /p/a b.py\t2026-11-30 20:27:11.741795+00:00
+++ /p/a b.py\t2026-11-30 20:27:15.874608+00:00
@@ -1 +1 @@
-x=1
+x = 1
would reformat /p/a b.py

Oh no! \U0001f4a5 \U0001f494 \U0001f4a5
1 file would be reformatted, 1 file would fail to reformat.
"""
BLACK_BEFORE = (
    "error: cannot format b.py: Cannot parse for target version Python 3.13: 1:6: def g(:\nwould reformat a b.py\n"
)


@pytest.mark.parametrize("text", [BLACK, BLACK_BEFORE], ids=["absolute paths, with a diff", "as until 2025"])
def test_black_names_what_it_would_change_and_what_it_cannot_parse(text: str) -> None:
    broken, unformatted = parsed("black", text).diagnostics
    assert (place(broken), broken.kind) == (("b.py", 1, 6, "invalid-syntax"), DiagnosticKind.SYNTAX_ERROR)
    assert broken.message == "cannot be parsed: def g(:"
    assert place(unformatted) == ("a b.py", None, None, "format")


def test_isort_names_the_files_whose_imports_are_out_of_order() -> None:
    text = "ERROR: /p/a b.py Imports are incorrectly sorted and/or formatted.\n--- /p/a b.py:before\t2026-11-30\n"
    (found,) = parsed("isort", text).diagnostics
    assert place(found) == ("a b.py", None, None, "imports")


@pytest.mark.parametrize(
    ("text", "rule"),
    [(BLACK_BEFORE, "format"), ("ERROR: a.py Imports are incorrectly sorted and/or formatted.\n", "imports")],
)
def test_behind_a_command_that_hides_them_they_are_known_by_what_they_say(text: str, rule: str) -> None:
    found = parse("generic", ToolOutput(text=text, exit_code=1)).diagnostics
    assert rule in {item.rule_id for item in found}


@pytest.mark.parametrize(
    ("command", "tool"),
    [("black --check .", "black"), ("python -m black -q .", "black"), ("isort -c .", "isort"), ("blackbox", "generic")],
)
def test_their_commands_are_known(command: str, tool: str) -> None:
    assert recognise(command) == tool
