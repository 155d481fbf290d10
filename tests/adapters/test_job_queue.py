"""The service's queue: kept once, one run a branch, the newest request counts, every repository gets its turn.

The tests for PostgreSQL are these, with another `database` (tests/system/test_postgres.py).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from fixloop_bot.adapters.checkpoints import Checkpoints, Kept
from fixloop_bot.adapters.job_claims import MAX_DEATHS, JobClaims
from fixloop_bot.adapters.job_queue import JobQueue
from fixloop_bot.adapters.membership import Membership, new_worker_name
from fixloop_bot.adapters.service_database import Database
from fixloop_bot.adapters.service_gauge import ServiceGauge
from fixloop_bot.adapters.worker_lock import FileLock, SessionLock, WorkerLock
from fixloop_bot.ports.jobs import Capacity, JobKind, JobOrder, JobState

EVENT = JobOrder(
    job_id="e1",
    kind=JobKind.EVENT,
    repository="octo/shop",
    installation_id=7,
    delivery_id="d1",
    event="pull_request",
    body=b"{}",
)


def run(job_id: str, branch: str = "octo/shop:feature", repository: str = "octo/shop", head: str = "1") -> JobOrder:
    order = replace(EVENT, job_id=job_id, kind=JobKind.RUN, branch=branch, repository=repository)
    return replace(order, head=head, body=b"a ticket")


@dataclass
class Worker:
    """One worker, and what it has in hand."""

    claims: JobClaims
    membership: Membership
    lock: WorkerLock

    def begin(self, kind: JobKind = JobKind.RUN) -> str | None:
        job = self.claims.claim(kind)
        return job.order.job_id if job else None


ToWorker = Callable[..., Worker]


@pytest.fixture
def queue(database: Database) -> JobQueue:
    return JobQueue(database)


@pytest.fixture
def worker(database: Database, tmp_path: Path) -> Iterator[ToWorker]:
    """Return what makes workers; they let go of their locks at the end."""
    made: list[Worker] = []

    def make(**capacity: int) -> Worker:
        name = new_worker_name()
        lock = SessionLock(database.engine) if database.shared else FileLock(tmp_path / "workers")
        lock.grace = 0.0
        membership = Membership(database, lock, name)
        assert membership.beat()
        made.append(Worker(JobClaims(database, name, Capacity(**capacity)), membership, lock))
        return made[-1]

    yield make
    for one in made:
        one.lock.release()


def test_a_delivery_is_kept_once(queue: JobQueue, worker: ToWorker) -> None:
    assert queue.receive(EVENT)
    assert not queue.receive(replace(EVENT, job_id="e2"))
    assert not queue.note_delivery("d1", "pull_request")
    assert queue.status("e2") is None
    job = worker().claims.claim(JobKind.EVENT)
    assert job is not None
    assert (job.order, job.claim, job.wanted) == (EVENT, 1, None)


def test_signed_bytes_that_come_again_under_another_name_are_a_replay(queue: JobQueue) -> None:
    assert queue.receive(EVENT)
    assert not queue.receive(replace(EVENT, job_id="e2", delivery_id="d2"))
    assert queue.status("e2") is None
    assert queue.receive(replace(EVENT, job_id="e3", delivery_id="d3", body=b"{ }"))


def test_one_run_at_a_time_works_on_a_branch_and_the_newest_request_waits(queue: JobQueue, worker: ToWorker) -> None:
    here, there = worker(), worker()
    assert queue.submit(run("a"))
    assert here.begin() == "a"
    for name in ("b", "c"):
        assert queue.submit(run(name))
    assert there.begin() is None
    assert queue.status("b") is JobState.SUPERSEDED
    assert here.claims.end("a", 1, JobState.DONE)
    assert there.begin() == "c"


def test_a_run_under_way_gives_way_to_one_of_another_head_only(queue: JobQueue, worker: ToWorker) -> None:
    one = worker()
    queue.submit(run("a"))
    one.begin()
    queue.submit(run("same"))
    assert one.claims.under_way() == [("a", 1, None)]
    queue.submit(run("newer", head="2"))
    assert one.claims.under_way() == [("a", 1, JobState.SUPERSEDED)]
    assert queue.status("same") is JobState.SUPERSEDED
    assert one.begin() is None
    assert one.claims.end("a", 1, JobState.DONE)
    assert queue.status("a") is JobState.SUPERSEDED
    assert one.begin() == "newer"


def test_the_same_job_again_changes_nothing(queue: JobQueue) -> None:
    assert queue.submit(run("a"))
    assert not queue.submit(run("a"))
    assert queue.status("a") is JobState.WAITING


def test_a_command_goes_before_other_events(queue: JobQueue, worker: ToWorker) -> None:
    for number, name in enumerate(("pull_request", "check_suite", "issue_comment", "check_run")):
        order = replace(EVENT, job_id=name, delivery_id=f"d{number}", event=name, body=name.encode())
        assert queue.receive(order)
    one = worker()
    begun = [one.begin(JobKind.EVENT) for _ in range(5)]
    assert begun == ["issue_comment", "check_run", "pull_request", "check_suite", None]


def test_the_repository_with_the_fewest_runs_is_next(queue: JobQueue, worker: ToWorker) -> None:
    for name in ("a", "b"):
        queue.submit(run(name, branch=name))
    queue.submit(run("other", branch="o", repository="octo/other"))
    one = worker()
    assert [one.begin() for _ in range(4)] == ["a", "other", "b", None]


def test_one_slot_serves_every_repository_in_turn(queue: JobQueue, worker: ToWorker) -> None:
    for name in ("a", "b", "c"):
        queue.submit(run(name, branch=name))
    queue.submit(run("other", branch="o", repository="octo/other"))
    one, begun = worker(), list[str]()
    while following := one.begin():
        begun.append(following)
        one.claims.end(following, 1, JobState.DONE)
    assert begun == ["a", "other", "b", "c"]


def test_capacity_holds_over_all_workers(queue: JobQueue, worker: ToWorker) -> None:
    for name in ("a", "b", "c"):
        queue.submit(run(name, branch=name))
    queue.submit(run("other", branch="o", repository="octo/other"))
    here, there = worker(runs=3, runs_per_repository=2), worker(runs=3, runs_per_repository=2)
    assert [here.begin(), there.begin(), here.begin(), there.begin()] == ["a", "other", "b", None]
    here.claims.end("other", 1, JobState.DONE)
    assert here.begin() is None


def test_what_a_dead_worker_had_goes_on_elsewhere_and_its_claim_is_worth_nothing(
    queue: JobQueue, worker: ToWorker
) -> None:
    dead, alive = worker(), worker()
    queue.submit(run("a"))
    queue.receive(EVENT)
    assert (dead.begin(), dead.begin(JobKind.EVENT)) == ("a", "e1")
    assert alive.membership.gone() == []
    dead.lock.release()
    assert alive.membership.gone() == [dead.claims.worker]
    assert alive.claims.take_over(dead.claims.worker) == 2
    assert alive.membership.gone() == []
    assert alive.begin() == "a"
    assert not dead.claims.progressed("a", 1)
    assert not dead.claims.holds("a", 1)
    assert dead.claims.claimed("a", 1) is None
    assert not dead.claims.put_back("a", 1)
    assert not dead.claims.end("a", 1, JobState.DONE)
    assert alive.claims.holds("a", 2)
    assert [one.worker for one in alive.membership.all()] == [alive.claims.worker]


def test_a_worker_that_left_in_good_order_is_struck_off(worker: ToWorker) -> None:
    leaving, staying = worker(), worker()
    leaving.membership.leave()
    assert [one.worker for one in staying.membership.all()] == [staying.claims.worker]
    assert staying.membership.gone() == []


def test_a_run_whose_workers_die_without_end_is_asked_to_say_so(queue: JobQueue, worker: ToWorker) -> None:
    alive = worker()
    queue.submit(run("a"))
    for _ in range(MAX_DEATHS):
        dead = worker()
        assert dead.begin() == "a"
        assert alive.claims.take_over(dead.claims.worker) == 1
    last = worker()
    assert last.begin() == "a"
    assert alive.claims.take_over(last.claims.worker) == 1
    job = alive.claims.claim(JobKind.RUN)
    assert job is not None
    assert job.wanted is JobState.FAILED
    assert alive.claims.end("a", job.claim, JobState.DONE)
    assert queue.status("a") is JobState.FAILED


def test_progress_starts_the_count_of_deaths_anew(queue: JobQueue, worker: ToWorker) -> None:
    queue.submit(run("a"))
    one = worker()
    for claim in range(1, 2 * MAX_DEATHS):
        job = one.claims.claim(JobKind.RUN)
        assert job is not None
        assert (job.claim, job.wanted) == (claim, None)
        assert one.claims.progressed("a", claim, further=True)
        one.claims.take_over(one.claims.worker)


def test_a_run_that_began_goes_on_before_others_begin(queue: JobQueue, worker: ToWorker) -> None:
    one = worker()
    queue.submit(run("older", branch="x", repository="octo/other"))
    queue.submit(run("a"))
    assert (one.begin(), one.begin()) == ("older", "a")
    queue.submit(run("new", branch="y", repository="octo/third"))
    assert one.claims.put_back("a", 1)
    assert one.begin() == "a"


def test_what_waits_is_cancelled_at_once_and_what_began_is_asked(queue: JobQueue, worker: ToWorker) -> None:
    one = worker()
    queue.submit(run("a"))
    assert queue.cancel("a")
    assert not queue.cancel("a")
    assert one.begin() is None
    queue.submit(run("b"))
    assert one.begin() == "b"
    queue.submit(run("c"))
    assert queue.cancel_branch("octo/shop:feature") == 2
    assert one.claims.under_way() == [("b", 1, JobState.CANCELLED)]
    one.claims.put_back("b", 1)
    job = one.claims.claim(JobKind.RUN)
    assert job is not None
    assert job.wanted is JobState.CANCELLED
    assert (queue.counts()["cancelled"], queue.counts()["running"]) == (2, 1)


def test_a_stop_ends_what_was_asked_for_before_it_though_that_is_judged_later(queue: JobQueue) -> None:
    push, stop, again = (
        replace(EVENT, job_id=name, delivery_id=name, body=name.encode()) for name in ("push", "stop", "again")
    )
    for event in (push, stop, again):
        assert queue.receive(event)
    branch = "octo/shop:feature"
    assert queue.cancel_branch(branch, asked_by=stop.job_id) == 0
    assert not queue.submit(run("before"), asked_by=push.job_id)
    assert queue.submit(run("elsewhere", branch="octo/shop:other"), asked_by=push.job_id)
    assert queue.submit(run("after"), asked_by=again.job_id)


def test_a_stop_that_is_judged_again_ends_nothing_that_was_asked_for_after_it(
    queue: JobQueue, worker: ToWorker
) -> None:
    for name in ("push", "stop", "again"):
        assert queue.receive(replace(EVENT, job_id=name, delivery_id=name, body=name.encode()))
    branch = "octo/shop:feature"
    assert queue.submit(run("push-run"), asked_by="push")
    assert queue.cancel_branch(branch, asked_by="stop") == 1
    assert queue.submit(run("again-run"), asked_by="again")
    assert queue.cancel_branch(branch, asked_by="stop") == 0, "its judge died, and another one judges it"
    one = worker()
    assert one.begin() == "again-run"
    assert queue.cancel_branch(branch, asked_by="stop") == 0
    assert queue.cancel_branch(branch) == 1, "a person at the dashboard means what is there"


def test_what_found_github_away_comes_again_later_or_at_once_to_be_ended(queue: JobQueue, worker: ToWorker) -> None:
    one = worker()
    queue.submit(run("a"))
    assert one.begin() == "a"
    assert one.claims.later("a", 1)
    assert (one.begin(), queue.status("a")) == (None, JobState.WAITING)
    assert queue.cancel("a")
    assert one.begin() == "a"
    assert not one.claims.later("a", 1)


def test_a_run_without_progress_is_found(queue: JobQueue, worker: ToWorker) -> None:
    one = worker()
    queue.submit(run("a"))
    one.begin()
    assert one.claims.stalled(600.0) == []
    assert one.claims.stalled(-600.0) == ["a"]


def test_the_service_says_how_it_stands(queue: JobQueue, worker: ToWorker, database: Database) -> None:
    one = worker()
    gauge = ServiceGauge(database=database, stall_after=600.0)
    assert gauge.read().oldest_waiting_s is None
    queue.submit(run("a"))
    queue.submit(run("b", branch="other"))
    one.begin()
    found = gauge.read()
    assert found.jobs == {"running": 1, "waiting": 1}
    assert found.oldest_waiting_s is not None
    assert [(seen.name, seen.running, seen.is_late) for seen in found.workers] == [(one.claims.worker, 1, False)]
    assert found.no_progress == ()
    still = replace(gauge, stall_after=-600.0).read().no_progress
    assert [(run.run_id, run.repository) for run in still] == [("a", "octo/shop")]


def test_only_who_has_the_job_keeps_its_run(queue: JobQueue, worker: ToWorker, database: Database) -> None:
    here, there, kept = worker(), worker(), Checkpoints(database)
    queue.submit(run("a"))
    here.begin()
    assert kept.load("a") is None
    assert kept.save("a", 1, b"first")
    assert kept.save("a", 1, b"second")
    there.claims.take_over(here.claims.worker)
    there.begin()
    assert not kept.save("a", 1, b"too late")
    assert kept.load("a") == Kept(1, b"second")
    (found,) = kept.since(0.0)
    assert found.job_id == "a"
    assert kept.since(found.saved_at + 1) == []
