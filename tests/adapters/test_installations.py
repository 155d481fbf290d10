"""What a suspension does to the queue, in whatever order GitHub tells of it.

The tests for PostgreSQL are these, with another `database` (tests/system/test_postgres.py).
"""

from dataclasses import replace

import pytest

from fixloop_bot.adapters.installations import Installations
from fixloop_bot.adapters.job_claims import JobClaims
from fixloop_bot.adapters.job_queue import JobQueue
from fixloop_bot.adapters.service_database import Database
from fixloop_bot.model.installation import InstallationChange, Standing
from fixloop_bot.ports.jobs import Capacity, JobKind, JobState
from tests.adapters.test_job_queue import EVENT, run

SUSPENDED = InstallationChange(installation_id=7, account="octo", standing=Standing.SUSPENDED, changed_at=100.0)
ACTIVE = replace(SUSPENDED, standing=Standing.ACTIVE, changed_at=200.0)


@pytest.fixture
def claims(database: Database) -> JobClaims:
    return JobClaims(database, "a worker", Capacity(runs=0, runs_per_repository=0))


@pytest.fixture
def queue(database: Database) -> JobQueue:
    return JobQueue(database)


@pytest.fixture
def installations(queue: JobQueue) -> Installations:
    return Installations(queue)


def test_a_suspension_cancels_what_waits_and_asks_what_runs_to_end(
    queue: JobQueue, installations: Installations, claims: JobClaims
) -> None:
    queue.submit(run("under way"))
    assert claims.claim(JobKind.RUN) is not None
    queue.submit(run("waits", branch="octo/shop:other"))
    queue.receive(EVENT)
    queue.submit(replace(run("another's"), installation_id=8, branch="big/one:x", repository="big/one"))

    assert installations.receive(SUSPENDED, "d7", "installation") == 3
    assert installations.receive(SUSPENDED, "d7", "installation") is None
    assert [queue.status(name) for name in ("waits", "e1", "another's")] == [
        JobState.CANCELLED,
        JobState.CANCELLED,
        JobState.WAITING,
    ]
    assert claims.under_way() == [("under way", 1, JobState.CANCELLED)]
    assert claims.end("under way", 1, JobState.DONE)
    assert queue.status("under way") is JobState.CANCELLED


def test_while_it_is_suspended_nothing_that_comes_for_it_is_begun(
    queue: JobQueue, installations: Installations, claims: JobClaims
) -> None:
    installations.receive(SUSPENDED, "d7", "installation")
    assert queue.submit(run("late"))
    assert queue.receive(EVENT)
    assert claims.claim(JobKind.RUN) is None
    assert claims.claim(JobKind.EVENT) is None
    assert queue.counts()["cancelled"] == 2

    assert installations.receive(ACTIVE, "d8", "installation") == 0
    assert queue.submit(run("again"))
    assert claims.claim(JobKind.RUN) is not None


def test_an_older_delivery_changes_nothing_and_what_is_deleted_stays_so(installations: Installations) -> None:
    installations.receive(ACTIVE, "d1", "installation")
    assert installations.receive(SUSPENDED, "d2", "installation") == 0
    assert installations.standing(7) is Standing.ACTIVE
    installations.receive(replace(ACTIVE, standing=Standing.DELETED, changed_at=300.0), "d3", "installation")
    installations.receive(replace(ACTIVE, changed_at=400.0), "d4", "installation")
    assert installations.standing(7) is Standing.DELETED
    assert installations.standing(8) is Standing.ACTIVE


def test_a_repository_that_is_taken_away_loses_its_jobs_alone(queue: JobQueue, installations: Installations) -> None:
    queue.submit(run("gone"))
    queue.submit(run("stays", branch="octo/other:x", repository="octo/other"))
    assert installations.receive(replace(ACTIVE, removed=("octo/shop",)), "d1", "installation_repositories") == 1
    assert [queue.status(name) for name in ("gone", "stays")] == [JobState.CANCELLED, JobState.WAITING]


def test_what_github_lists_mends_a_delivery_that_was_lost(queue: JobQueue, installations: Installations) -> None:
    queue.submit(run("waits"))
    assert installations.refresh([SUSPENDED, replace(ACTIVE, installation_id=8, account="big")]) == 1
    assert [(one.account, one.standing) for one in installations.all()] == [
        ("big", Standing.ACTIVE),
        ("octo", Standing.SUSPENDED),
    ]
