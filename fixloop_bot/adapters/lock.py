"""The worktree's lock: one writing run at a time, whatever state folder each of them uses."""

import fcntl
import json
import os
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

LOCK_NAME = "fixloop.lock"


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """Another run has the worktree; what it wrote of itself, as far as that can be read."""

    pid: int | None
    run_id: str
    since: str
    """ISO 8601, UTC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLock:
    """Proof that its holder alone may write to the worktree. The kernel frees it when the process dies."""

    git_dir: str
    run_id: str
    descriptor: int

    def release(self) -> None:
        """Let the next run in."""
        os.close(self.descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.release()


def lock_worktree(git_dir: str, *, run_id: str, since: str) -> RunLock | Held:
    """Take the lock in the worktree's own git directory, or say who has it; never waits.

    `since` is the time that others are told. Raises OSError where the git directory cannot be written.
    """
    path = Path(git_dir, LOCK_NAME)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        try:
            return _holder(os.pread(descriptor, 4096, 0))
        finally:
            os.close(descriptor)
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, json.dumps({"pid": os.getpid(), "run_id": run_id, "since": since}).encode(), 0)
    return RunLock(git_dir=git_dir, run_id=run_id, descriptor=descriptor)


def read_holder(git_dir: str) -> Held | None:
    """Return who took the lock last, who may be gone; None where nobody ever did. Takes no lock."""
    try:
        descriptor = os.open(Path(git_dir, LOCK_NAME), os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        return _holder(os.read(descriptor, 4096))
    finally:
        os.close(descriptor)


def _holder(content: bytes) -> Held:
    """Read who holds the lock; the file may be empty for a moment, or hold anything."""
    try:
        told = json.loads(content)
    except ValueError:
        told = None
    if not isinstance(told, dict):
        return Held(pid=None, run_id="", since="")
    pid = told.get("pid")
    return Held(
        pid=pid if isinstance(pid, int) else None, run_id=str(told.get("run_id", "")), since=str(told.get("since", ""))
    )
