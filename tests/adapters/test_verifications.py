"""What a verification found is added line by line; a malformed line is named, and the others count."""

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from fixloop_bot.adapters.codec import to_json_value
from fixloop_bot.adapters.repair_record import RecordError
from fixloop_bot.adapters.verifications import note_verification, read_verifications
from fixloop_bot.core.redact import redactor
from fixloop_bot.model.proof import Verdict, Verified

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "verification.schema.json").read_text())
HELD = Verified(
    run_id="r1",
    commit="c" * 40,
    record_sha256="d" * 64,
    verdict=Verdict.HOLDS,
    why=(),
    at="2026-01-01T00:00:00Z",
)
BROKEN = replace(HELD, verdict=Verdict.BROKEN, why=("test: exit 1, recorded 0", "caf\udce9"))


def test_findings_are_added_and_read_in_order_and_fit_the_schema(tmp_path: Path) -> None:
    path = tmp_path / "runs/r1/verifications.jsonl"
    assert list(read_verifications(path)) == []
    for found in (HELD, BROKEN):
        note_verification(path, found, redact=str)
    assert list(read_verifications(path)) == [HELD, BROKEN]
    for line in path.read_text().splitlines():
        jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(line))
    assert path.stat().st_mode & 0o777 == 0o600


def test_no_secret_reaches_the_file(tmp_path: Path) -> None:
    path = tmp_path / "verifications.jsonl"
    note_verification(path, replace(BROKEN, why=("KEY is hunter2-hunter2",)), redact=redactor(["hunter2-hunter2"]))
    assert "hunter2" not in path.read_text()


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"verdict": "fine"}, id="an unknown verdict"),
        pytest.param({"verdict": None}, id="no verdict"),
        pytest.param({"why": "a text"}, id="a text for a list"),
        pytest.param({"why": [1]}, id="a reason that is no text"),
        pytest.param({"run_id": ""}, id="an empty run id"),
        pytest.param({"at": "yesterday"}, id="a time that is none"),
        pytest.param({"record_sha256": 3}, id="a hash that is a number"),
        pytest.param({"more": 1}, id="an unknown field"),
        pytest.param({"schema": "fixloop.verification/2"}, id="another schema"),
    ],
)
def test_a_malformed_line_is_named_and_the_others_count(tmp_path: Path, change: dict[str, object]) -> None:
    path = tmp_path / "verifications.jsonl"
    value = {**to_json_value(HELD), **change}
    assert not jsonschema.Draft202012Validator(SCHEMA).is_valid(value)
    path.write_text(f"{json.dumps(value)}\n")
    note_verification(path, BROKEN, redact=str)
    wrong, right = read_verifications(path)
    assert isinstance(wrong, RecordError)
    assert wrong.path.endswith("verifications.jsonl:1")
    assert right == BROKEN


def test_a_line_that_a_crash_cut_off_does_not_swallow_the_next(tmp_path: Path) -> None:
    path = tmp_path / "verifications.jsonl"
    path.write_text('{"schema": "fixloop.verif')
    note_verification(path, HELD, redact=str)
    torn, whole = read_verifications(path)
    assert isinstance(torn, RecordError)
    assert whole == HELD
