"""One run's records and commits as bytes, to be unpacked in another machine's state folder."""

import io
import os
import tarfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Final

from fixloop_bot.adapters.files import write_durably
from fixloop_bot.adapters.state_folder import StateFolder, safe_name

COMMITS: Final = "commits.pack"
MAX_FILE: Final = 20_000_000
"""Bytes. What is larger (pictures, outputs) stays on the machine where it was made."""
MAX_FILES: Final = 2_000


class BrokenArchiveError(ValueError):
    """Bytes that are no archive of this run."""


def pack_run(folder: StateFolder, run_id: str) -> bytes:
    """Return the archive of a run. Each file is in it as it was at one moment."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz", compresslevel=1) as archive:
        for path in sorted(_files(folder, run_id))[:MAX_FILES]:
            _add(archive, folder, path)
    return made.getvalue()


def unpack_run(folder: StateFolder, run_id: str, archive: bytes) -> None:
    """Write a run's records, each whole or not at all, over older ones; the state last, as it speaks of the others.

    Raises `BrokenArchiveError`, with nothing written, for bytes that hold anything else.
    """
    found = list(_members(folder, run_id, archive))
    for path, content in sorted(found, key=lambda one: one[0] == folder.state(run_id)):
        write_durably(path, content)


def _files(folder: StateFolder, run_id: str) -> Iterator[Path]:
    for place, pattern in _places(folder, run_id):
        yield from (path for path in place.glob(pattern) if path.is_file() and not path.is_symlink())


def _places(folder: StateFolder, run_id: str) -> Sequence[tuple[Path, str]]:
    name = safe_name(run_id)
    return (
        (folder.state(name).parent, "*"),
        (folder.receipts(name).parent, f"{name}*"),
        (folder.record(name).parent, f"{name}*.json"),
    )


def _add(archive: tarfile.TarFile, folder: StateFolder, path: Path) -> None:
    try:
        content = path.read_bytes() if path.stat().st_size <= MAX_FILE else b""
    except FileNotFoundError:
        return
    if path.name.endswith(".draft") or not content:
        return
    entry = tarfile.TarInfo(path.relative_to(folder.root).as_posix())
    entry.size = len(content)
    archive.addfile(entry, io.BytesIO(content))


def _members(folder: StateFolder, run_id: str, archive: bytes) -> Iterator[tuple[Path, bytes]]:
    try:
        with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as opened:
            for number, entry in enumerate(opened):
                if number >= MAX_FILES or not entry.isreg() or entry.size > MAX_FILE:
                    raise BrokenArchiveError(f"an archive of run {run_id} holds {entry.name[:200]!r}")
                stream = opened.extractfile(entry)
                yield _inside(folder, run_id, entry.name), stream.read() if stream else b""
    except (tarfile.TarError, EOFError, OSError, zlib.error) as error:
        raise BrokenArchiveError(f"the archive of run {run_id} cannot be read: {error}") from None


def _inside(folder: StateFolder, run_id: str, name: str) -> Path:
    path = PurePosixPath(name)
    for place, pattern in _places(folder, run_id):
        if os.fspath(folder.root / path.parent) == os.fspath(place) and path.match(pattern) and ".." not in path.parts:
            return place / path.name
    raise BrokenArchiveError(f"an archive of run {run_id} holds {name[:200]!r}")
