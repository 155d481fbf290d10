"""The service's own sweeps: by the clock, by a ticked box, and not for who has suspended the App."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from sqlalchemy import text

from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.adapters.service_database import open_database
from fixloop_bot.entrypoints.service_place import ServicePlace
from tests.e2e.github_stage import BREAK, REPAIR, Hub
from tests.e2e.test_service import SECRET, Service
from tests.e2e.workspace import KEY, person_environment
from tests.fakes.github import Installation, deliver
from tests.fakes.model_server import ModelServer
from tests.fakes.until import until

CRON = "0 3 * * *"
RULES = 'sweep: {branches: ["team/*"], max-runs: 1}\n'


@contextmanager
def worker(hub: Hub, environment: Mapping[str, str], *command: str) -> Iterator[Service]:
    """Start `fixloop serve` or `fixloop worker`; it ends with the block."""
    hub.steps += 1
    log = hub.folder / f"worker {hub.steps}.log"
    argv = [sys.executable, "-m", "fixloop_bot", *command, "--state-dir", str(hub.folder / "service state")]
    with log.open("w") as stream, subprocess.Popen(argv, env=environment, text=True, cwd="/", stderr=stream) as made:
        try:
            until(lambda: '"listening"' in log.read_text() or '"working"' in log.read_text(), made)
            lines = [json.loads(one) for one in log.read_text().splitlines()]
            port = next((line["port"] for line in lines if line["event"] == "listening"), 0)
            yield Service(made, f"http://127.0.0.1:{port}", log)
        finally:
            made.terminate()


def settings(hub: Hub, model: ModelServer) -> dict[str, str]:
    app = hub.github.app("fixloop")
    return person_environment() | {
        "FIXLOOP_WEBHOOK_SECRET": SECRET,
        "FIXLOOP_APP_ID": str(app.id),
        "FIXLOOP_APP_PRIVATE_KEY": app.private_key,
        "FIXLOOP_SWEEP_CRON": CRON,
        "GITHUB_API_URL": hub.github.url,
        "GITHUB_SERVER_URL": hub.github.site,
        "ANTHROPIC_API_KEY": KEY,
        "ANTHROPIC_BASE_URL": model.url,
    }


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
    """Install the App on the shop, and on repositories that have no rules, or have suspended it."""
    app = hub.github.app("fixloop")
    asleep = hub.github.install(app, hub.github.repository("slow/one", files={".fixloop.yml": RULES}))
    asleep.suspended_at = hub.github.now()
    return hub.github.install(app, hub.shop, hub.github.repository("octo/plain"))


def events(*logs: Path) -> list[str]:
    return [json.loads(line)["event"] for log in logs for line in log.read_text().splitlines() if line[:1] == "{"]


def test_missed_sweeps_are_made_up_for_once_and_a_tick_starts_the_rest_until_the_app_is_suspended(hub: Hub) -> None:
    installation = installed(hub)
    hub.shop.commit("main", {".fixloop.yml": RULES}, author="pat")
    heads = {branch: failing(hub, branch) for branch in ("team/1", "team/2")}
    missed_since_1970(hub)
    with ModelServer([REPAIR]) as model, ExitStack() as stack:
        environment = settings(hub, model)
        service = stack.enter_context(worker(hub, environment, "serve", "--port", "0"))
        other = stack.enter_context(worker(hub, environment, "worker"))
        until(lambda: "run-ended" in events(service.log, other.log), service.process)
        fixed = ["fix-loop: test clean (iteration 1)"]
        assert hub.subjects("team/2", heads["team/2"]) == fixed, service.log.read_text() + other.log.read_text()
        assert events(service.log, other.log).count("sweep-begun") == 1

        (issue,) = [one for one in hub.shop.issues.values() if one.title == "fixloop: sweep"]
        assert "the sweep already has 1 runs" in (issue.body or "")
        box = "- [ ] <!-- fixloop:run=team/1 -->"
        ticked = (issue.body or "").replace(box, box.replace("[ ]", "[x]"))
        payloads = hub.github.payloads_for(installation)
        edited = payloads.issue_edited(hub.shop, issue.number, ticked, sender="pat")
        assert service.send(deliver("issues", edited, secret=SECRET)) == (202, "accepted")
        until(lambda: events(service.log, other.log).count("run-started") == 2, service.process)
        begun = events(service.log, other.log).count("layer-started")
        until(lambda: events(service.log, other.log).count("layer-started") > begun, service.process)

        suspended = payloads.installed("suspend")
        assert service.send(deliver("installation", suspended, secret=SECRET)) == (202, "accepted")
        until(lambda: events(service.log, other.log).count("run-ended") == 2, service.process)
        assert service.idle()
        assert 'fixloop_jobs{state="cancelled"} 1.0' in service.get("/metrics")
    told = service.log.read_text() + other.log.read_text()
    assert (hub.shop.head("team/1"), "Traceback" in told) == (heads["team/1"], False), told
    paths = [request.path for request in hub.github.requests]
    assert [path for path in paths if path.startswith("/repos/slow/")] == [], "the App is suspended there"
    assert [one.title for one in hub.github.repositories["octo/plain"].issues.values()] == []
