"""Repair records as files: every one that is read or written is checked, so that metrics rest on sound ones alone."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from fixloop_bot.adapters.codec import CodecError, parse, to_json_value
from fixloop_bot.adapters.exact import check_utc, exactly
from fixloop_bot.model.attempt import Rung
from fixloop_bot.model.guard import Finding, Severity
from fixloop_bot.model.record import RECORD_SCHEMA, RepairRecord

_FINDING = frozenset(field.name for field in fields(Finding))
_STATUSES = ("pass", "fail", "error")
SIZE_LIMIT = 16_000_000
"""Bytes of a record that are read."""


@dataclass(frozen=True, slots=True)
class RecordError:
    """Why a file is no repair record."""

    path: str
    problem: str

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}"


def read_record(path: Path) -> RepairRecord | RecordError:
    """Read a repair record; whatever is wrong with it, the answer is a `RecordError` that says what."""
    try:
        with path.open("rb") as file:
            content = file.read(SIZE_LIMIT)
        return record_of(parse(content))
    except (OSError, CodecError, ValueError) as error:
        return RecordError(str(path), str(error))


def record_of(value: Any) -> RepairRecord:  # noqa: ANN401
    """Return the record that a JSON value holds; raises ValueError for what docs/repair-record.schema.json refuses."""
    if not isinstance(value, dict) or value.get("schema") != RECORD_SCHEMA:
        raise ValueError(f"schema is not {RECORD_SCHEMA!r}")
    record = exactly(RepairRecord, value)
    _check_values(record)
    return record


def record_json(record: RepairRecord) -> Any:  # noqa: ANN401
    """Return the record as a JSON value; raises ValueError if it would be refused when read."""
    value = to_json_value(record)
    record_of(value)
    return value


def _check_values(record: RepairRecord) -> None:
    """Check what types cannot say."""
    if record.attempt < 1:
        raise ValueError(f"attempt must be 1 or more, not {record.attempt}")
    if record.cost_usd is not None and not 0 <= record.cost_usd < float("inf"):
        raise ValueError(f"cost_usd must be a number of dollars, not {record.cost_usd}")
    if not (record.iteration_id and record.run_id):
        raise ValueError("iteration_id and run_id must not be empty")
    check_utc("created_at", record.created_at)
    for value, known in (
        (record.rung, ("", *Rung)),
        (record.verification_before.status, _STATUSES),
        (record.verification_after.status, _STATUSES),
    ):
        if value not in known:
            raise ValueError(f"must be one of {', '.join(known)}, not {value!r}")
    for found in record.guard:
        _check_finding(found)


def _check_finding(found: dict[str, Any]) -> None:
    """Check a finding of the guard; raises ValueError."""
    if set(found) != _FINDING:
        raise ValueError(f"guard: a finding has {', '.join(sorted(_FINDING))}, and nothing else")
    texts = (found["rule_id"], found["path"], found["message"])
    if not all(isinstance(text, str) for text in texts) or not found["rule_id"]:
        raise ValueError("guard: rule_id, path and message must be texts, rule_id not an empty one")
    if found["severity"] not in tuple(Severity):
        raise ValueError(f"guard: severity must be one of {', '.join(Severity)}, not {found['severity']!r}")
    line = found["line"]
    if line is not None and (not isinstance(line, int) or isinstance(line, bool) or line < 1):
        raise ValueError(f"guard: line must be a number from 1 or null, not {line!r}")
