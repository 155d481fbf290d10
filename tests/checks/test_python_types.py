"""mypy and pyright, beyond what the recordings hold."""

from fixloop_bot.model.diagnostic import DiagnosticKind, Level
from tests.checks.reading import parsed, place


def test_mypy_notes_are_left_out_and_a_file_may_have_no_line() -> None:
    text = (
        "a.py: error: Source file found twice under different module names\n"
        "b.py:3:5: error: Invalid syntax  [syntax]\nb.py:3: note: See the docs\nFound 2 errors\n"
    )
    found = parsed("mypy", text).diagnostics
    assert [place(item) for item in found] == [("a.py", None, None, None), ("b.py", 3, 5, "syntax")]
    assert found[1].kind is DiagnosticKind.SYNTAX_ERROR


def test_a_person_who_asks_pyright_for_json_gets_read_too() -> None:
    text = (
        '{"generalDiagnostics": [{"file": "/p/a.py", "severity": "warning", "message": "m", "rule": "reportX",'
        ' "range": {"start": {"line": 0, "character": 4}}}, "garbage", {"file": 3}]}'
    )
    found = parsed("pyright", text).diagnostics
    assert place(found[0]) == ("a.py", 1, 5, "reportX")
    assert found[0].level is Level.WARNING
