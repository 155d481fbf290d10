"""`Jobs` in the service's database: what comes in, and what is asked about it."""

import hashlib
from collections.abc import Mapping
from typing import Final

from sqlalchemy import Connection, text

from fixloop_bot.adapters.service_database import PATIENCE_S, Database
from fixloop_bot.ports.jobs import SWEEP_ALL, SWEEP_ONE, JobKind, JobOrder, JobState, OpenRun

COLUMNS: Final = "job_id, kind, repository, branch, head, installation_id, delivery_id, event, body"

_COMMANDS: Final = ("issue_comment", "check_run")
"""Events that a person waits for: a stop must not stand behind a burst of others."""

SWEEP_URGENCY: Final = 3
"""Of events that look over a whole repository: they take long, and nobody waits for them."""
_SHOWN_PATIENCE_S: Final = 5.0
"""A person waits for the answer."""

_INSERT: Final = text(f"""
    INSERT INTO jobs ({COLUMNS}, urgency, state, created_at)
    VALUES (:job_id, :kind, :repository, :branch, :head, :installation_id, :delivery_id, :event, :body, :urgency,
        :state, :now)
""")  # noqa: S608 - only the constant above

_INACTIVE: Final = text("SELECT 1 FROM installations WHERE installation_id = :id AND standing <> 'active'")
"""What comes for a suspended or deleted installation, as what was under way meanwhile, is kept and not begun."""

_IS_STOP: Final = text("UPDATE jobs SET branch = :branch WHERE job_id = :event AND kind = 'event'")
"""A stop is the one event that names a branch."""

_STOPPED: Final = text("""
    SELECT 1 FROM jobs AS stop, jobs AS asked
    WHERE stop.kind = 'event' AND stop.branch = :branch AND asked.job_id = :event AND stop.number > asked.number
""")

_BEFORE_STOP: Final = """
    kind = 'run' AND branch = :branch AND NOT EXISTS (
        SELECT 1 FROM jobs AS stop, jobs AS asked
        WHERE stop.job_id = :event AND asked.number > stop.number AND asked.kind = 'event'
        AND substr(jobs.job_id, 1, length(asked.job_id) + 1) = asked.job_id || '-'
    )
"""
"""Runs of a branch, but not those that an event after the stop has asked for: a job's id begins with its event's."""

Row = tuple[str, str, str, str, str, int, str, str, bytes]


