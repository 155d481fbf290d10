"""A user of their own for the commands of each run, so that no two runs can reach each other's processes and files."""

import fcntl
import os
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from zlib import crc32

from fixloop_bot.adapters.sandbox.registry import (
    COUNT,
    FIRST_UID,
    FOLDER,
    account_number,
    is_sandbox_user,
    private_folder,
)


class NoUserLeftError(OSError):
    """Every user of the range is taken."""


class SandboxUser:
    """A user number that nobody else has until it is given up, or every process with its descriptor is gone."""

    def __init__(self, uid: int, descriptor: int) -> None:
        self.uid = uid
        self.descriptor = descriptor
        """Of the lock (flock(2)); handed on to the guardian, so that the number stays taken until it is done."""

    def give_up(self) -> None:
        """Let the number go."""
        os.close(self.descriptor)


def take_user(root: Path = FOLDER) -> SandboxUser:
    """Take the first free number. Raises `NoUserLeftError`, and OSError where the registry cannot be written."""
    folder = private_folder("users", root)
    for uid in _in_turn(folder):
        descriptor = os.open(folder / f"{uid}.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
        else:
            return SandboxUser(uid, descriptor)
    raise NoUserLeftError(f"all {COUNT} sandbox users are taken")


def _in_turn(folder: Path) -> Iterator[int]:
    """Yield the numbers in the order in which they are tried.

    That of the account first, as some programs want to find their user's name. Else not all begin with the same: to end
    a user is to end whatever runs under its number, in this machine's containers too, whose registries are their own.
    """
    start = crc32(f"{_processes_seen()} {folder.resolve()}".encode())
    turns = (FIRST_UID + (start + step) % COUNT for step in range(COUNT))
    account = account_number()
    return filter(is_sandbox_user, turns if account is None else chain([account], turns))


def _processes_seen() -> str:
    """Return which processes this one sees: those of its PID namespace (pid_namespaces(7))."""
    try:
        return os.readlink("/proc/self/ns/pid")  # noqa: PTH115 - no path: pid:[4026531836]
    except OSError:
        return ""
