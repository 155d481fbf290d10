"""What later verifications found of a run's DONE, as a file that only grows."""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from fixloop_bot.adapters.codec import CodecError, parse, to_json_value
from fixloop_bot.adapters.exact import check_utc, exactly
from fixloop_bot.adapters.json_lines import JsonLines
from fixloop_bot.adapters.repair_record import SIZE_LIMIT, RecordError
from fixloop_bot.core.redact import redact_json
from fixloop_bot.model.proof import VERIFIED_SCHEMA, Verified


def note_verification(path: Path, found: Verified, *, redact: Callable[[str], str]) -> None:
    """Append what was found. Raises OSError where the file cannot be written."""
    JsonLines(path).add(redact_json(to_json_value(found), redact))


def read_verifications(path: Path) -> Iterator[Verified | RecordError]:
    """Yield each line's finding, or what is wrong with the line; no file is no line."""
    try:
        with path.open("rb") as file:
            lines = file.read(SIZE_LIMIT).split(b"\n")
    except FileNotFoundError:
        return
    except OSError as error:
        yield RecordError(str(path), str(error))
        return
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _read(line, f"{path}:{number}")


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a record as it stands. Raises OSError."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def verified_of(value: Any) -> Verified:  # noqa: ANN401
    """Return the finding that a JSON value holds; raises ValueError for what docs/verification.schema.json refuses."""
    if not isinstance(value, dict) or value.get("schema") != VERIFIED_SCHEMA:
        raise ValueError(f"schema is not {VERIFIED_SCHEMA!r}")
    found = exactly(Verified, value)
    if not found.run_id:
        raise ValueError("run_id must not be empty")
    check_utc("at", found.at)
    return found


def _read(line: bytes, place: str) -> Verified | RecordError:
    try:
        return verified_of(parse(line))
    except (CodecError, ValueError) as error:
        return RecordError(place, str(error))
