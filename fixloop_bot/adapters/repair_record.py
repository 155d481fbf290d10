"""Repair records as files: every one that is read or written is checked, so that metrics rest on sound ones alone."""

import re
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from pydantic import TypeAdapter, ValidationError

from fixloop_bot.adapters.codec import CodecError, parse, to_json_value
from fixloop_bot.model.guard import Finding, Severity
from fixloop_bot.model.record import RECORD_SCHEMA, RepairRecord, Verification
from fixloop_bot.model.state import Rung

Kind = TypeVar("Kind", RepairRecord, Verification)

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|\+00:00)")
_SIDES = ("verification_before", "verification_after")
_FINDING = frozenset(field.name for field in fields(Finding))
_STATUSES = ("pass", "fail", "error")
_ADAPTERS = {
    kind.__name__: {name: TypeAdapter[Any](hint) for name, hint in get_type_hints(kind).items()}
    for kind in (RepairRecord, Verification)
}
_SIZE_LIMIT = 16_000_000
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
            content = file.read(_SIZE_LIMIT)
        return record_of(parse(content))
    except (OSError, CodecError, ValueError) as error:
        return RecordError(str(path), str(error))


def record_of(value: Any) -> RepairRecord:  # noqa: ANN401
    """Return the record that a JSON value holds; raises ValueError for what docs/repair-record.schema.json refuses."""
    if not isinstance(value, dict) or value.get("schema") != RECORD_SCHEMA:
        raise ValueError(f"schema is not {RECORD_SCHEMA!r}")
    record = _built(RepairRecord, value)
    _check_values(record)
    return record


def record_json(record: RepairRecord) -> Any:  # noqa: ANN401
    """Return the record as a JSON value; raises ValueError if it would be refused when read."""
    value = to_json_value(record)
    record_of(value)
    return value


def _built(kind: type[Kind], value: dict[str, Any]) -> Kind:
    """Return the dataclass, each field of exactly its type: no number from a boolean or a string."""
    _check_names(kind, set(value))
    built = {}
    for name, item in value.items():
        nested = name in _SIDES and isinstance(item, dict)
        given = _built(Verification, item) if nested else tuple(item) if isinstance(item, list) else item
        try:
            built[name] = _ADAPTERS[kind.__name__][name].validate_python(given, strict=True)
        except ValidationError as error:
            raise ValueError(f"{name}: {error.errors(include_url=False)[0]['msg']}") from error
    return kind(**built)


def _check_names(kind: type[RepairRecord | Verification], names: set[str]) -> None:
    items = fields(kind)
    if missing := sorted({item.name for item in items if item.default is MISSING} - names):
        raise ValueError(f"missing: {', '.join(missing)}")
    if unknown := sorted(names - {item.name for item in items}):
        raise ValueError(f"unknown: {', '.join(unknown)}")


def _check_values(record: RepairRecord) -> None:
    """Check what types cannot say."""
    if record.attempt < 1:
        raise ValueError(f"attempt must be 1 or more, not {record.attempt}")
    if record.cost_usd is not None and not 0 <= record.cost_usd < float("inf"):
        raise ValueError(f"cost_usd must be a number of dollars, not {record.cost_usd}")
    if not (record.iteration_id and record.run_id):
        raise ValueError("iteration_id and run_id must not be empty")
    if not _TIME.fullmatch(record.created_at):
        raise ValueError(f"created_at is not ISO 8601 in UTC: {record.created_at!r}")
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