class JobQueue:
    """See `ports.jobs.Jobs`; any thread may use it."""

    def __init__(self, database: Database) -> None:
        """Work in an open database."""
        self.database = database

    def receive(self, order: JobOrder, *, patience: float = PATIENCE_S) -> bool:
        """Keep a delivery and its job, both or neither; False: it, or its payload, was received before."""

        def work(connection: Connection) -> bool:
            if not self.first(connection, order.delivery_id, order.event):
                return False
            digest = hashlib.sha256(order.body).hexdigest()
            told = {"hash": digest, "delivery": order.delivery_id}
            sql = "INSERT INTO payloads VALUES (:hash, :delivery) ON CONFLICT DO NOTHING"
            if connection.execute(text(sql), told).rowcount != 1:
                return False  # the id is in no signature: the same signed bytes under another one are a replay
            self.insert(connection, order)
            return True

        return self.database.write(work, patience=patience)

    def note_delivery(self, delivery_id: str, event: str, *, patience: float = PATIENCE_S) -> bool:
        """Keep a delivery that asks for nothing; False: it was received before."""
        return self.database.write(lambda connection: self.first(connection, delivery_id, event), patience=patience)

    def submit(self, order: JobOrder, *, asked_by: str = "") -> bool:
        """See `Jobs`."""

        def work(connection: Connection) -> bool:
            known = connection.execute(text("SELECT 1 FROM jobs WHERE job_id = :id"), {"id": order.job_id}).first()
            stopped = connection.execute(_STOPPED, {"branch": order.branch, "event": asked_by}).first()
            if known is not None or (order.kind is JobKind.RUN and stopped is not None):
                return False
            if order.kind is JobKind.RUN:
                _supersede(connection, order)
            self.insert(connection, order)
            return True

        return self.database.write(work)

    def cancel(self, job_id: str) -> bool:
        """See `Jobs`."""
        return self.database.write(lambda connection: end_jobs(connection, "job_id = :id", {"id": job_id})) == 1

    def cancel_branch(self, branch: str, *, asked_by: str = "") -> int:
        """Cancel the runs of a branch, waiting or under way, and those that events before this one ask for later.

        Those of events after it stay: who dies over a stop has it judged again. Returns how many waited or were under
        way. `asked_by` is the job of the event that asks for it; none: somebody asks who is no event, and means all.
        """

        def work(connection: Connection) -> int:
            given = {"branch": branch, "event": asked_by}
            connection.execute(_IS_STOP, given)
            return end_jobs(connection, _BEFORE_STOP, given)

        return self.database.write(work)

    def status(self, job_id: str) -> JobState | None:
        """See `Jobs`."""
        sql = text("SELECT state FROM jobs WHERE job_id = :id")
        found = self.database.read(lambda connection: connection.execute(sql, {"id": job_id}).scalar())
        return JobState(found) if found else None

    def open_runs(self) -> tuple[OpenRun, ...]:
        """Return the runs that wait or are worked on, the oldest first."""
        which = "kind = 'run' AND state IN ('waiting', 'running')"
        sql = text(f"SELECT job_id, branch, state FROM jobs WHERE {which} ORDER BY number")  # noqa: S608 - as above
        found = self.database.read(lambda connection: connection.execute(sql).all(), patience=_SHOWN_PATIENCE_S)
        return tuple(OpenRun(job_id=job, branch=branch, running=state == "running") for job, branch, state in found)

    def order(self, job_id: str) -> JobOrder | None:
        """Return a job as it was submitted; one that has ended has lost its body."""
        sql = text(f"SELECT {COLUMNS} FROM jobs WHERE job_id = :id")  # noqa: S608 - only the constant above
        found = self.database.read(lambda connection: connection.execute(sql, {"id": job_id}).first())
        return to_order(tuple(found)) if found else None

    def counts(self, *, patience: float = PATIENCE_S) -> Mapping[str, int]:
        """Return how many jobs stand in each state."""
        sql = text("SELECT state, COUNT(*) FROM jobs GROUP BY state")
        found = self.database.read(lambda connection: connection.execute(sql).all(), patience=patience)
        return {state.value: 0 for state in JobState} | {str(state): int(count) for state, count in found}

    def first(self, connection: Connection, delivery_id: str, event: str) -> bool:
        """Keep a delivery's id in an open transaction; False: it was received before."""
        sql = text("INSERT INTO deliveries VALUES (:id, :event, :at) ON CONFLICT DO NOTHING")
        told = {"id": delivery_id, "event": event, "at": self.database.clock.iso()}
        return connection.execute(sql, told).rowcount == 1

    def insert(self, connection: Connection, order: JobOrder) -> None:
        """Keep a job in an open transaction, whose id must be a new one."""
        given = {name: getattr(order, name) for name in COLUMNS.split(", ")} | {"kind": str(order.kind)}
        given |= {"urgency": _urgency(order)}
        given |= {"state": str(JobState.WAITING), "now": self.database.now(connection)}
        if connection.execute(_INACTIVE, {"id": order.installation_id}).first() is not None:
            given |= {"state": str(JobState.CANCELLED), "body": b""}
        connection.execute(_INSERT, given)


def _urgency(order: JobOrder) -> int:
    if order.kind is JobKind.RUN:
        return 2
    return SWEEP_URGENCY if order.event in (SWEEP_ALL, SWEEP_ONE) else int(order.event not in _COMMANDS)


def _supersede(connection: Connection, order: JobOrder) -> None:
    """Let the runs of the branch give way, but not one under way that begins where this one does."""
    given = {"branch": order.branch, "head": order.head}
    waiting = "kind = 'run' AND branch = :branch AND state = 'waiting' AND claim = 0"
    end_jobs(connection, waiting, given, JobState.SUPERSEDED)
    end_jobs(connection, "kind = 'run' AND branch = :branch AND head <> :head", given, JobState.SUPERSEDED)


def end_jobs(
    connection: Connection, where: str, given: Mapping[str, object], state: JobState = JobState.CANCELLED
) -> int:
    """End jobs that nobody has begun, and ask for the end of those begun: they have something to tell and to undo.

    `where` is a condition on the table `jobs`, of which `given` has the parameters. Returns how many.
    """
    told = {**given, "state": str(state)}
    over = f"UPDATE jobs SET state = :state, body = :nothing WHERE {where} AND state = 'waiting' AND claim = 0"  # noqa: S608
    asked = f"UPDATE jobs SET wanted = :state WHERE {where} AND wanted = '' AND state IN ('waiting', 'running')"  # noqa: S608
    ended = connection.execute(text(over), {**told, "nothing": b""}).rowcount
    return ended + connection.execute(text(asked), told).rowcount


def to_order(row: Row) -> JobOrder:
    """Return the order in a row of `COLUMNS`."""
    job_id, kind, repository, branch, head, installation_id, delivery_id, event, body = row
    return JobOrder(
        job_id=job_id,
        kind=JobKind(kind),
        repository=repository,
        branch=branch,
        head=head,
        installation_id=installation_id,
        delivery_id=delivery_id,
        event=event,
        body=bytes(body),
    )
