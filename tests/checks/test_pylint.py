"""pylint's text and JSON forms, beyond what the recordings hold."""

import json

import pytest

from fixloop_bot.checks.registry import recognise
from fixloop_bot.model.diagnostic import DiagnosticKind, Level
from tests.checks.reading import parsed, place

OLDER_JSON = json.dumps(
    [{"type": "error", "path": "a.py", "line": 6, "column": 11, "message": "Undefined", "message-id": "E0602"}]
)
NEWER_JSON = json.dumps(
    {"messages": [{"type": "error", "path": "a.py", "line": 6, "column": 11, "message": "x", "messageId": "E0602"}]}
)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        pytest.param("a.py:6:11: E0602: Undefined variable 'x' (undefined-variable)\n", 12, id="text"),
        pytest.param("a.py:6: [E0602(undefined-variable), f] Undefined variable 'x'\n", None, id="parseable"),
        pytest.param("a.py(6): [E0602(undefined-variable)f] Undefined variable 'x'\n", None, id="msvs"),
        pytest.param(OLDER_JSON, 12, id="json"),
        pytest.param(NEWER_JSON, 12, id="json2"),
    ],
)
def test_every_form_tells_the_same(text: str, column: int | None) -> None:
    (found,) = parsed("pylint", text).diagnostics
    assert (place(found), found.level) == (("a.py", 6, column, "E0602"), Level.ERROR)


@pytest.mark.parametrize(("letter", "level"), [*((letter, Level.ERROR) for letter in "FEWRC"), ("I", Level.NOTE)])
def test_what_sets_the_exit_code_is_an_error(letter: str, level: Level) -> None:
    (found,) = parsed("pylint", f"a.py:1:0: {letter}0114: Said (a-symbol)\n").diagnostics
    assert found.level is level


def test_the_symbol_is_no_part_of_the_message_and_a_syntax_error_is_known_as_one() -> None:
    (found,) = parsed("pylint", "b.py:1:7: E0001: Parsing failed: 'x (b, line 1)' (syntax-error)\n").diagnostics
    assert (found.message, found.kind) == ("Parsing failed: 'x'", DiagnosticKind.SYNTAX_ERROR)


@pytest.mark.parametrize("text", ["[]", '[{"path": 1}]', '{"messages": [{"messageId": "E1"}]}', "[[[", "a.py:1:1: E1"])
def test_what_is_not_its_own_says_nothing(text: str) -> None:
    assert parsed("pylint", text).diagnostics == ()


@pytest.mark.parametrize("command", ["pylint src", "python -m pylint --rcfile x src", "poetry run pylint a"])
def test_its_commands_are_known(command: str) -> None:
    assert recognise(command) == "pylint"
