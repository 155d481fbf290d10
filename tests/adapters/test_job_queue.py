"""The service's queue: kept once, one run a branch, the newest request counts, every repository gets its turn."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.adapters.job_queue import MAX_TRIES, JobQueue, open_queue
from fixloop_bot.ports.jobs import JobKind, JobOrder, JobState

EVENT = JobOrder(
    job_id="e1",
    kind=JobKind.EVENT,
    repository="octo/shop",
    installation_id=7,
    delivery_id="d1",
    event="pull_request",
    body=b"{}",
)


def run(job_id: str, branch: str = "octo/shop:feature", repository: str = "octo/shop") -> JobOrder:
    return replace(EVENT, job_id=job_id, kind=JobKind.RUN, branch=branch, repository=repository)


@pytest.fixture
def queue(tmp_path: Path) -> Iterator[JobQueue]:
    with open_queue(tmp_path / "run-state.db", SystemClock()) as opened:
        yield opened


def claimed(queue: JobQueue) -> str | None:
    order = queue.claim()
    return order.job_id if order else None


def test_a_delivery_is_kept_once(queue: JobQueue) -> None:
    assert queue.receive(EVENT)
    assert not queue.receive(replace(EVENT, job_id="e2"))
    assert not queue.note_delivery("d1", "pull_request")
    assert queue.status("e2") is None
    assert queue.claim() == EVENT


def test_one_run_at_a_time_works_on_a_branch_and_the_newest_request_waits(queue: JobQueue) -> None:
    assert queue.submit(run("a"))
    assert claimed(queue) == "a"
    for name in ("b", "c"):
        assert queue.submit(run(name))
    assert claimed(queue) is None
    assert queue.status("b") is JobState.SUPERSEDED
    queue.end("a", JobState.DONE)
    assert claimed(queue) == "c"


def test_the_same_job_again_changes_nothing(queue: JobQueue) -> None:
    assert queue.submit(run("a"))
    assert not queue.submit(run("a"))
    assert queue.status("a") is JobState.WAITING


def test_events_go_first_and_then_the_repository_with_the_fewest_runs(queue: JobQueue) -> None:
    for name in ("a", "b"):
        queue.submit(run(name, branch=name))
    queue.submit(run("other", branch="o", repository="octo/other"))
    queue.submit(EVENT)
    assert [claimed(queue) for _ in range(5)] == ["e1", "a", "other", "b", None]


def test_what_ran_when_the_service_died_waits_again_until_it_is_given_up(queue: JobQueue) -> None:
    queue.submit(run("a"))
    for _ in range(MAX_TRIES - 1):
        assert claimed(queue) == "a"
        assert queue.recover() == 1
    assert claimed(queue) == "a"
    assert queue.recover() == 0
    assert queue.status("a") is JobState.FAILED


def test_a_run_that_began_is_gone_on_with_and_not_superseded(queue: JobQueue) -> None:
    queue.submit(run("a"))
    assert claimed(queue) == "a"
    queue.put_back("a")
    queue.submit(run("b"))
    assert claimed(queue) == "a"


def test_only_what_waits_can_be_cancelled(queue: JobQueue) -> None:
    queue.submit(run("a"))
    assert queue.cancel("a")
    assert not queue.cancel("a")
    assert claimed(queue) is None
    assert queue.counts()["cancelled"] == 1
