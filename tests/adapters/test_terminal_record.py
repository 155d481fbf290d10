"""A terminal record that claims more than it proves, or is malformed, is refused by code and published schema alike."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from fixloop_bot.adapters.codec import to_json_value
from fixloop_bot.adapters.repair_record import RecordError
from fixloop_bot.adapters.terminal_record import read_terminal
from fixloop_bot.model.outcome import Status, Terminal, TerminalState

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "terminal.schema.json").read_text())
DONE = Terminal(
    run_id="r1",
    state=TerminalState.SUCCEEDED,
    status=Status.DONE,
    reason="all validation layers passed",
    criteria_met={"termination_gate_passed": True, "within_budget": True},
    evidence=("commit " + "a" * 40, "test: [.] caf\udce9 -> exit 0, output sha256 " + "b" * 64),
    false_completion=False,
    iteration_id="r1-1",
    terminated_at="2026-01-01T00:00:00Z",
)
NAMES = (
    "schema", "run_id", "state", "status", "reason", "criteria_met", "evidence", "false_completion", "iteration_id",
    "terminated_at",
)  # fmt: skip


def changed(**changes: object) -> dict[str, Any]:
    return {**to_json_value(DONE), **changes}


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in changed().items() if key != name}


def read(tmp_path: Path, value: object) -> Terminal | RecordError:
    path = tmp_path / "terminal.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return read_terminal(path)


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(changed(), id="a DONE"),
        pytest.param(
            changed(state="FailedBudget", status="BLOCKED", criteria_met={"within_budget": False}, evidence=[]),
            id="a BLOCKED without evidence",
        ),
        pytest.param(changed(iteration_id=None), id="a DONE without an attempt"),
    ],
)
def test_a_sound_record_is_read_and_fits_the_schema(tmp_path: Path, value: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator(SCHEMA).validate(value)
    terminal = read(tmp_path, value)
    assert isinstance(terminal, Terminal), terminal
    assert to_json_value(terminal) == value


MALFORMED: dict[str, object] = {
    **{f"lacks {name}": without(name) for name in NAMES},
    "succeeded without evidence": changed(evidence=[]),
    "succeeded with a criterion that is false": changed(criteria_met={"within_budget": True, "tests": False}),
    "succeeded without any criterion": changed(criteria_met={}),
    "succeeded, and calls itself false": changed(false_completion=True),
    "has a line of evidence twice": changed(evidence=["x", "x"]),
    "succeeded as BLOCKED": changed(status="BLOCKED"),
    "failed as DONE": changed(state="FailedBudget"),
    "waits for a decision": changed(state="FailedSpecGap", status="NEED_DECISION"),
    "has an unknown state": changed(state="Done"),
    "has an unknown status": changed(status="GREEN"),
    "has an unknown field": changed(proof="trust me"),
    "has a criterion in quotes": changed(criteria_met={"tests": "true"}),
    "has a criterion that is a number": changed(criteria_met={"tests": 1}),
    "has a criterion that is null": changed(criteria_met={"tests": None}),
    "has criteria in a list": changed(criteria_met=["tests"]),
    "has a false_completion in quotes": changed(false_completion="false"),
    "has a false_completion that is 0": changed(false_completion=0),
    "has a text for evidence": changed(evidence="exit 0"),
    "has evidence that is no text": changed(evidence=[0]),
    "has an empty run id": changed(run_id=""),
    "has a run id that is a number": changed(run_id=1),
    "has a local time": changed(terminated_at="2026-01-01 00:00"),
    "has a time that is a number": changed(terminated_at=1.5),
    "has another schema": changed(schema="fixloop.terminal/2"),
    "is a list": [],
    "is null": None,
}


@pytest.mark.parametrize("value", MALFORMED.values(), ids=[f"a record that {reason}" for reason in MALFORMED])
def test_what_the_schema_refuses_the_code_refuses(tmp_path: Path, value: object) -> None:
    assert not jsonschema.Draft202012Validator(SCHEMA).is_valid(value)
    answer = read(tmp_path, value)
    assert isinstance(answer, RecordError), answer
    assert answer.problem


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        pytest.param(changed(terminated_at="2026-02-30T00:00:00Z"), "terminated_at", id="a day that there is not"),
        pytest.param('{"schema": ', "not JSON", id="a torn file"),
        pytest.param(json.dumps(changed()).replace('"r1-1"', "NaN"), "NaN", id="a value that is no JSON"),
        pytest.param("[" * 100_000, "not JSON", id="nested too deep"),
    ],
)
def test_what_no_schema_can_say_the_code_refuses(tmp_path: Path, value: object, problem: str) -> None:
    answer = read(tmp_path, value)
    assert isinstance(answer, RecordError)
    assert problem in str(answer)


def test_a_file_that_is_not_there_is_a_record_error(tmp_path: Path) -> None:
    assert isinstance(read_terminal(tmp_path / "none.json"), RecordError)
    assert isinstance(read_terminal(tmp_path), RecordError)
