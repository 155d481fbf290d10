"""A worker's side of the queue: which job is next, who has it, and how it ends."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, text

from fixloop_bot.adapters.job_queue import COLUMNS, SWEEP_URGENCY, to_order
from fixloop_bot.adapters.service_database import Database
from fixloop_bot.ports.jobs import Capacity, ClaimedJob, JobKind, JobState

MAX_DEATHS: Final = 10
"""A job whose workers died so often, with no attempt finished between, is given up: it may be what kills them."""

SOON_S: Final = 30.0
"""Seconds until a job that found GitHub away is begun again; doubled each time, up to `LATEST_S`."""
LATEST_S: Final = 900.0

_DUE: Final = "(not_before <= :now OR wanted <> '')"
_UNDER_WAY: Final = "other.state = 'running' AND other.kind = 'run'"

_NEXT: Final = {
    JobKind.EVENT: text(f"""
        SELECT {COLUMNS}, claim, wanted FROM jobs AS job WHERE state = 'waiting' AND kind = 'event' AND {_DUE}
            AND (urgency < {SWEEP_URGENCY} OR NOT EXISTS (SELECT 1 FROM jobs AS other
                WHERE other.state = 'running' AND other.urgency = {SWEEP_URGENCY} AND other.worker = :worker))
        ORDER BY urgency,
            (SELECT COALESCE(MAX(other.claimed_at), 0) FROM jobs AS other
                WHERE other.kind = 'event' AND other.repository = job.repository),
            number
        LIMIT 1
    """),  # noqa: S608 - only constants
    JobKind.RUN: text(f"""
        SELECT {COLUMNS}, claim, wanted FROM jobs AS job WHERE state = 'waiting' AND kind = 'run' AND {_DUE}
            AND NOT EXISTS (SELECT 1 FROM jobs AS other WHERE {_UNDER_WAY} AND other.branch = job.branch)
            AND (:runs = 0 OR :runs > (SELECT COUNT(*) FROM jobs AS other WHERE {_UNDER_WAY}))
            AND (:each = 0 OR :each > (
                SELECT COUNT(*) FROM jobs AS other WHERE {_UNDER_WAY} AND other.repository = job.repository))
        ORDER BY CASE WHEN claim > 0 THEN 0 ELSE 1 END,
            (SELECT COUNT(*) FROM jobs AS other WHERE {_UNDER_WAY} AND other.repository = job.repository),
            (SELECT COALESCE(MAX(other.claimed_at), 0) FROM jobs AS other
                WHERE other.kind = 'run' AND other.repository = job.repository),
            number
        LIMIT 1
    """),  # noqa: S608 - only constants
}
"""Of events, the repository comes first that was served longest ago, so that nobody can flood the others out, and a
worker judges one sweep at a time, so that no stop waits for two. Of runs, what was begun goes on first; then comes the
repository with the fewest runs under way, and of these the one that was served longest ago."""

_WAITS: Final = text(f"SELECT 1 FROM jobs WHERE state = 'waiting' AND kind = :kind AND {_DUE} LIMIT 1")  # noqa: S608
_CLAIM: Final = text("""
    UPDATE jobs SET state = 'running', worker = :worker, claim = claim + 1, claimed_at = :now, progressed_at = :now
    WHERE job_id = :id
