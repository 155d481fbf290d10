"""The bot service: from a signed delivery over HTTP to commits, comment and check run."""

import json
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.e2e.github_stage import REPAIR, Hub
from tests.e2e.workspace import KEY, person_environment
from tests.fakes.github import Delivery, PullRequest, deliver
from tests.fakes.model_server import ModelServer
from tests.fakes.until import until

SECRET = "a secret of the webhook"


@dataclass
class Service:
    """A running `fixloop serve`."""

    process: "subprocess.Popen[str]"
    url: str
    log: Path

    def get(self, path: str) -> str:
        with urllib.request.urlopen(self.url + path, timeout=10) as answer:
            return str(answer.read().decode())

    def send(self, delivery: Delivery, **headers: str) -> tuple[int, str]:
        given = {**delivery.headers, **{name.replace("_", "-"): value for name, value in headers.items()}}
        request = urllib.request.Request(self.url + "/webhook", data=delivery.body, headers=given, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status, json.loads(answer.read())["result"]
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read())["result"]

    def idle(self) -> bool:
        told = self.get("/metrics")
        return 'fixloop_jobs{state="waiting"} 0.0' in told and 'fixloop_jobs{state="running"} 0.0' in told


@contextmanager
def serving(hub: Hub, model: ModelServer) -> Iterator[Service]:
    """Start the service on any free port; it ends with the block."""
    app = hub.github.app("fixloop")
    environment = person_environment() | {
        "FIXLOOP_WEBHOOK_SECRET": SECRET,
        "FIXLOOP_APP_ID": str(app.id),
        "FIXLOOP_APP_PRIVATE_KEY": app.private_key,
        "GITHUB_API_URL": hub.github.url,
        "GITHUB_SERVER_URL": hub.github.site,
        "ANTHROPIC_API_KEY": KEY,
        "ANTHROPIC_BASE_URL": model.url,
    }
    hub.steps += 1
    state, log = hub.folder / "service state", hub.folder / f"service {hub.steps}.log"
    command = [sys.executable, "-m", "fixloop_bot", "serve", "--port", "0", "--state-dir", str(state)]
    with log.open("w") as stream, subprocess.Popen(command, env=environment, text=True, cwd="/", stderr=stream) as made:
        try:
            until(lambda: '"listening"' in log.read_text(), made)
            (line,) = [json.loads(one) for one in log.read_text().splitlines() if '"listening"' in one]
            yield Service(made, f"http://127.0.0.1:{line['port']}", log)
        finally:
            made.terminate()


def opened(hub: Hub, pull: PullRequest) -> tuple[Mapping[str, Any], Delivery]:
    """Return the payload of the pull request's opening, and its delivery to the App."""
    installed = hub.github.install(hub.github.app("fixloop"), hub.shop)
    payload = hub.github.payloads_for(installed).pull_request(pull)
    return payload, deliver("pull_request", payload, secret=SECRET, delivery_id="11111111-2222-3333")


def test_a_delivery_becomes_a_repair_and_its_repetition_nothing(hub: Hub) -> None:
    pull = hub.break_it()
    start = pull.head_sha
    payload, delivery = opened(hub, pull)
    forged = deliver("pull_request", payload, secret="another secret")
    broken = deliver("pull_request", [], secret=SECRET)  # type: ignore[arg-type] # what GitHub never sends
    with ModelServer([REPAIR]) as model, serving(hub, model) as service:
        assert service.send(forged) == (401, "forged")
        assert service.send(broken) == (400, "malformed")
        assert service.send(deliver("gollum", {"a": 1}, secret=SECRET)) == (202, "ignored")
        assert hub.github.requests == []
        assert service.send(delivery) == (202, "accepted")
        until(service.idle, service.process)
        assert hub.subjects("feature", start) == ["fix-loop: test clean (iteration 1)"], service.log.read_text()
        assert "DONE: all validation layers passed" in hub.report(pull)
        assert (hub.check.status, hub.check.conclusion) == ("completed", "success")
        before = len(hub.github.requests)
        assert service.send(delivery) == (202, "known")
        assert service.idle()
        assert (len(hub.github.requests), len(model.requests)) == (before, 1)
        assert service.get("/readyz") == "ready\n"
    assert service.process.returncode == 0, service.log.read_text()
    assert SECRET not in service.log.read_text()


def test_a_service_killed_in_the_middle_goes_on_and_pays_nothing_twice(hub: Hub) -> None:
    pull = hub.break_it()
    start = pull.head_sha
    _, delivery = opened(hub, pull)
    with ModelServer([REPAIR]) as model:
        with serving(hub, model) as service:
            assert service.send(delivery) == (202, "accepted")
            until(lambda: "verify: test" in service.log.read_text(), service.process)
            service.process.kill()
        with serving(hub, model) as service:
            until(service.idle, service.process)
            assert hub.subjects("feature", start) == ["fix-loop: test clean (iteration 1)"], service.log.read_text()
        assert len(model.requests) == 1
    assert "DONE: all validation layers passed" in hub.report(pull)
    (check,) = [run for run in hub.shop.check_runs.values() if run.name == "fixloop"]
    assert (check.status, check.conclusion) == ("completed", "success")
