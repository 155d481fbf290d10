"""flake8, beyond what the recordings hold."""

import pytest

from fixloop_bot.checks.registry import recognise
from fixloop_bot.model.diagnostic import DiagnosticKind
from tests.checks.reading import parsed, place

DEFAULT = """\
./a.py:1:1: F401 'sys' imported but unused
import sys
^
./b.py:1:8: E999 SyntaxError: invalid syntax
1     E999 SyntaxError: invalid syntax
1     F401 'sys' imported but unused
2
"""
PYLINT_FORM = "./a.py:1: [F401] 'sys' imported but unused\n./b.py:1: [E999] SyntaxError: invalid syntax\n"


@pytest.mark.parametrize(
    ("text", "columns"), [(DEFAULT, (1, 8)), (PYLINT_FORM, (None, None))], ids=["default, source shown", "pylint's"]
)
def test_every_form_tells_the_same(text: str, columns: tuple[int | None, int | None]) -> None:
    unused, syntax = parsed("flake8", text).diagnostics
    assert place(unused) == ("a.py", 1, columns[0], "F401")
    assert (place(syntax), syntax.kind) == (("b.py", 1, columns[1], "E999"), DiagnosticKind.SYNTAX_ERROR)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("a.py:2:0: W0611: Unused import os (unused-import)", id="pylint's"),
        pytest.param("a.js:1:1: F401 it is not Python", id="another language"),
        pytest.param("a.py:1: error: Name is not defined  [name-defined]", id="mypy's"),
    ],
)
def test_another_tools_line_is_none_of_its(line: str) -> None:
    assert parsed("flake8", line).diagnostics == ()


@pytest.mark.parametrize("command", ["flake8", "python -m flake8 src", "uv run flake8", "pycodestyle --max-line 100"])
def test_its_commands_are_known(command: str) -> None:
    assert recognise(command) == "flake8"
