"""Sweeps begun by the clock, as several workers see it.

The tests for PostgreSQL are these, with another `database` (tests/system/test_postgres.py).
"""

from threading import Barrier, Thread

import pytest
from sqlalchemy import text

from fixloop_bot.adapters.job_claims import JobClaims
from fixloop_bot.adapters.job_queue import JobQueue
from fixloop_bot.adapters.service_database import Database
from fixloop_bot.adapters.sweep_turns import SweepTurns
from fixloop_bot.entrypoints.service_schedule import sweep_order
from fixloop_bot.ports.jobs import Capacity, JobKind, JobOrder, JobState

MINUTELY = "* * * * *"


@pytest.fixture
def queue(database: Database) -> JobQueue:
    return JobQueue(database)


def seen_long_ago(database: Database, cron: str = MINUTELY) -> None:
    """Let the line have been looked at in 1970, and never since."""
    sql = text("INSERT INTO sweep_turns VALUES (:cron, 0)")
    database.write(lambda connection: connection.execute(sql, {"cron": cron}))


def test_a_new_line_begins_nothing(queue: JobQueue) -> None:
    assert SweepTurns(queue).take("0 0 1 1 *", sweep_order) is None
    assert SweepTurns(queue).take("0 0 1 1 *", sweep_order) is None


def test_of_workers_that_look_at_once_one_begins(queue: JobQueue, database: Database) -> None:
    seen_long_ago(database)
    begun, together = list[JobOrder | None](), Barrier(4)

    def look() -> None:
        together.wait()
        begun.append(SweepTurns(queue).take(MINUTELY, sweep_order))

    threads = [Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (one,) = [order for order in begun if order is not None]
    assert queue.status(one.job_id) is JobState.WAITING
    assert (len(begun), queue.counts()["waiting"]) == (4, 1)


def test_while_a_sweep_is_at_work_no_other_begins_and_one_at_a_time_is_judged(
    queue: JobQueue, database: Database
) -> None:
    for cron in (MINUTELY, "0 0 1 1 *"):
        seen_long_ago(database, cron)
    claims = JobClaims(database, "a worker", Capacity(runs=0, runs_per_repository=0))
    first = SweepTurns(queue).take(MINUTELY, sweep_order)
    assert first is not None
    job = claims.claim(JobKind.EVENT)
    assert job is not None
    assert SweepTurns(queue).take("0 0 1 1 *", sweep_order) is None
    queue.submit(sweep_order(1.0))
    assert claims.claim(JobKind.EVENT) is None, "this worker's other judge is kept for people"
    claims.end(first.job_id, job.claim, JobState.DONE)
    assert claims.claim(JobKind.EVENT) is not None
