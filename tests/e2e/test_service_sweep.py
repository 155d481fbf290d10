"""The service's own sweeps: by the clock, by a ticked box, and not for who has suspended the App."""

from sqlalchemy import text

from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.adapters.service_database import open_database
from fixloop_bot.entrypoints.service_place import ServicePlace
from tests.e2e.github_stage import BREAK, REPAIR, Hub
from tests.e2e.service_stage import SECRET, serving, working
from tests.fakes.github import Delivery, Installation, deliver
from tests.fakes.model_server import ModelServer
from tests.fakes.otlp_receiver import OtlpReceiver
from tests.fakes.until import until

CRON = "0 3 * * *"
RULES = 'sweep: {branches: ["team/*"], max-runs: 1}\n'


def missed_since_1970(hub: Hub) -> None:
    """Let the cron line have been known for long, and every time since have passed unseen."""
    place = ServicePlace(hub.folder / "service state")
    place.make()
    with open_database("", place.records, SystemClock()) as database:
        sql = text("INSERT INTO sweep_turns VALUES (:cron, 0)")
        database.write(lambda connection: connection.execute(sql, {"cron": CRON}))


def failing(hub: Hub, branch: str) -> str:
    """Push a branch whose checks fail; return its head."""
    hub.github.advance(60)
    hub.shop.branch(branch)
    sha = hub.shop.commit(branch, dict(BREAK), author="pat")
    hub.shop.workflow_run(sha, [("test", "failure", "E   assert 2 == 3\n")], branch=branch)
    return sha


def installed(hub: Hub) -> Installation:
    """Install the App on the shop and a repository without rules, and for somebody who has suspended it."""
    app = hub.github.app("fixloop")
    asleep = hub.github.install(app, hub.github.repository("slow/one", files={".fixloop.yml": RULES}))
    asleep.suspended_at = hub.github.now()
    return hub.github.install(app, hub.shop, hub.github.repository("octo/plain"))


def late_failure(hub: Hub) -> Delivery:
    """Return a delivery of an installation that was removed meanwhile."""
    gone = hub.github.repository("gone/one")
    payloads = hub.github.payloads_for(hub.github.install(hub.github.app("fixloop"), gone))
    failed = payloads.workflow_run(
        gone, gone.workflow_run(gone.head("main"), [("test", "failure", "E\n")], branch="main")
    )
    payloads.installed("deleted")
    return deliver("workflow_run", failed, secret=SECRET)


def test_missed_sweeps_are_made_up_for_once_and_a_tick_starts_the_rest_until_the_app_is_suspended(hub: Hub) -> None:
    installation = installed(hub)
    hub.shop.commit("main", {".fixloop.yml": RULES}, author="pat")
    heads = {branch: failing(hub, branch) for branch in ("team/1", "team/2")}
    missed_since_1970(hub)
    with (
        ModelServer([REPAIR]) as model,
        OtlpReceiver() as receiver,
        serving(hub, model, FIXLOOP_SWEEP_CRON=CRON, OTEL_EXPORTER_OTLP_ENDPOINT=receiver.url) as service,
        working(hub, model, url="", name="service", FIXLOOP_SWEEP_CRON=CRON) as other,
    ):

        def told(event: str) -> int:
            return len(service.told(event)) + len(other.told(event))

        until(lambda: told("run-ended") == 1, service.process)
        fixed = ["fix-loop: test clean (iteration 1)"]
        assert hub.subjects("team/2", heads["team/2"]) == fixed, service.log.read_text() + other.log.read_text()
        assert told("sweep-begun") == 1

        (issue,) = [one for one in hub.shop.issues.values() if one.title == "fixloop: sweep"]
        assert "the sweep already has 1 runs" in (issue.body or "")
        box = "- [ ] <!-- fixloop:run=team/1 -->"
        ticked = (issue.body or "").replace(box, box.replace("[ ]", "[x]"))
        payloads = hub.github.payloads_for(installation)
        edited = payloads.issue_edited(hub.shop, issue.number, ticked, sender="pat")
        layers = told("layer-started")
        assert service.send(deliver("issues", edited, secret=SECRET)) == (202, "accepted")
        until(lambda: told("layer-started") > layers, service.process)

        assert service.send(late_failure(hub)) == (202, "accepted")
        suspended = payloads.installed("suspend")
        assert service.send(deliver("installation", suspended, secret=SECRET)) == (202, "accepted")
        until(lambda: told("run-ended") == 2, service.process)
        service.settle()
        assert 'fixloop_jobs{state="cancelled"} 1.0' in service.get("/metrics")
        service.process.terminate()
        service.process.wait()
    jobs = {span.span: span for span in receiver.named("job")}
    runs = receiver.named("run")
    assert {run.parent for run in runs} <= set(jobs)
    assert {span.parent for span in receiver.named("attempt")} <= {run.span for run in runs}
    said = service.log.read_text() + other.log.read_text()
    assert "makes no token" in said
    assert (hub.shop.head("team/1"), "Traceback" in said) == (heads["team/1"], False), said
    paths = [request.path for request in hub.github.requests]
    assert [path for path in paths if path.startswith("/repos/slow/")] == [], "the App is suspended there"
    assert list(hub.github.repositories["octo/plain"].issues) == []
