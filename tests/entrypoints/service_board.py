"""The service's dashboard in a test: its routes over a folder, a queue and a fake GitHub."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import requests
from pydantic import SecretStr
from starlette.testclient import TestClient

from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.adapters.history_cache import HistoryCache
from fixloop_bot.adapters.job_queue import JobQueue
from fixloop_bot.adapters.ledger import SpendingBook
from fixloop_bot.adapters.service_database import open_database
from fixloop_bot.adapters.state_folder import StateFolder
from fixloop_bot.core.redact import redactor
from fixloop_bot.entrypoints.dashboard.mounting import KEY_FILE, Served, mounted
from fixloop_bot.entrypoints.dashboard_settings import DashboardSettings
from fixloop_bot.entrypoints.service_log import ServiceLog
from fixloop_bot.entrypoints.service_settings import ServiceSettings
from fixloop_bot.entrypoints.webhook import Desk
from fixloop_bot.model.spending import Budgets
from fixloop_bot.ports.jobs import JobOrder, OpenRun
from tests.fakes.github import FakeGitHub

HOST = "http://localhost"
DONE = "http://localhost/dashboard/sign-in/done"


def settings_of(github: FakeGitHub, **more: str) -> DashboardSettings:
    """Return settings with which people sign in; `users="pat"` becomes FIXLOOP_DASHBOARD_USERS."""
    app = github.app("fixloop")
    app.callback_urls = (DONE, "https://bot.example/dashboard/sign-in/done")
    given = {"FIXLOOP_APP_CLIENT_ID": app.client_id, "FIXLOOP_APP_CLIENT_SECRET": app.client_secret}
    return DashboardSettings.model_validate({**given, **named(more)})


def named(more: Mapping[str, str]) -> dict[str, str]:
    """Return settings by their variables."""
    short = {"org": "FIXLOOP_DASHBOARD_ORG", "on": "FIXLOOP_DASHBOARD"}
    return {short.get(name, f"FIXLOOP_DASHBOARD_{name.upper()}"): value for name, value in more.items()}


def served_from(root: Path, github: FakeGitHub | None = None, *, host: str = "127.0.0.1", **more: Any) -> Served:
    """Return what a service in this folder would hand over."""
    app = github.app("fixloop") if github else None
    service = ServiceSettings.model_validate(
        {
            "FIXLOOP_WEBHOOK_SECRET": "a secret of the webhook",
            "FIXLOOP_APP_ID": app.id if app else 1,
            "FIXLOOP_APP_PRIVATE_KEY": SecretStr(app.private_key if app else "none"),
            "GITHUB_API_URL": github.url if github else "http://127.0.0.1:9",
            "GITHUB_SERVER_URL": github.site if github else "http://127.0.0.1:9",
        }
    )
    return Served(
        records=HistoryCache(StateFolder(root)),
        jobs=root / "jobs",
        host=host,
        port=80,
        queue=QueueIn(root),
        github=service,
        redact=redactor(()),
        **more,
    )


@dataclass(frozen=True)
class QueueIn:
    """The queue in a state folder, opened for each use: a test leaves no connection behind."""

    root: Path

    def submit(self, order: JobOrder) -> bool:
        with open_database("", self.root, SystemClock()) as database:
            return JobQueue(database).submit(order)

    def cancel(self, job_id: str) -> bool:
        with open_database("", self.root, SystemClock()) as database:
            return JobQueue(database).cancel(job_id)

    def order(self, job_id: str) -> JobOrder | None:
        with open_database("", self.root, SystemClock()) as database:
            return JobQueue(database).order(job_id)

    def open_runs(self) -> tuple[OpenRun, ...]:
        with open_database("", self.root, SystemClock()) as database:
            return JobQueue(database).open_runs()


def browser_of(served: Served, settings: DashboardSettings, *, host: str = HOST, with_key: bool = True) -> TestClient:
    """Return a browser in front of the whole web side, that has been given the key if there is one; it follows no
    redirect by itself.
    """
    log = ServiceLog(redactor(()))
    board = mounted(served, settings, log)
    with open_database("", served.records.folder.root, SystemClock()) as database:
        queue = JobQueue(database)
    desk = Desk(
        queue=queue,
        book=SpendingBook(database=database, budgets=Budgets()),
        secret="a secret of the webhook",
        log=log,
        wake=lambda: None,
        stalled=lambda: 0,
    )
    app = desk.app(*filter(None, (board,)))
    browser = TestClient(app, base_url=host, follow_redirects=False)
    if with_key and (key := served.records.folder.root / KEY_FILE).exists():
        browser.get("/dashboard/", params=parse_qs(urlsplit(key.read_text().strip()).query))
    return browser


def sign_in(browser: TestClient, github: FakeGitHub, login: str, place: str = "/") -> str:
    """Sign in as this person as a browser would; return where it is sent in the end."""
    github.browser_login = login
    started = browser.get("/dashboard/sign-in/github", params={"next": place})
    back = requests.get(started.headers["Location"], allow_redirects=False, timeout=10).headers["Location"]
    done = browser.get(f"{urlsplit(back).path}?{urlsplit(back).query}")
    assert done.status_code == 303, done.text
    return done.headers["Location"]
