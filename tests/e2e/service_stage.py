"""The bot service as its own processes: a receiver, workers, and what GitHub sends them."""

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

from tests.e2e.github_stage import Hub
from tests.e2e.workspace import KEY, person_environment
from tests.fakes.github import Delivery, PullRequest, deliver
from tests.fakes.model_server import ModelServer
from tests.fakes.until import ended, until

SECRET = "a secret of the webhook"


@dataclass
class Worker:
    """A running `fixloop worker`, or the part of `fixloop serve` that is one."""

    process: "subprocess.Popen[str]"
    log: Path
    state: Path

    def told(self, event: str) -> list[dict[str, Any]]:
        """Return the lines of the log about an event."""
        lines = [line for line in self.log.read_text().splitlines() if line.startswith("{")]
        return [told for line in lines if (told := json.loads(line)).get("event") == event]

    def has(self, event: str) -> bool:
        return bool(self.told(event))


@dataclass
class Service(Worker):
    """A running `fixloop serve`."""

    url: str = ""

    def get(self, path: str) -> str:
        with urllib.request.urlopen(self.url + path, timeout=10) as answer:
            return str(answer.read().decode())

    def send(self, delivery: Delivery, **headers: str) -> tuple[int, str]:
        given = {**delivery.headers, **{name.replace("_", "-"): value for name, value in headers.items()}}
        request = urllib.request.Request(self.url + "/webhook", data=delivery.body, headers=given, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, json.loads(answer.read())["result"]
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read())["result"]

    def idle(self) -> bool:
        told = self.get("/metrics")
        return 'fixloop_jobs{state="waiting"} 0.0' in told and 'fixloop_jobs{state="running"} 0.0' in told

    def settle(self) -> None:
        """Wait until nothing is left to do."""
        until(self.idle, self.process)


def service_environment(hub: Hub, model: ModelServer | None, *, url: str = "", **more: str) -> dict[str, str]:
    """Return what the processes of one service share."""
    app = hub.github.app("fixloop")
    return person_environment() | {
        "FIXLOOP_WEBHOOK_SECRET": SECRET,
        "FIXLOOP_APP_ID": str(app.id),
        "FIXLOOP_APP_PRIVATE_KEY": app.private_key,
        "FIXLOOP_DATABASE_URL": url,
        "GITHUB_API_URL": hub.github.url,
        "GITHUB_SERVER_URL": hub.github.site,
        "ANTHROPIC_API_KEY": KEY,
        "FIXLOOP_WRITE_EVERY": "0",
        "ANTHROPIC_BASE_URL": model.url if model else "",
        **more,
    }


@contextmanager
def _running(hub: Hub, name: str, environment: Mapping[str, str], *arguments: str) -> Iterator[Worker]:
    hub.steps += 1
    state, log = hub.folder / f"{name} state", hub.folder / f"service {hub.steps}.log"
    command = [sys.executable, "-m", "fixloop_bot", *arguments, "--state-dir", str(state)]
    with log.open("w") as stream:
        made = subprocess.Popen(command, env=environment, text=True, cwd="/", stderr=stream)
    with ended(made, gently=True):
        yield Worker(made, log, state)


@contextmanager
def serving(hub: Hub, model: ModelServer | None, *, url: str = "", workers: int = 2, **more: str) -> Iterator[Service]:
    """Start the service on any free port; it ends with the block."""
    environment = service_environment(hub, model, url=url, **more)
    arguments = ("serve", "--port", "0", "--workers", str(workers))
    with _running(hub, "service", environment, *arguments) as made:
        until(lambda: made.has("listening"), made.process)
        port = made.told("listening")[0]["port"]
        yield Service(made.process, made.log, made.state, url=f"http://127.0.0.1:{port}")


@contextmanager
def working(hub: Hub, model: ModelServer, *, url: str, name: str, **more: str) -> Iterator[Worker]:
    """Start one more worker, in a folder of its own as on another machine; it ends with the block."""
    environment = service_environment(hub, model, url=url, **more)
    with _running(hub, name, environment, "worker", "--workers", "1") as made:
        until(lambda: made.has("working"), made.process)
        yield made


def payloads(hub: Hub) -> Any:
    """Return what makes the App's payloads."""
    return hub.github.payloads_for(hub.github.install(hub.github.app("fixloop"), hub.shop))


def opened(hub: Hub, pull: PullRequest, delivery_id: str = "11111111-2222-3333") -> Delivery:
    """Return the delivery of the pull request's opening to the App."""
    payload = payloads(hub).pull_request(pull)
    return deliver("pull_request", payload, secret=SECRET, delivery_id=delivery_id)


def commented(hub: Hub, pull: PullRequest, body: str, *, author: str = "pat") -> Delivery:
    """Let somebody comment, and return the delivery."""
    hub.github.advance(5)
    comment = hub.shop.comment(pull.number, body, author=author)
    return deliver("issue_comment", payloads(hub).issue_comment(hub.shop, comment), secret=SECRET)
