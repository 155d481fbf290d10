"""`origin.json`: where a run of the service comes from, written before it begins."""

from collections.abc import Callable
from pathlib import Path

from fixloop_bot.adapters.codec import CodecError, decode, encode, to_json_value
from fixloop_bot.adapters.files import write_durably
from fixloop_bot.model.history import ORIGIN_SCHEMA, RunOrigin

LIMIT = 100_000
"""Bytes that are read."""


def write_origin(path: Path, origin: RunOrigin, *, redact: Callable[[str], str]) -> None:
    """Write it, whole or not at all. Raises OSError when the disk refuses."""
    write_durably(path, encode(to_json_value(origin), redact=redact).encode())


def read_origin(path: Path) -> RunOrigin | None:
    """Return it, None where the run is none of the service's. Raises OSError, and `CodecError` for what is none."""
    try:
        with path.open("rb") as file:
            origin = decode(file.read(LIMIT), RunOrigin)
    except FileNotFoundError:
        return None
    if origin.schema != ORIGIN_SCHEMA:
        raise CodecError(f"an origin of schema {origin.schema!r}; this version of fixloop reads {ORIGIN_SCHEMA!r}")
    return origin
