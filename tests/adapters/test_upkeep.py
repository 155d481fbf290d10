"""What the service forgets, and what it must not."""

import fcntl
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from fixloop_bot.adapters.checkpoints import Checkpoints
from fixloop_bot.adapters.job_claims import JobClaims
from fixloop_bot.adapters.job_queue import JobQueue
from fixloop_bot.adapters.service_database import Database
from fixloop_bot.adapters.upkeep import ARCHIVES_S, KNOWN_S, Upkeep
from fixloop_bot.ports.jobs import Capacity, JobKind, JobState
from tests.adapters.test_job_queue import EVENT, run


@pytest.fixture
def queue(database: Database) -> JobQueue:
    return JobQueue(database)


def age(database: Database, seconds: float) -> None:
    """Let everything have happened so much earlier."""
    with database.transaction() as connection:
        connection.execute(text("UPDATE jobs SET created_at = created_at - :by"), {"by": seconds})
        connection.execute(text("UPDATE checkpoints SET saved_at = saved_at - :by"), {"by": seconds})


def test_what_has_ended_long_ago_is_forgotten_and_what_is_open_never(queue: JobQueue, tmp_path: Path) -> None:
    database, upkeep = queue.database, Upkeep(queue, tmp_path)
    claims, kept = JobClaims(database, "worker", Capacity()), Checkpoints(database)
    assert queue.receive(EVENT)
    for name in ("ended", "open"):
        queue.submit(replace(run(name, branch=name), delivery_id=name))
    while claims.claim(JobKind.RUN) or claims.claim(JobKind.EVENT):
        continue
    assert kept.save("ended", 1, b"x")
    assert kept.save("open", 1, b"x")
    assert claims.end("ended", 1, JobState.DONE)
    assert claims.end("e1", 1, JobState.DONE)
    assert upkeep.forget() == 0
    age(database, ARCHIVES_S + 1)
    assert upkeep.forget() == 1
    assert kept.load("ended") is None
    assert not queue.receive(replace(EVENT, job_id="again"))
    age(database, KNOWN_S)
    assert upkeep.forget() == 4
    assert queue.status("ended") is None
    assert queue.status("open") is JobState.RUNNING
    assert kept.load("open") is not None
    assert queue.receive(replace(EVENT, job_id="again"))


def test_clones_of_jobs_that_ended_go_but_not_one_in_which_a_process_works(queue: JobQueue, tmp_path: Path) -> None:
    queue.submit(run("open"))
    for name in ("open", "ended", "worked-in"):
        (tmp_path / name / "clone").mkdir(parents=True)
    with (tmp_path / "worked-in" / "job.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert Upkeep(queue, tmp_path).clear() == 1
    assert sorted(path.name for path in tmp_path.iterdir() if (path / "clone").exists()) == ["open", "worked-in"]
