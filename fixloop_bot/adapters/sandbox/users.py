"""A user of their own for the commands of each run, so that no two runs can reach each other's processes and files."""

import fcntl
import os
from pathlib import Path

from fixloop_bot.adapters.sandbox.registry import COUNT, FIRST_UID, FOLDER, is_sandbox_user, private_folder


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
    for uid in range(FIRST_UID, FIRST_UID + COUNT):
        if not is_sandbox_user(uid):
            continue
        descriptor = os.open(folder / f"{uid}.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
        else:
            return SandboxUser(uid, descriptor)
    raise NoUserLeftError(f"all {COUNT} sandbox users are taken")
