"""GitHub lets nobody in for an hour: the service keeps what it was told, and does it afterwards."""

import sqlite3
from contextlib import closing

import pytest

from tests.e2e.github_stage import REPAIR, Hub
from tests.e2e.service_stage import Service, opened, serving
from tests.fakes.github.conditions import SECONDARY
from tests.fakes.model_server import ModelServer
from tests.fakes.until import until

HOUR = 3600


def waits(service: Service) -> list[str]:
    """Return the kinds of the jobs that are to be begun again at some later time."""
    with closing(sqlite3.connect(service.state / "records/run-state.db")) as database:
        sql = "SELECT kind FROM jobs WHERE state = 'waiting' AND not_before > CAST(strftime('%s') AS REAL)"
        return [kind for (kind,) in database.execute(sql)]


def let_time_go_by(service: Service) -> None:
    with closing(sqlite3.connect(service.state / "records/run-state.db")) as database, database:
        database.execute("UPDATE jobs SET not_before = 0")


@pytest.mark.parametrize("path", ["*", "*/check-runs"], ids=["before an event is judged", "when the run begins"])
def test_what_github_kept_from_its_end_is_done_later(hub: Hub, path: str) -> None:
    pull = hub.break_it()
    start = pull.head_sha
    hub.github.conditions.fail(status=403, message=SECONDARY, path=path, times=10_000, retry_after=HOUR)
    with ModelServer([REPAIR]) as model, serving(hub, model) as service:
        assert service.send(opened(hub, pull)) == (202, "accepted")
        until(lambda: len(waits(service)) == 1, service.process)
        assert model.requests == []
        hub.github.conditions.faults.clear()
        let_time_go_by(service)
        service.settle()
        assert hub.subjects("feature", start) == ["fix-loop: test clean (iteration 1)"], service.log.read_text()
        assert len(model.requests) == 1
    assert "DONE: all validation layers passed" in hub.report(pull)
    assert (hub.check.status, hub.check.conclusion) == ("completed", "success")


def test_a_service_that_ends_waits_for_no_answer_of_github_and_judges_at_the_next_start(hub: Hub) -> None:
    pull = hub.break_it()
    start = pull.head_sha
    hub.github.conditions.fail(status=403, message=SECONDARY, times=10_000, retry_after=15)
    with ModelServer([REPAIR]) as model:
        with serving(hub, model) as service:
            service.send(opened(hub, pull))
            until(lambda: service.has("event-started") and "Retrying" in service.log.read_text(), service.process)
        assert (service.process.returncode, service.told("event-ended")[0]["code"]) == (0, -1)
        hub.github.conditions.faults.clear()
        with serving(hub, model) as service:
            service.settle()
        assert hub.subjects("feature", start) == ["fix-loop: test clean (iteration 1)"], service.log.read_text()
