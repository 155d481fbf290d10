"""A file of JSON objects, one a line, that only grows: each line is on disk before its writer goes on."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any


class JsonLines:
    """Such a file; for its owner's eyes."""

    def __init__(self, path: Path) -> None:
        """Take a file, which need not be there; its folder is made. Raises OSError."""
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)

    def read(self) -> Iterator[dict[str, Any]]:
        """Yield the whole lines; one that a crash cut off is passed over."""
        return read_json_lines(self._path)

    def add(self, value: object) -> None:
        """Append one line; it is on disk when this returns. Raises OSError."""
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
        with os.fdopen(os.open(self._path, flags, 0o600), "rb+") as file:
            size = file.seek(0, os.SEEK_END)
            torn = size > 0 and os.pread(file.fileno(), 1, size - 1) != b"\n"
            file.write((b"\n" if torn else b"") + json.dumps(value).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())


def read_json_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the whole lines of such a file; no file has none, and a line that a crash cut off is passed over."""
    if not path.exists():
        return
    for line in path.read_bytes().split(b"\n"):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value
