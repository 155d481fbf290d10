"""When sweeps were last begun, in the service's database: of all workers one begins each."""

from collections.abc import Callable
from typing import Final

from sqlalchemy import Connection, text

from fixloop_bot.adapters.job_queue import SWEEP_URGENCY, JobQueue
from fixloop_bot.core.schedule import Due, turn
from fixloop_bot.ports.jobs import JobOrder

SCHEDULE: Final = "schedule-"
"""With the time behind it, this stands for the delivery in the jobs that the clock asks for."""

_BUSY: Final = text("""
    SELECT 1 FROM jobs
    WHERE urgency = :sweeps AND delivery_id LIKE :schedule AND state IN ('waiting', 'running') LIMIT 1
""")
_SEEN: Final = text("""
    INSERT INTO sweep_turns VALUES (:cron, :seen) ON CONFLICT (cron) DO UPDATE SET seen = excluded.seen
""")


class SweepTurns:
    """Of one service; any thread may use it."""

    def __init__(self, queue: JobQueue) -> None:
        """Work in the database of the queue that the sweeps' jobs go to."""
        self._queue = queue
        self._database = queue.database

    def take(self, cron: str, to_order: Callable[[float], JobOrder]) -> JobOrder | None:
        """Begin a sweep where one is due: keep its job, and that its time is done with, both or neither.

        `to_order` gets the time in whose name it begins, in seconds since the epoch. None: nothing is due, another
        worker was quicker, or the sweep before is still at work.
        """

        def work(connection: Connection) -> JobOrder | None:
            sql = text("SELECT seen FROM sweep_turns WHERE cron = :cron")
            seen = connection.execute(sql, {"cron": cron}).scalar()
            busy = connection.execute(_BUSY, {"sweeps": SWEEP_URGENCY, "schedule": f"{SCHEDULE}%"}).first() is not None
            found = turn(cron, seen, self._database.now(connection), busy=busy)
            at = found.at if isinstance(found, Due) else found.seen
            if at != seen:
                connection.execute(_SEEN, {"cron": cron, "seen": at})
            if not isinstance(found, Due):
                return None
            order = to_order(found.at)
            known = connection.execute(text("SELECT 1 FROM jobs WHERE job_id = :id"), {"id": order.job_id}).first()
            if known is not None:
                return None
            self._queue.insert(connection, order)
            return order

        return self._database.write(work)
