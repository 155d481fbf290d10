"""The service's web side: webhooks in, health and numbers out. Everything in a request is a stranger's."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

from anyio import CapacityLimiter, to_thread
from gidgethub import BadRequest, ValidationFailure
from gidgethub.sansio import Event
from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route

from fixloop_bot.adapters.installations import Installations
from fixloop_bot.adapters.job_queue import JobQueue
from fixloop_bot.adapters.ledger import SpendingBook
from fixloop_bot.adapters.service_database import AWAY
from fixloop_bot.core.events import parse_event
from fixloop_bot.core.installation_events import INSTALLATION_EVENTS, parse_installation_event
from fixloop_bot.entrypoints.service_events import new_job_id
from fixloop_bot.entrypoints.service_log import ServiceLog
from fixloop_bot.model.event import Ignored
from fixloop_bot.model.spending import Spending
from fixloop_bot.ports.jobs import JobKind, JobOrder

MAX_BODY: Final = 5_000_000
"""Bytes. GitHub sends up to 25 MB, but of the events in use none comes near this; a larger one is refused unread."""

MAX_HEADERS: Final = 32_768
"""Bytes; GitHub's are about one kilobyte."""

PATIENCE_S: Final = 6.0
"""GitHub waits ten seconds for an answer; a database that restarts is back before."""

_DELIVERY: Final = re.compile(r"[0-9A-Za-z-]{8,64}")
_SIGNATURE: Final = re.compile(r"sha256=[0-9a-f]{64}")
_EVENT: Final = re.compile(r"[a-z_]{1,40}")


class TooLargeError(Exception):
    """The body is larger than `MAX_BODY`, or the headers than `MAX_HEADERS`."""


class Numbers:
    """What `/metrics` shows."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._deliveries = Counter("fixloop_deliveries", "Webhook requests", ["answer"], registry=self.registry)
        self._jobs = Gauge("fixloop_jobs", "Jobs by state", ["state"], registry=self.registry)

        self._stalled = Gauge("fixloop_runs_stalled", "Runs without progress", registry=self.registry)
        self._spent = Gauge("fixloop_spent_today_usd", "Spent or reserved on this day (UTC)", registry=self.registry)
        self._budget = Gauge("fixloop_budget_day_usd", "Budget of a day, NaN for none", registry=self.registry)

    def count(self, answer: str) -> None:
        """Count one webhook request."""
        self._deliveries.labels(answer).inc()

    def text(self, jobs: Mapping[str, int], stalled: int, today: Spending) -> bytes:
        """Return all numbers in Prometheus' text format."""
        self._stalled.set(stalled)
        self._spent.set(today.spent_usd)
        self._budget.set(math.nan if today.limit_usd is None else today.limit_usd)
        for state, number in jobs.items():
            self._jobs.labels(state).set(number)
        return generate_latest(self.registry)


