"""Every malformed record is refused, by the code and, where a schema can say it, by the published schema alike."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from fixloop_bot.adapters.repair_record import RecordError, read_record, record_json
from fixloop_bot.model.record import RepairRecord, Verification

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "repair-record.schema.json").read_text())
RECORD = RepairRecord(
    iteration_id="r1-1",
    run_id="r1",
    story_id="S-1",
    attempt=1,
    layer="test",
    failure_mode="deterministic-fail",
    model="sonnet",
    hypothesis="off by one",
    repair_action="changed the bound",
    verification_before=Verification(status="fail", failing=("test: t_1", "test: t_\udce9"), score=0.5),
    verification_after=Verification(status="pass", failing=(), score=1),
    remaining_delta=(),
    productive=True,
    cost_usd=0.04,
    error_hash="ab" * 32,
    commit="c" * 40,
    diff_stat="1 file changed, 1 insertion(+)",
    guard=({"rule_id": "x", "severity": "medium", "path": "a.py", "line": 3, "message": "m"},),
    created_at="2026-01-01T00:00:00Z",
)


def written(path: Path, value: object) -> Path:
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


@pytest.mark.parametrize(
    "record",
    [
        RECORD,
        replace(RECORD, cost_usd=None, commit=None, guard=(), salvage="r1-1", created_at="2026-01-01T00:00:00.5+00:00"),
        replace(RECORD, verification_after=Verification(status="error", failing=("x",), score=0.5), productive=False),
    ],
)
def test_a_sound_record_survives_its_file_and_fits_the_schema(tmp_path: Path, record: RepairRecord) -> None:
    value = record_json(record)
    jsonschema.Draft202012Validator(SCHEMA).validate(value)
    read = read_record(written(tmp_path / "r.json", value))
    assert isinstance(read, RepairRecord), read
    assert record_json(read) == value


REQUIRED = (
    "schema", "iteration_id", "run_id", "story_id", "attempt", "layer", "failure_mode", "model", "hypothesis",
    "repair_action", "verification_before", "verification_after", "remaining_delta", "productive", "cost_usd",
    "error_hash", "commit", "diff_stat", "created_at",
)  # fmt: skip


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in record_json(RECORD).items() if key != name}


def changed(**changes: object) -> dict[str, Any]:
    """Return the record with changes; `before__score` stands for a field of a verification."""
    value = json.loads(json.dumps(record_json(RECORD)))
    for name, item in changes.items():
        outer, _, inner = name.partition("__")
        if inner:
            value[f"verification_{outer}"][inner] = item
        else:
            value[name] = item
    return value  # type: ignore[no-any-return]


def finding(**changes: object) -> dict[str, object]:
    """Return a finding of the guard with changes."""
    return {"rule_id": "x", "severity": "high", "path": "a.py", "line": 3, "message": "m", **changes}


BY_SCHEMA: dict[str, object] = {
    **{f"lacks {name}": without(name) for name in REQUIRED},
    "lacks a score": changed(verification_before={"status": "fail", "failing": []}),
    "has an unknown field": changed(extra=1),
    "has an unknown field inside": changed(after__extra=1),
    "has a boolean score": changed(after__score=True),
    "has a boolean score before": changed(before__score=False),
    "has a score in quotes": changed(after__score="1.0"),
    "has a score above 1": changed(after__score=1.01),
    "has a score below 0": changed(before__score=-0.1),
    "has no score": changed(before__score=None),
    "has a boolean attempt": changed(attempt=True),
    "has attempt 0": changed(attempt=0),
    "has a productive in quotes": changed(productive="true"),
    "has a productive number": changed(productive=1),
    "has a boolean cost": changed(cost_usd=False),
    "has a negative cost": changed(cost_usd=-0.01),
    "has an unknown schema": changed(schema="fixloop.repair-record/2"),
    "has no object before": changed(verification_before="fail"),
    "has an unknown status": changed(before__status="green"),
    "has a text for a list": changed(remaining_delta="lint"),
    "has numbers in a list": changed(before__failing=[1]),
    "has a guard that is no object": changed(guard=["x"]),
    "has a finding without a rule": changed(guard=[{"severity": "high", "path": "a", "line": 1, "message": "m"}]),
    "has a finding of no name": changed(guard=[finding(rule_id="")]),
    "has a finding of unknown severity": changed(guard=[finding(severity="low")]),
    "has a finding with more": changed(guard=[finding(more=1)]),
    "has a finding on line 0": changed(guard=[finding(line=0)]),
    "has a finding on a line in quotes": changed(guard=[finding(line="3")]),
    "has a finding without a text": changed(guard=[finding(message=None)]),
    "has a local time": changed(created_at="2026-01-01 00:00"),
    "has a time that is a number": changed(created_at=1_767_225_600),
    "has a time in another zone": changed(created_at="2026-01-01T00:00:00+02:00"),
    "has a commit that is a number": changed(commit=1),
    "has a cost in quotes": changed(cost_usd="0.04"),
    "has an attempt that is no whole number": changed(attempt=1.5),
    "has no iteration id": changed(iteration_id=""),
    "has a hypothesis that is null": changed(hypothesis=None),
    "has evidence that is a text": changed(evidence="exit 0"),
    "has no run id": changed(run_id=""),
    "is a list": [],
    "is null": None,
}


@pytest.mark.parametrize("value", BY_SCHEMA.values(), ids=[f"a record that {reason}" for reason in BY_SCHEMA])
def test_what_the_schema_refuses_the_code_refuses(tmp_path: Path, value: object) -> None:
    assert not jsonschema.Draft202012Validator(SCHEMA).is_valid(value)
    answer = read_record(written(tmp_path / "r.json", value))
    assert isinstance(answer, RecordError)
    assert answer.problem


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        pytest.param(changed(productive=False), "productive disagrees", id="productive where the score rose"),
        pytest.param(changed(after__score=0.5), "productive disagrees", id="productive where the score stayed"),
        pytest.param(changed(created_at="2026-13-01T00:00:00Z"), "created_at", id="a month that there is not"),
        pytest.param('{"schema": ', "not JSON", id="a torn file"),
        pytest.param("", "not JSON", id="an empty file"),
        pytest.param(json.dumps(changed()).replace("0.5", "NaN"), "NaN", id="a score that is not a number"),
        pytest.param(json.dumps(changed()).replace("0.04", "1e999"), "cost_usd", id="an infinite cost"),
        pytest.param("[" * 100_000, "not JSON", id="nested too deep"),
    ],
)
def test_what_no_schema_can_say_the_code_refuses(tmp_path: Path, value: object, problem: str) -> None:
    answer = read_record(written(tmp_path / "r.json", value))
    assert isinstance(answer, RecordError)
    assert problem in str(answer)


def test_a_file_that_is_not_there_or_a_folder_is_a_record_error(tmp_path: Path) -> None:
    assert isinstance(read_record(tmp_path / "none.json"), RecordError)
    assert isinstance(read_record(tmp_path), RecordError)


def test_an_unsound_record_is_never_written() -> None:
    with pytest.raises(ValueError, match="attempt"):
        record_json(replace(RECORD, attempt=0))
