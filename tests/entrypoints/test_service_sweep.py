"""One repository's part in a sweep of the service: which it chooses in, and the runs that come of it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.adapters.codec import decode
from fixloop_bot.adapters.job_claims import JobClaims
from fixloop_bot.adapters.job_queue import JobQueue
from fixloop_bot.adapters.service_database import open_database
from fixloop_bot.entrypoints.service_orders import to_sweep_order
from fixloop_bot.entrypoints.service_place import ServicePlace
from fixloop_bot.entrypoints.service_schedule import sweep_order
from fixloop_bot.entrypoints.service_settings import ServiceSettings
from fixloop_bot.entrypoints.service_stage import open_service_stage
from fixloop_bot.entrypoints.service_sweep import SCHEDULED, SweepDesk, sweep_one
from fixloop_bot.model.event import Origin, RepositoryRef
from fixloop_bot.model.ticket import RunTicket, SweepTicket
from fixloop_bot.ports.jobs import Capacity, JobKind
from tests.fakes.github import FakeGitHub, Repository


class Sweeper:
    """A shop whose pull request fails, and the sweep of it."""

    def __init__(self, github: FakeGitHub, shop: Repository, queue: JobQueue, place: ServicePlace) -> None:
        self.shop, self.queue, self._place = shop, queue, place
        app = github.app("fixloop")
        self._given = {
            "FIXLOOP_WEBHOOK_SECRET": "hush-hush-hush",
            "FIXLOOP_APP_ID": app.id,
            "FIXLOOP_APP_PRIVATE_KEY": app.private_key,
            "GITHUB_API_URL": github.url,
            "GITHUB_SERVER_URL": github.site,
        }
        self._installation = github.install(app, shop).id
        self.notes: list[str] = []

    def sweep(self, *, repositories: str = "configured") -> list[RunTicket]:
        """Sweep, and return the runs that wait afterwards."""
        settings = ServiceSettings.model_validate(self._given | {"FIXLOOP_SWEEP_REPOSITORIES": repositories})
        origin = Origin(
            repository=RepositoryRef(full_name=self.shop.full_name, id=7), installation_id=self._installation
        )
        order = to_sweep_order(SweepTicket(origin=origin, reason=SCHEDULED), sweep_order(0.0), "s1-7")
        order = replace(order, repository=self.shop.full_name, installation_id=self._installation)
        desk = SweepDesk(settings=settings, queue=self.queue, note=self.notes.append)
        with open_service_stage(order, settings, self._place, {}, str) as stage:
            assert sweep_one(order, stage, desk) == 0
        claims = JobClaims(self.queue.database, "w", Capacity(runs=0, runs_per_repository=0))
        found = []
        while (job := claims.claim(JobKind.RUN)) is not None:
            found.append(decode(job.order.body, RunTicket))
            assert job.order.branch == f"{self.shop.full_name}:{found[-1].branch}"
        return found


@pytest.fixture
def sweeper(tmp_path: Path) -> Iterator[Sweeper]:
    place = ServicePlace(tmp_path / "the service")
    place.make()
    with FakeGitHub() as github, open_database("", place.records, SystemClock()) as database:
        github.user("pat", permission="write")
        shop = github.repository("octo/shop", files={"app.py": "a = 1\n"})
        sha = shop.commit("feature", {"app.py": "a = \n"}, author="pat")
        shop.open_pull("feature", title="Break it", author="pat")
        shop.workflow_run(sha, [("test", "failure", "E\n")], branch="feature")
        yield Sweeper(github, shop, JobQueue(database), place)


def test_without_rules_a_repository_is_swept_only_where_all_are(sweeper: Sweeper) -> None:
    assert sweeper.sweep() == []
    assert list(sweeper.shop.issues) == [1], "the pull request; no dashboard"
    (ticket,) = sweeper.sweep(repositories="all")
    assert (ticket.pull_request, ticket.automatic, ticket.options.max_cost_usd) == (1, True, 3.0)
    assert ticket.reason == "a sweep: the service's schedule"


def test_a_sweep_that_is_worked_on_again_adds_no_second_run(sweeper: Sweeper) -> None:
    sweeper.shop.commit("main", {".fixloop.yml": "sweep: {max-usd: 1.5}\n"}, author="pat")
    (ticket,) = sweeper.sweep()
    assert ticket.options.max_cost_usd == 1.5
    assert sweeper.sweep() == []
    assert sum(sweeper.queue.counts().values()) == 1


def test_rules_that_cannot_be_read_choose_nothing_and_say_why(sweeper: Sweeper) -> None:
    sweeper.shop.commit("main", {".fixloop.yml": "sweep: {max-runs: many}\n"}, author="pat")
    assert sweeper.sweep() == []
    assert any((".fixloop.yml" in note and "line 1" in note) or ":1" in note for note in sweeper.notes), sweeper.notes
