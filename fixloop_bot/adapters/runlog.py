"""`RUNLOG.md` and its like: text files that many processes add lines to, each line once."""

import fcntl
import os
from io import FileIO
from pathlib import Path


def append_once(path: Path, line: str, *, mark: str, title: str) -> None:
    """Add a line unless one with `mark` is there; durable on return, and whole or absent whatever happens.

    `title` heads a new file. Raises OSError when the disk refuses; then the file is as before.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with path.open("a+b", buffering=0) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        size = file.seek(0, os.SEEK_END)
        if _holds(path, mark.encode()):
            return
        start = f"# {title}\n\n" if size == 0 else "" if _ends_line(path) else "\n"
        try:
            _write_all(file, f"{start}- {' '.join(line.split())}\n".encode("utf-8", "replace"))
            os.fsync(file.fileno())
        except OSError:
            os.ftruncate(file.fileno(), size)
            raise


def _write_all(file: FileIO, content: bytes) -> None:
    """Write without a buffer, which would try again at closing what the disk has refused."""
    while content:
        content = content[file.write(content) :]


def _holds(path: Path, mark: bytes) -> bool:
    """Return whether a whole line has the mark; a line torn by a crash does not count."""
    with path.open("rb") as file:
        return any(mark in line and line.endswith(b"\n") for line in file)


def _ends_line(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"
