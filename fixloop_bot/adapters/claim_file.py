"""Records as files that claim something: `terminal.json` and repair records, read as data of unknown origin."""

from pathlib import Path

from fixloop_bot.adapters.codec import parse
from fixloop_bot.adapters.repair_record import SIZE_LIMIT, record_of
from fixloop_bot.adapters.state_folder import StateFolder
from fixloop_bot.adapters.terminal_record import TERMINAL_SCHEMA, terminal_of
from fixloop_bot.core.evidence import claim_of
from fixloop_bot.model.outcome import Status
from fixloop_bot.model.proof import Claim
from fixloop_bot.model.record import RECORD_SCHEMA


def record_path(named: str, folder: StateFolder) -> Path | None:
    """Return the file that a person names: a path, else a run's or an attempt's id in the state folder."""
    path = Path(named)
    if path.is_file():
        return path
    try:
        known = (folder.terminal(named), folder.record(named))
    except ValueError:
        return None
    return next((place for place in known if place.is_file()), None)


def read_claim(path: Path) -> Claim:
    """Return what the record claims. Raises ValueError, with words for a person, for one that claims no DONE."""
    try:
        with path.open("rb") as file:
            content = file.read(SIZE_LIMIT + 1)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from error
    if len(content) > SIZE_LIMIT:
        raise ValueError(f"{path} is larger than any record")
    try:
        return _claim(content)
    except ValueError as error:
        raise ValueError(f"{path} is no record of a DONE: {error}") from error


def _claim(content: bytes) -> Claim:
    value = parse(content)
    match value.get("schema") if isinstance(value, dict) else None:
        case schema if schema == TERMINAL_SCHEMA:
            terminal = terminal_of(value)
            if terminal.status is not Status.DONE:
                raise ValueError(f"the run ended as {terminal.status} ({terminal.state})")
            return claim_of(terminal.evidence, run_id=terminal.run_id)
        case schema if schema == RECORD_SCHEMA:
            record = record_of(value)
            if not record.evidence:
                raise ValueError("no termination gate has passed with this attempt's commit")
            return claim_of(record.evidence, run_id=record.run_id, attempt_commit=record.commit or "")
        case schema:
            raise ValueError(f"schema is {schema!r}, not {TERMINAL_SCHEMA!r} or {RECORD_SCHEMA!r}")
