"""Answers that become a run of the service, as an answered comment does."""

import re
from dataclasses import dataclass, replace
from typing import Protocol

from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.adapters.codec import encode, to_json_value
from fixloop_bot.adapters.github.access import AppAccess, GitHubAccess
from fixloop_bot.adapters.history_cache import HistoryCache
from fixloop_bot.adapters.repo_config import parse_repo_config
from fixloop_bot.app.answer_page import Asked, to_page_run
from fixloop_bot.entrypoints.service_settings import ServiceSettings
from fixloop_bot.model.answer import Answer, Decided
from fixloop_bot.model.history import RunFacts, RunOrigin
from fixloop_bot.model.ticket import RunTicket
from fixloop_bot.ports.forge import ForgeError
from fixloop_bot.ports.jobs import JobKind, JobOrder, OpenRun

_LOGIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98}[A-Za-z0-9])?")
"""GitHub's names of people; those of an enterprise's managed users have an underscore."""
_NUMBERED = re.compile(r"(?P<stem>.+-run)(?:-(?P<number>[0-9]{1,4}))?")


class RunQueue(Protocol):
    """As much of the service's queue as the pages use, in any thread."""

    def submit(self, order: JobOrder) -> bool:
        """Keep a job; False: its id is known, and nothing changed."""
        ...

    def open_runs(self) -> tuple[OpenRun, ...]:
        """Return the runs that wait or are worked on."""
        ...


@dataclass(frozen=True, slots=True)
class ServiceAnswers:
    """Asks GitHub whether the person may, then queues the run that goes on (port `Answers`)."""

    records: HistoryCache
    queue: RunQueue
    settings: ServiceSettings

    def take(self, run_id: str, answer: Answer) -> str:
        """Return what became of it. The person in `answer.by` is known to whoever calls."""
        run = next((run for run in self.records.read().runs if run.run_id == run_id), None)
        decided = _decided(run, answer) if run else None
        if run is None or run.origin is None or decided is None:
            return "Not done: the run does not wait for an answer now."
        if not _LOGIN.fullmatch(answer.by):
            return "Not done: answers are taken from people whose GitHub login is known; sign in."
        if busy := self._busy(run.origin):
            return f"Not done: run {busy.job_id} on this branch is {'under way' if busy.running else 'queued'}."
        try:
            ticket = self._ticket(Asked(run_id=run_id, origin=run.origin, decided=decided))
        except ForgeError as error:
            return f"Not done: GitHub could not be asked whether you may. {error.advice}"
        return ticket if isinstance(ticket, str) else self._queued(run_id, run.origin, ticket)

    def _busy(self, origin: RunOrigin) -> OpenRun | None:
        return next((one for one in self.queue.open_runs() if one.branch == origin.branch), None)

    def _ticket(self, asked: Asked) -> RunTicket | str:
        from fixloop_bot.adapters.github.forge import GitHubForge  # noqa: PLC0415 - PyGithub takes 0.4 s to import

        settings = self.settings
        app = AppAccess(
            app_id=settings.app_id,
            private_key=settings.private_key(),
            installation_id=asked.origin.installation_id,
        )
        access = GitHubAccess(full_name=asked.origin.repository, credential=app, api_url=settings.api_url)
        with GitHubForge(access) as forge:
            return to_page_run(asked, forge, parse_repo_config, now=SystemClock().now())

    def _queued(self, run_id: str, origin: RunOrigin, ticket: RunTicket) -> str:
        order = to_order(run_id, origin, ticket)
        if not self.queue.submit(order):
            return "Not done: the question was answered already."
        return f"Your answer is queued as run {order.job_id}, which begins as soon as a worker is free."


def to_order(run_id: str, origin: RunOrigin, ticket: RunTicket) -> JobOrder:
    """Return the job of the run that goes on; its id follows from the asking run's, so that one answer counts."""
    job_id = next_id(run_id)
    return JobOrder(
        job_id=job_id,
        kind=JobKind.RUN,
        repository=origin.repository,
        branch=origin.branch,
        head=ticket.head_sha,
        installation_id=origin.installation_id,
        delivery_id=job_id,
        event="dashboard",
        body=encode(to_json_value(replace(ticket, comment_id=None))).encode(),
    )


def next_id(run_id: str) -> str:
    """Return the id of the run that goes on with an answer: `x-run`, `x-run-2`, `x-run-3`."""
    found = _NUMBERED.fullmatch(run_id)
    return f"{found['stem']}-{int(found['number'] or 1) + 1}" if found else f"{run_id}-run-2"


def _decided(run: RunFacts, answer: Answer) -> Decided | None:
    end = run.standing.end if run.standing and not run.terminal and not run.followed_by else None
    return Decided(end.question, answer) if end and end.question else None
