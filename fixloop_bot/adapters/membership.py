"""One worker among the others: it shows that it lives, and sees who does not any more."""

import os
import secrets
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Final

from sqlalchemy import Connection, text

from fixloop_bot.adapters.service_database import Database
from fixloop_bot.adapters.worker_lock import WorkerLock

_OTHERS: Final = text(
    "SELECT worker FROM workers WHERE worker <> :own"
    " UNION SELECT worker FROM jobs WHERE state = 'running' AND worker <> :own"
)
FENCE_S: Final = 3.0
"""A worker that could not make sure of its lock for so long suspends its runs, before others take them over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSeen:
    """A worker as the database knows it."""

    worker: str
    started_at: float
    seen_at: float
    """Seconds since the epoch."""


class Membership:
    """Of one worker."""

    def __init__(self, database: Database, lock: WorkerLock, worker: str) -> None:
        """Use the worker's own lock among those of all."""
        self.worker = worker
        self._database = database
        self._lock = lock
        self._held_at = database.clock.monotonic()
        self._beating = Lock()
        self._free_since: dict[str, float] = {}

    def beat(self) -> bool:
        """Say that this worker lives; False: it cannot be sure that others believe it, and must let go of its runs."""
        if self._beating.acquire(blocking=False):  # else an earlier beat still waits for the database
            try:
                now = self._database.clock.monotonic()
                if self._lock.hold(self.worker):
                    self._database.write(self._seen, patience=1.0)
                    self._held_at = now
            finally:
                self._beating.release()
        return self.sure

    @property
    def sure(self) -> bool:
        """Return whether the lock was held a moment ago."""
        return self._database.clock.monotonic() - self._held_at < FENCE_S

    def gone(self) -> Sequence[str]:
        """Return the workers that have died: their locks have been free for as long as a living one may need."""
        now = self._database.clock.monotonic()
        others = self._database.read(
            lambda connection: connection.execute(_OTHERS, {"own": self.worker}).scalars().all()
        )
        free = [worker for worker in others if self._lock.is_free(worker)]
        self._free_since = {worker: self._free_since.get(worker, now) for worker in free}
        return [worker for worker, since in self._free_since.items() if now - since >= self._lock.grace]

    def all(self) -> Sequence[WorkerSeen]:
        """Return all workers that have not been found gone."""
        sql = text("SELECT worker, started_at, seen_at FROM workers ORDER BY started_at, worker")
        found = self._database.read(lambda connection: connection.execute(sql).all())
        return [WorkerSeen(worker=worker, started_at=start, seen_at=seen) for worker, start, seen in found]

    def leave(self) -> None:
        """Strike this worker off, and free its lock."""
        sql = text("DELETE FROM workers WHERE worker = :worker")
        self._database.write(lambda connection: connection.execute(sql, {"worker": self.worker}), patience=2.0)
        self._lock.release()

    def _seen(self, connection: Connection) -> None:
        sql = text("INSERT INTO workers VALUES (:worker, :now, :now) ON CONFLICT (worker) DO UPDATE SET seen_at = :now")
        connection.execute(sql, {"worker": self.worker, "now": self._database.now(connection)})


def new_worker_name() -> str:
    """Return a name that tells a person where the worker is, and no other worker ever has."""
    host = "".join(letter for letter in socket.gethostname()[:40] if letter.isalnum() or letter in "-_") or "host"
    return f"{host}-{os.getpid()}-{secrets.token_hex(4)}"
