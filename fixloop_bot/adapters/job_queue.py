"""`Jobs` in the SQLite database of the runs, and the deliveries that were received."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from fixloop_bot.adapters.store import open_store, transaction
from fixloop_bot.ports import Clock
from fixloop_bot.ports.jobs import JobKind, JobOrder, JobState

MAX_TRIES = 10
"""A job that its process did not survive so often is given up."""

_ORDER = "job_id, kind, repository, branch, installation_id, delivery_id, event, body"

_NEXT = f"""
    SELECT {_ORDER} FROM jobs AS job
    WHERE state = 'waiting' AND (kind = 'event' OR NOT EXISTS (
        SELECT 1 FROM jobs AS other WHERE other.state = 'running' AND other.branch = job.branch))
    ORDER BY kind = 'run',
        (SELECT COUNT(*) FROM jobs AS other
            WHERE other.state = 'running' AND other.kind = 'run' AND other.repository = job.repository),
        number
    LIMIT 1
"""  # noqa: S608 - only the constant above
"""Events first, as a stop must not wait; then the repository that has the fewest runs under way."""


class JobQueue:
    """See `ports.jobs.Jobs`; one connection, for one thread."""

    def __init__(self, connection: sqlite3.Connection, clock: Clock) -> None:
        """Take over an open connection to a migrated database."""
        self._connection = connection
        self._clock = clock

    def receive(self, order: JobOrder) -> bool:
        """Keep a delivery and its job, both or neither; False: the delivery was received before."""
        with transaction(self._connection):
            return self._first(order) and self._insert(order)

    def note_delivery(self, delivery_id: str, event: str) -> bool:
        """Keep a delivery that asks for nothing; False: it was received before."""
        with transaction(self._connection):
            return self._note(delivery_id, event)

    def submit(self, order: JobOrder) -> bool:
        """See `Jobs`."""
        with transaction(self._connection):
            if self.status(order.job_id) is not None:
                return False
            if order.kind is JobKind.RUN:
                self._leave_waiting(order.branch, JobState.SUPERSEDED)
            return self._insert(order)

    def cancel(self, job_id: str) -> bool:
        """See `Jobs`."""
        sql = "UPDATE jobs SET state = 'cancelled' WHERE job_id = ? AND state = 'waiting'"
        return self._connection.execute(sql, (job_id,)).rowcount == 1

    def cancel_branch(self, branch: str) -> int:
        """Take the waiting runs of a branch out of the queue; return how many."""
        return self._leave_waiting(branch, JobState.CANCELLED)

    def status(self, job_id: str) -> JobState | None:
        """See `Jobs`."""
        found = self._connection.execute("SELECT state FROM jobs WHERE job_id = ?", (job_id,)).fetchone()
        return JobState(found[0]) if found else None

    def order(self, job_id: str) -> JobOrder | None:
        """Return a job as it was submitted."""
        sql = f"SELECT {_ORDER} FROM jobs WHERE job_id = ?"  # noqa: S608 - only the constant above
        found = self._connection.execute(sql, (job_id,)).fetchone()
        return _to_order(found) if found else None

    def claim(self) -> JobOrder | None:
        """Return the next job, running from now on; None where none may start."""
        with transaction(self._connection):
            found = self._connection.execute(_NEXT).fetchone()
            if found is None:
                return None
            sql = "UPDATE jobs SET state = 'running', tries = tries + 1 WHERE job_id = ?"
            self._connection.execute(sql, (found[0],))
            return _to_order(found)

    def end(self, job_id: str, state: JobState) -> None:
        """Write down how a running job ended, and forget its payload."""
        self._connection.execute("UPDATE jobs SET state = ?, body = x'' WHERE job_id = ?", (state, job_id))

    def put_back(self, job_id: str) -> None:
        """Let a job that was suspended in good order wait for the next start."""
        self._connection.execute("UPDATE jobs SET state = 'waiting' WHERE job_id = ?", (job_id,))

    def recover(self) -> int:
        """Let the jobs of a service that died wait again; return how many. Only for who holds the service's lock."""
        with transaction(self._connection):
            given_up = "UPDATE jobs SET state = 'failed', body = x'' WHERE state = 'running' AND tries >= ?"
            self._connection.execute(given_up, (MAX_TRIES,))
            return self._connection.execute("UPDATE jobs SET state = 'waiting' WHERE state = 'running'").rowcount

    def counts(self) -> Mapping[str, int]:
        """Return how many jobs stand in each state."""
        found = self._connection.execute("SELECT state, COUNT(*) FROM jobs GROUP BY state").fetchall()
        return {state.value: 0 for state in JobState} | {str(state): int(count) for state, count in found}

    def _first(self, order: JobOrder) -> bool:
        return self._note(order.delivery_id, order.event)

    def _note(self, delivery_id: str, event: str) -> bool:
        sql = "INSERT OR IGNORE INTO deliveries VALUES (?, ?, ?)"
        return self._connection.execute(sql, (delivery_id, event, self._clock.iso())).rowcount == 1

    def _insert(self, order: JobOrder) -> bool:
        sql = f"INSERT INTO jobs ({_ORDER}, state, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'waiting', ?)"  # noqa: S608
        row = (order.job_id, order.kind, order.repository, order.branch, order.installation_id)
        self._connection.execute(sql, (*row, order.delivery_id, order.event, order.body, self._clock.iso()))
        return True

    def _leave_waiting(self, branch: str, state: JobState) -> int:
        sql = "UPDATE jobs SET state = ?, body = x'' WHERE kind = 'run' AND state = 'waiting' AND tries = 0"
        return self._connection.execute(f"{sql} AND branch = ?", (state, branch)).rowcount


@contextmanager
def open_queue(path: Path, clock: Clock) -> Iterator[JobQueue]:
    """Open the queue in the database, which is brought to the newest schema. Raises `StoreError`."""
    open_store(path).close()
    connection = sqlite3.connect(path, timeout=10.0, isolation_level=None)
    try:
        yield JobQueue(connection, clock)
    finally:
        connection.close()


def _to_order(row: tuple[str, str, str, str, int, str, str, bytes]) -> JobOrder:
    job_id, kind, repository, branch, installation_id, delivery_id, event, body = row
    return JobOrder(
        job_id=job_id,
        kind=JobKind(kind),
        repository=repository,
        branch=branch,
        installation_id=installation_id,
        delivery_id=delivery_id,
        event=event,
        body=body,
    )
