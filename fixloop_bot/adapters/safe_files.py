"""Files of the worktree, opened from its root one folder at a time, no link followed anywhere.

The pull request's code may have planted links; this process often has more rights than it (see openat(2), O_NOFOLLOW).
"""

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from fixloop_bot.adapters.sandbox.registry import works_in

READ_LIMIT = 4_000_000
"""Bytes; a larger file is refused."""
PATH_LIMIT = 1_000

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class FileAccessError(Exception):
    """Why a path cannot be used, in words for the agent; `forbidden` when it reaches for what it must not have."""

    def __init__(self, message: str, *, forbidden: bool = False) -> None:
        super().__init__(message)
        self.forbidden = forbidden


@dataclass(frozen=True, slots=True)
class SafeFiles:
    """The regular files below one folder."""

    root: str
    """Absolute."""

    def normal(self, path: str) -> str:
        """Return the path without `.` and doubled slashes. Raises `FileAccessError` for one that leads out."""
        parts = [part for part in path.split("/") if part not in ("", ".")]
        if path.startswith("/") or ".." in parts:
            raise FileAccessError(f"{path[:200]!r}: use a path relative to the repository's root", forbidden=True)
        if any(part.lower() == ".git" for part in parts):
            raise FileAccessError(".git is out of reach", forbidden=True)
        if not parts or "\0" in path or len(path) > PATH_LIMIT or not _encodes(path):
            raise FileAccessError(f"{path[:200]!r} is no file name")
        return "/".join(parts)

    def read(self, path: str) -> bytes:
        """Return a regular file's bytes. Raises `FileAccessError`."""
        with self._parent(path) as (folder, name), _explained(path):
            descriptor = os.open(name, _FILE, dir_fd=folder)
            with os.fdopen(descriptor, "rb") as file:
                found = os.fstat(descriptor)
                if not stat.S_ISREG(found.st_mode):
                    raise FileAccessError(f"{path} is a folder or no regular file")
                if found.st_size > READ_LIMIT:
                    raise FileAccessError(f"{path} is too large ({found.st_size:,} bytes)")
                return file.read(READ_LIMIT)

    def replace(self, path: str, content: bytes) -> None:
        """Give an existing file new content, whole or not at all; mode and owner stay. Raises `FileAccessError`."""
        with self._parent(path) as (folder, name), _explained(path):
            found = os.stat(name, dir_fd=folder, follow_symlinks=False)
            if not stat.S_ISREG(found.st_mode):
                raise FileAccessError(f"{path} is no regular file")
            temporary = f".fixloop-{secrets.token_hex(8)}"
            try:
                self._write(folder, temporary, content, like=found)
                os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
            except OSError:
                with suppress(FileNotFoundError):
                    os.unlink(temporary, dir_fd=folder)
                raise

    def create(self, path: str, content: bytes) -> None:
        """Make a new file and the folders above it. Raises `FileAccessError`, also where something is already."""
        with self._parent(path, make=True) as (folder, name), _explained(path):
            self._write(folder, name, content, like=None)

    def remove(self, path: str) -> None:
        """Delete a file. Raises `FileAccessError`."""
        with self._parent(path) as (folder, name), _explained(path):
            os.unlink(name, dir_fd=folder)

    def _write(self, folder: int, name: str, content: bytes, *, like: os.stat_result | None) -> None:
        descriptor = os.open(name, _NEW, 0o644, dir_fd=folder)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            _own(descriptor, like or os.fstat(folder))
            if like is not None:
                os.fchmod(descriptor, stat.S_IMODE(like.st_mode) & 0o777)

    @contextmanager
    def _parent(self, path: str, *, make: bool = False) -> Iterator[tuple[int, str]]:
        """Open the folder that holds the file; give its descriptor and the file's name in it."""
        *folders, name = self.normal(path).split("/")
        with _explained(path):
            folder = os.open(self.root, _FOLDER)
        try:
            for part in folders:
                with _explained(path):
                    deeper = _enter(folder, part, make=make)
                os.close(folder)
                folder = deeper
            yield folder, name
        finally:
            os.close(folder)


def _encodes(path: str) -> bool:
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return False
    return True


def _enter(folder: int, name: str, *, make: bool) -> int:
    if make:
        with suppress(FileExistsError):
            os.mkdir(name, 0o755, dir_fd=folder)
            made = os.open(name, _FOLDER, dir_fd=folder)
            _own(made, os.fstat(folder))
            return made
    return os.open(name, _FOLDER, dir_fd=folder)


def _own(descriptor: int, like: os.stat_result) -> None:
    """Give a new file the owner of what it replaces or lies in, where this process may: the checks must reach it."""
    with suppress(PermissionError):
        os.fchown(descriptor, *works_in(like))


@contextmanager
def _explained(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EMLINK, errno.ENOTDIR):
            message = f"{path} is a symbolic link or leads through one or through a file; use the real path"
            raise FileAccessError(message, forbidden=True) from error
        raise FileAccessError(f"{path}: {os.strerror(error.errno or 0)}") from error
