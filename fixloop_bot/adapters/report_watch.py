"""Reports that a tool writes unasked into the project's build folder: those that one run wrote, and no older ones."""

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from pathspec import GitIgnoreSpec

MAX_TOTAL = 16_000_000
"""Bytes of all reports of a run."""
MAX_FILES = 2_000
MAX_VISITED = 200_000
"""Folders' entries that are looked at: a build folder may be huge."""
READ_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
"""A link, or a pipe that nobody writes to, must not get hold of fixloop."""

WILD = set("*?[")
Mark = tuple[int, int, int]
"""inode, size and time of change in nanoseconds: other after a file was written."""


class ReportWatch:
    """Knows the reports that lay there before a command ran."""

    def __init__(self, folder: Path, patterns: Sequence[str]) -> None:
        """`patterns` are globs relative to `folder`; all are anchored there."""
        self._folder = folder
        self._spec = GitIgnoreSpec.from_lines([f"/{pattern.lstrip('/')}" for pattern in patterns])
        self._exact = tuple(dict.fromkeys(pattern.strip("/") for pattern in patterns if not WILD & set(pattern)))
        self._tops = tuple(dict.fromkeys(_fixed_part(pattern) for pattern in patterns if WILD & set(pattern)))
        self._before = dict(self._found())

    def written(self) -> tuple[str, ...]:
        """Return the texts of the files that are new or changed since, in the order of their paths."""
        fresh = sorted({path for path, mark in self._found() if self._before.get(path) != mark})
        texts: list[str] = []
        left = MAX_TOTAL
        for path in fresh[:MAX_FILES]:
            data = read_regular(self._folder / path, left + 1)
            if data is None or len(data) > left:
                continue
            left -= len(data)
            texts.append(data.decode("utf-8", errors="replace"))
        return tuple(texts)

    def _found(self) -> Iterator[tuple[str, Mark]]:
        for path in self._exact:
            inside, _, name = path.rpartition("/")
            yield from ((path, _mark(about)) for found, about in _entries(self._folder, inside, name) if found == name)
        budget = MAX_VISITED
        folders = list(self._tops)
        while folders and budget > 0:
            inside = folders.pop()
            for name, about in _entries(self._folder, inside):
                budget -= 1
                path = f"{inside}/{name}" if inside else name
                if stat.S_ISDIR(about.st_mode):
                    folders.append(path)
                elif stat.S_ISREG(about.st_mode) and self._spec.match_file(path):
                    yield path, _mark(about)


def read_regular(path: Path, limit: int) -> bytes | None:
    """Return at most `limit` bytes of a regular file, None for anything else."""
    try:
        descriptor = os.open(path, READ_FLAGS)
    except OSError:
        return None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return None
    with os.fdopen(descriptor, "rb") as stream:
        return stream.read(limit)


def _fixed_part(pattern: str) -> str:
    """Return the folders of a glob before its first wildcard."""
    parts = pattern.strip("/").split("/")[:-1]
    fixed = []
    for part in parts:
        if set(part) & WILD:
            break
        fixed.append(part)
    return "/".join(fixed)


def _mark(about: os.stat_result) -> Mark:
    return about.st_ino, about.st_size, about.st_mtime_ns


def _entries(root: Path, inside: str, only: str = "") -> list[tuple[str, os.stat_result]]:
    """Return a folder's entries, or `only` the one; none where the folder, or one on the way to it, is a link."""
    folder = root
    for part in filter(None, inside.split("/")):
        folder = folder / part
        if folder.is_symlink():
            return []
    try:
        if only:
            about = (folder / only).lstat()
            return [(only, about)] if stat.S_ISREG(about.st_mode) else []
        with os.scandir(folder) as found:
            return [(entry.name, entry.stat(follow_symlinks=False)) for entry in found]
    except OSError:
        return []