""")
_MINE: Final = "job_id = :id AND claim = :claim AND state = 'running'"


class JobClaims:
    """What one worker has begun; any thread may use it."""

    def __init__(self, database: Database, worker: str, capacity: Capacity) -> None:
        """Claim for the worker of this name."""
        self.database = database
        self.worker = worker
        self._capacity = capacity

    def claim(self, kind: JobKind) -> ClaimedJob | None:
        """Return the next job of a kind, running from now on; None where none may start."""

        def work(connection: Connection) -> ClaimedJob | None:
            bounds = {"runs": self._capacity.runs, "each": self._capacity.runs_per_repository}
            now = self.database.now(connection)
            given = bounds if kind is JobKind.RUN else {"worker": self.worker}
            found = connection.execute(_NEXT[kind], {**given, "now": now}).first()
            if found is None:
                return None
            *row, claim, wanted = found
            connection.execute(_CLAIM, {"worker": self.worker, "id": row[0], "now": now})
            return ClaimedJob(order=to_order(tuple(row)), claim=claim + 1, wanted=JobState(wanted) if wanted else None)

        # Most looks find nothing; those must not take the lock, which all workers share.
        return self.database.write(work) if self.database.read(lambda one: self._waits(one, kind)) else None

    def _waits(self, connection: Connection, kind: JobKind) -> bool:
        given = {"kind": str(kind), "now": self.database.now(connection)}
        return connection.execute(_WAITS, given).first() is not None

    def claimed(self, job_id: str, claim: int) -> ClaimedJob | None:
        """Return the job that is claimed so; None: somebody else has it by now."""
        sql = text(f"SELECT {COLUMNS}, wanted FROM jobs WHERE {_MINE}")  # noqa: S608
        given = {"id": job_id, "claim": claim}
        found = self.database.read(lambda connection: connection.execute(sql, given).first())
        if found is None:
            return None
        *row, wanted = found
        return ClaimedJob(order=to_order(tuple(row)), claim=claim, wanted=JobState(wanted) if wanted else None)

    def end(self, job_id: str, claim: int, state: JobState) -> bool:
        """Write down how a job ended, and forget its payload; False: somebody else has it by now."""
        sql = (
            f"UPDATE jobs SET state = CASE WHEN wanted = '' THEN :state ELSE wanted END, body = :nothing WHERE {_MINE}"  # noqa: S608
        )
        return self._once(sql, {"id": job_id, "claim": claim, "state": str(state), "nothing": b""})

    def put_back(self, job_id: str, claim: int) -> bool:
        """Let a job that was suspended in good order wait for the next worker; False: somebody else has it by now."""
        return self._once(f"UPDATE jobs SET state = 'waiting' WHERE {_MINE}", {"id": job_id, "claim": claim})  # noqa: S608

    def died(self, job_id: str, claim: int) -> bool:
        """Let a job whose process was killed wait again, as `take_over` does; False: somebody else has it by now."""
        return self._again(job_id, claim, delay=0.0)

    def later(self, job_id: str, claim: int) -> bool:
        """Let a job that something outside has kept from its end wait a while; False: somebody else has it by now."""
        return self._again(job_id, claim, delay=min(LATEST_S, SOON_S * 2 ** min(claim - 1, 10)))

    def _again(self, job_id: str, claim: int, *, delay: float) -> bool:
        hopeless = f"UPDATE jobs SET wanted = 'failed' WHERE {_MINE} AND deaths >= :most AND wanted = ''"  # noqa: S608
        again = f"UPDATE jobs SET state = 'waiting', deaths = deaths + 1, not_before = :at WHERE {_MINE}"  # noqa: S608

        def work(connection: Connection) -> bool:
            at = self.database.now(connection) + delay
            given = {"id": job_id, "claim": claim, "most": MAX_DEATHS, "at": at}
            connection.execute(text(hopeless), given)
            return connection.execute(text(again), given).rowcount == 1

        return self.database.write(work)

    def holds(self, job_id: str, claim: int) -> bool:
        """Return whether the claim still stands."""
        sql = text(f"SELECT 1 FROM jobs WHERE {_MINE}")  # noqa: S608
        given = {"id": job_id, "claim": claim}
        return self.database.read(lambda connection: connection.execute(sql, given).first()) is not None

    def progressed(self, job_id: str, claim: int, *, further: bool = False) -> bool:
        """Note that a job's run has moved; False: somebody else has it by now.

        `further`: an attempt is finished that was not before, so that deaths count anew.
        """

        def work(connection: Connection) -> bool:
            deaths = "0" if further else "deaths"
            sql = text(f"UPDATE jobs SET progressed_at = :now, deaths = {deaths} WHERE {_MINE}")  # noqa: S608
            told = {"id": job_id, "claim": claim, "now": self.database.now(connection)}
            return connection.execute(sql, told).rowcount == 1

        return self.database.write(work)

    def under_way(self) -> Sequence[tuple[str, int, JobState | None]]:
        """Return id, claim and wanted end of the jobs that the database says this worker has."""
        sql = text("SELECT job_id, claim, wanted FROM jobs WHERE state = 'running' AND worker = :worker")
        found = self.database.read(lambda connection: connection.execute(sql, {"worker": self.worker}).all())
        return [(job_id, claim, JobState(wanted) if wanted else None) for job_id, claim, wanted in found]

    def stalled(self, seconds: float) -> Sequence[str]:
        """Return the running jobs, of whichever worker, that have not moved for so long."""
        sql = text("SELECT job_id FROM jobs WHERE state = 'running' AND progressed_at < :limit ORDER BY number")

        def work(connection: Connection) -> Sequence[str]:
            return connection.execute(sql, {"limit": self.database.now(connection) - seconds}).scalars().all()

        return self.database.read(work)

    def take_over(self, worker: str) -> int:
        """Let the jobs of a worker that is gone wait again; return how many. Only for who holds that worker's lock."""

        def work(connection: Connection) -> int:
            given = {"worker": worker, "most": MAX_DEATHS}
            hopeless = (
                "UPDATE jobs SET wanted = 'failed' WHERE state = 'running' AND worker = :worker AND deaths >= :most"
            )
            connection.execute(text(hopeless), given)
            again = (
                "UPDATE jobs SET state = 'waiting', deaths = deaths + 1 WHERE state = 'running' AND worker = :worker"
            )
            moved = connection.execute(text(again), given).rowcount
            connection.execute(text("DELETE FROM workers WHERE worker = :worker"), given)
            return moved

        return self.database.write(work)

    def _once(self, sql: str, given: dict[str, object]) -> bool:
        return self.database.write(lambda connection: connection.execute(text(sql), given).rowcount == 1)
