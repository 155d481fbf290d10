"""compileall and py_compile, run for real and read."""

from pathlib import Path

import pytest

from fixloop_bot.checks.compileall import parse
from fixloop_bot.model.diagnostic import DiagnosticKind
from tests.checks.reading import parsed
from tests.checks.running import PYTHON, run


@pytest.mark.parametrize("command", [["compileall", "-q", "."], ["py_compile", "my app/a.py"]], ids=lambda c: c[0])
def test_a_syntax_error_is_placed(tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "my app").mkdir()
    (tmp_path / "my app" / "a.py").write_text("x = 1\ndef f(x)\n    return x\n")
    (error,) = parse(run(tmp_path, PYTHON, "-m", *command)).diagnostics
    assert (error.path, error.line, error.rule_id) == ("my app/a.py", 2, "SyntaxError")
    assert (error.message, error.kind) == ("SyntaxError: expected ':'", DiagnosticKind.SYNTAX_ERROR)


def test_a_traceback_of_another_kind_is_none_of_its_business() -> None:
    assert parsed("compileall", '  File "a.py", line 1, in <module>\nValueError: no\n').diagnostics == ()
