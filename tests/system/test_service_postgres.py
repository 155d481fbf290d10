"""The bot service on PostgreSQL: two workers on two machines, one of which dies, and a database that restarts."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import count

import pytest

from tests.e2e.conftest import *  # noqa: F403 - `hub`
from tests.e2e.github_stage import BREAK, REPAIR, Hub
from tests.e2e.service_stage import Service, Worker, opened, serving, working
from tests.fakes.model_server import ModelServer
from tests.fakes.until import until
from tests.system.postgres import Postgres, postgres

NAMES = count()
DONE = ["fix-loop: test clean (iteration 1)"]


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    with postgres() as started:
        yield started


@dataclass
class Crew:
    """A receiver that works on nothing itself, and two workers that share no disk."""

    service: Service
    workers: tuple[Worker, Worker]

    def busy(self) -> list[Worker]:
        return [one for one in self.workers if len(one.told("run-started")) > len(one.told("run-ended"))]

    def logs(self) -> str:
        return "\n".join(one.log.read_text() for one in (self.service, *self.workers))


@contextmanager
def crew(hub: Hub, model: ModelServer, url: str) -> Iterator[Crew]:
    with ExitStack() as stack:
        service = stack.enter_context(serving(hub, model, url=url, workers=0))
        here, there = (stack.enter_context(working(hub, model, url=url, name=name)) for name in ("here", "there"))
        yield Crew(service, (here, there))


def test_two_workers_repair_two_branches_side_by_side(hub: Hub, server: Postgres) -> None:
    pulls = [hub.break_it(branch, {**BREAK, "branch.txt": branch}) for branch in ("feature", "other")]
    starts = {branch: hub.shop.head(branch) for branch in ("feature", "other")}
    with ModelServer([REPAIR, REPAIR]) as model, crew(hub, model, server.fresh(f"service{next(NAMES)}")) as both:
        for number, pull in enumerate(pulls):
            assert both.service.send(opened(hub, pull, f"1111-2222-{number}")) == (202, "accepted")
        both.service.settle()
        for branch, start in starts.items():
            assert hub.subjects(branch, start) == DONE, both.logs()
        assert [len(one.told("run-started")) for one in both.workers] == [1, 1], both.logs()
        assert "wonderland" not in both.logs()
    for pull in pulls:
        assert "DONE: all validation layers passed" in hub.report(pull)


def test_the_run_of_a_dead_worker_goes_on_at_the_other_and_is_paid_once(hub: Hub, server: Postgres) -> None:
    pull = hub.break_it()
    start = pull.head_sha
    with ModelServer([REPAIR]) as model, crew(hub, model, server.fresh(f"service{next(NAMES)}")) as both:
        both.service.send(opened(hub, pull))
        until(lambda: "verify: test" in both.logs(), both.service.process)
        (dying,) = both.busy()
        dying.process.kill()
        both.service.settle()
        (alive,) = [one for one in both.workers if one is not dying]
        assert [told["jobs"] for one in (alive, both.service) for told in one.told("worker-gone")] == [1]
        assert alive.told("run-started")[0]["claim"] == 2
        assert hub.subjects("feature", start) == DONE, both.logs()
        assert len(model.requests) == 1
        assert not list((alive.state / "jobs").iterdir())
        until(
            lambda: len(list((both.service.state / "records" / "runs").glob("*/terminal.json"))) == 1,
            both.service.process,
        )
    assert "DONE: all validation layers passed" in hub.report(pull)
    (check,) = [run for run in hub.shop.check_runs.values() if run.name == "fixloop"]
    assert (check.status, check.conclusion) == ("completed", "success")


@pytest.mark.parametrize("signal_number", [2, 9], ids=["restarts", "crashes"])
def test_nothing_is_lost_when_the_database(hub: Hub, server: Postgres, signal_number: int) -> None:
    pull = hub.break_it()
    start = pull.head_sha
    with ModelServer([REPAIR]) as model, crew(hub, model, server.fresh(f"service{next(NAMES)}")) as both:
        both.service.send(opened(hub, pull))
        until(lambda: bool(both.busy()), both.service.process)
        server.stop(signal_number=signal_number)
        server.start()
        both.service.settle()
        assert hub.subjects("feature", start) == DONE, both.logs()
        assert len(model.requests) == 1
        assert not any(one.has("worker-gone") for one in both.workers), both.logs()
    assert "DONE: all validation layers passed" in hub.report(pull)
