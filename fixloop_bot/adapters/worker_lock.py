"""How a worker shows that it lives: a lock that its death frees, whatever kills it."""

import fcntl
import hashlib
import os
from pathlib import Path
from typing import Final, Protocol

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

_SPACE: Final = 0x6678
"""First key of the advisory locks of workers; the second one tells them apart."""


class WorkerLock(Protocol):
    """The locks of all workers of a service."""

    grace: float
    """Seconds that a lock must have been free before its worker counts as gone."""

    def hold(self, worker: str) -> bool:
        """Take the worker's own lock, or make sure of it; False: it cannot be had just now."""
        ...

    def is_free(self, worker: str) -> bool:
        """Return whether nobody holds the lock of a worker. Raises as the database does."""
        ...

    def release(self) -> None:
        """Free the own lock."""
        ...


class FileLock:
    """Locks of files in one folder: for workers of one machine. The kernel frees them at once."""

    grace = 0.0

    def __init__(self, folder: Path) -> None:
        """Keep them in this folder, which is made."""
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._folder = folder
        self._own: int | None = None

    def hold(self, worker: str) -> bool:
        """See `WorkerLock`."""
        if self._own is None:
            self._own = _locked(self._folder / worker, os.O_CREAT)
        return self._own is not None

    def is_free(self, worker: str) -> bool:
        """See `WorkerLock`; a file that is not there is nobody's."""
        try:
            taken = _locked(self._folder / worker, 0)
        except FileNotFoundError:
            return True
        if taken is None:
            return False
        (self._folder / worker).unlink(missing_ok=True)
        os.close(taken)
        return True

    def release(self) -> None:
        """See `WorkerLock`."""
        if self._own is not None:
            os.close(self._own)
            self._own = None


class SessionLock:
    """Advisory locks of PostgreSQL sessions. A restart of the server frees them all, so others wait a little."""

    grace = 6.0

    def __init__(self, engine: Engine) -> None:
        """Keep one connection for it."""
        self._engine = engine
        self._connection: Connection | None = None

    def hold(self, worker: str) -> bool:
        """See `WorkerLock`."""
        try:
            if self._connection is None:
                opened = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
                sql, given = text("SELECT pg_try_advisory_lock(:space, :key)"), {"space": _SPACE, "key": _key(worker)}
                if not opened.execute(sql, given).scalar_one():
                    opened.close()
                    return False
                self._connection = opened
            else:
                self._connection.execute(text("SELECT 1"))
        except DBAPIError:
            self.release()
            return False
        return True

    def is_free(self, worker: str) -> bool:
        """See `WorkerLock`. It is looked at, not taken, so that a living worker finds it free after a restart."""
        sql = text(
            "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2"
            " AND classid::bigint = :space AND objid::bigint = :key"
            " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
        )
        given = {"space": _SPACE, "key": _key(worker) & 0xFFFFFFFF}
        with self._engine.connect() as connection:
            return connection.execute(sql, given).first() is None

    def release(self) -> None:
        """See `WorkerLock`."""
        if self._connection is not None:
            connection, self._connection = self._connection, None
            connection.invalidate()
            connection.close()


def _locked(path: Path, flags: int) -> int | None:
    descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW | flags, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def _key(worker: str) -> int:
    """Return a number of 32 bits with a sign, as PostgreSQL takes it."""
    return int.from_bytes(hashlib.sha256(worker.encode()).digest()[:4], "big", signed=True)