@dataclass(slots=True, kw_only=True)
class Desk:
    """Where requests are answered."""

    queue: JobQueue
    book: SpendingBook
    secret: str = field(repr=False)
    log: ServiceLog
    wake: Callable[[], object]
    """Tells the dispatcher of a new job; from any thread."""
    stalled: Callable[[], int]
    """Returns how many runs stand still."""
    accounts: frozenset[str] = frozenset()
    """Owners whose repositories are served, in small letters; empty: all that have installed the App."""
    open: bool = True
    """False: the service is on its way down and takes nothing."""
    numbers: Numbers = field(default_factory=Numbers)
    threads: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(20))
    """Of their own, so that no page can keep a delivery waiting."""

    def close(self) -> None:
        """Take nothing more."""
        self.open = False

    async def webhook(self, request: Request) -> Response:
        """Take one delivery: checked, kept once, answered at once."""
        status, said = await self._take(request)
        self.numbers.count(said)
        return JSONResponse({"result": said}, status_code=status)

    async def _take(self, request: Request) -> tuple[int, str]:
        if not self.open:
            return 503, "closing"
        try:
            event, body = await self._checked(request)
        except TooLargeError:
            return 413, "too-large"
        except ValidationFailure:
            return 401, "forged"
        except (BadRequest, ValueError, LookupError, RecursionError, ClientDisconnect):
            return 400, "malformed"
        try:
            return 202, await to_thread.run_sync(self._keep, event, body, limiter=self.threads)
        except AWAY:
            return 503, "database"

    async def _checked(self, request: Request) -> tuple[Event, bytes]:
        """Return the event and its bytes. Raises `ValidationFailure`, before anything is read where no signature is."""
        if not _SIGNATURE.fullmatch(request.headers.get("x-hub-signature-256", "")):
            raise ValidationFailure("no signature of GitHub's form")
        body = await read_body(request)
        event = Event.from_http(request.headers, body, secret=self.secret)
        named = _EVENT.fullmatch(event.event) and _DELIVERY.fullmatch(event.delivery_id)
        if not named or not isinstance(event.data, dict):
            raise BadRequest(HTTPStatus.BAD_REQUEST, "not GitHub's form")
        return event, body

    def _keep(self, event: Event, body: bytes) -> str:
        if event.event in INSTALLATION_EVENTS:
            return self._keep_installation(event)
        order = to_order(event.event, event.data, body, delivery_id=event.delivery_id)
        if isinstance(order, JobOrder) and self.accounts and owner_of(order) not in self.accounts:
            order = Ignored("FIXLOOP_ACCOUNTS does not name the repository's owner")
        if isinstance(order, Ignored):
            new = self.queue.note_delivery(event.delivery_id, event.event, patience=PATIENCE_S)
            said = "ignored" if new else "known"
            self.log.note("delivery", delivery=event.delivery_id, name=event.event, result=said, reason=order.reason)
            return said
        said = "accepted" if self.queue.receive(order, patience=PATIENCE_S) else "known"
        self.log.note("delivery", delivery=event.delivery_id, name=event.event, result=said, job=order.job_id)
        self.wake()
        return said

    def _keep_installation(self, event: Event) -> str:
        """Take note of how an installation stands; what runs for one that is suspended is told to stop."""
        change = parse_installation_event(event.event, event.data)
        told = {"delivery": event.delivery_id, "name": event.event}
        if isinstance(change, Ignored):
            new = self.queue.note_delivery(event.delivery_id, event.event, patience=PATIENCE_S)
            self.log.note("delivery", **told, result="ignored" if new else "known", reason=change.reason)
            return "ignored" if new else "known"
        ended = Installations(self.queue).receive(change, event.delivery_id, event.event, patience=PATIENCE_S)
        if ended is None:
            return "known"
        standing = str(change.standing)
        self.log.note("installation", **told, number=change.installation_id, standing=standing, cancelled=ended)
        self.wake()
        return "accepted"

    async def health(self, _request: Request) -> Response:
        """Say that the process lives."""
        return PlainTextResponse("ok\n")

    async def ready(self, _request: Request) -> Response:
        """Say whether deliveries are taken, with the database asked."""
        try:
            await run_in_threadpool(self.queue.counts, patience=1.0)
        except AWAY:
            return PlainTextResponse("the database does not answer\n", status_code=503)
        return PlainTextResponse("ready\n" if self.open else "closing\n", status_code=200 if self.open else 503)

    async def metrics(self, _request: Request) -> Response:
        """Show the numbers."""
        try:
            jobs = await run_in_threadpool(self.queue.counts, patience=1.0)
            today = await run_in_threadpool(self.book.today, patience=1.0)
        except AWAY:
            return PlainTextResponse("the database does not answer\n", status_code=503)
        return Response(self.numbers.text(jobs, self.stalled(), today), media_type="text/plain; version=0.0.4")

    def app(self, *more: Mount) -> Starlette:
        """Return the application; `more` is what else is served beside it."""
        return Starlette(
            routes=[
                Route("/webhook", self.webhook, methods=["POST"]),
                Route("/healthz", self.health),
                Route("/readyz", self.ready),
                Route("/metrics", self.metrics),
                *more,
            ]
        )


async def read_body(request: Request) -> bytes:
    """Return the body. Raises `TooLargeError` as soon as it or the headers are known to be too large."""
    length = request.headers.get("content-length", "0")
    if not length.isascii() or not length.isdigit() or int(length[:12]) > MAX_BODY:
        raise TooLargeError
    if sum(len(name) + len(value) for name, value in request.headers.raw) > MAX_HEADERS:
        raise TooLargeError
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MAX_BODY:
            raise TooLargeError
    return bytes(body)


def owner_of(order: JobOrder) -> str:
    """Return who owns the repository, in small letters, as GitHub's names do not differ by case."""
    return order.repository.partition("/")[0].lower()


def to_order(name: str, payload: Mapping[str, Any], body: bytes, *, delivery_id: str) -> JobOrder | Ignored:
    """Return the job of an event that may ask for something, or why it asks for nothing."""
    trigger = parse_event(name, payload)
    if isinstance(trigger, Ignored):
        return trigger
    origin = trigger.origin
    if origin.installation_id is None:
        return Ignored("the delivery names no installation; it is not the App's webhook")
    return JobOrder(
        job_id=new_job_id(),
        kind=JobKind.EVENT,
        repository=origin.repository.full_name,
        installation_id=origin.installation_id,
        delivery_id=delivery_id,
        event=name,
        body=body,
    )
