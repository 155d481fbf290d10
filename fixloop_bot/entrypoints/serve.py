"""`fixloop serve`: the GitHub App's webhook receiver, and a worker; `fixloop worker`: one more worker."""

import argparse
import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.routing import Mount

from fixloop_bot.adapters.history_cache import HistoryCache
from fixloop_bot.adapters.job_queue import JobQueue
from fixloop_bot.adapters.ledger import SpendingBook
from fixloop_bot.adapters.service_gauge import ServiceGauge
from fixloop_bot.adapters.state_folder import StateFolder
from fixloop_bot.entrypoints.dashboard.mounting import Served, mounted
from fixloop_bot.entrypoints.dashboard_settings import load_dashboard_settings
from fixloop_bot.entrypoints.exit_code import ExitCode
from fixloop_bot.entrypoints.hurried import HurriedProtocol
from fixloop_bot.entrypoints.service import Service, open_service, work
from fixloop_bot.entrypoints.service_mirror import mirror
from fixloop_bot.entrypoints.settings import SettingsError
from fixloop_bot.entrypoints.webhook import Desk
from fixloop_bot.model.spending import Scope, Spending

SHOWN_PATIENCE_S = 5.0
"""A person waits for the page."""
SECONDS = 1.0
"""A page's records are at most so old."""


def serve_command(arguments: argparse.Namespace) -> int:
    """Serve until SIGTERM or SIGINT. Raises `SettingsError` for settings, a place or a port that cannot be used."""
    with open_service(arguments) as service, _listening(arguments.host, arguments.port) as listener:
        asyncio.run(_serve(arguments, service, listener))
    return ExitCode.DONE


def worker_command(arguments: argparse.Namespace) -> int:
    """Work until SIGTERM or SIGINT, on the same database as `fixloop serve`. Raises as that does."""
    with open_service(arguments) as service:
        service.log.note("working", worker=service.membership.worker, workers=arguments.workers)
        asyncio.run(work(service))
    return ExitCode.DONE


async def _serve(arguments: argparse.Namespace, service: Service, listener: socket.socket) -> None:
    loop, dispatcher = asyncio.get_running_loop(), service.dispatcher
    desk = Desk(
        queue=JobQueue(service.database),
        book=SpendingBook(database=service.database, budgets=service.settings.budgets),
        secret=service.settings.webhook_secret.get_secret_value(),
        log=service.log,
        accounts=service.settings.account_names,
        wake=lambda: loop.call_soon_threadsafe(dispatcher.wake),
        stalled=lambda: len(dispatcher.stalled),
    )
    place = (arguments.host, int(listener.getsockname()[1]))
    pages = _pages(place, desk.queue, desk.book, service)
    config = uvicorn.Config(
        desk.app(*pages), log_config=None, access_log=False, server_header=False, h11_max_incomplete_event_size=32_768,
        http=HurriedProtocol, limit_concurrency=500, timeout_keep_alive=15, timeout_graceful_shutdown=5, lifespan="off",
    )  # fmt: skip
    server = uvicorn.Server(config)
    told = {"worker": service.membership.worker, "workers": arguments.workers}
    service.log.note("listening", host=place[0], port=place[1], **told)
    serving = asyncio.create_task(server.serve([listener]))
    mirroring = asyncio.create_task(mirror(service))
    await work(service, [serving], on_close=desk.close)
    server.should_exit = True
    mirroring.cancel()
    await serving


def _pages(place: tuple[str, int], queue: JobQueue, book: SpendingBook, service: Service) -> tuple[Mount, ...]:
    """Return the dashboard, where it is on. Raises `SettingsError`."""
    gauge = ServiceGauge(database=service.database, stall_after=service.settings.stall_after)
    served = Served(
        records=HistoryCache(StateFolder(service.place.records), seconds=SECONDS),
        jobs=service.place.jobs,
        host=place[0],
        port=place[1],
        queue=queue,
        github=service.settings,
        redact=service.log.redact,
        spending=lambda: _spent(book),
        health=lambda: gauge.read(patience=SHOWN_PATIENCE_S),
    )
    board = mounted(served, load_dashboard_settings(), service.log)
    return (board,) if board else ()


def _spent(book: SpendingBook) -> tuple[Spending, ...]:
    """Return the day's budget, and the most used ones of each narrower scope."""
    narrower = (scope for scope in Scope if scope is not Scope.DAY)
    return (book.today(), *(one for scope in narrower for one in book.largest(scope, most=20)))


@contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    try:
        listener = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise SettingsError(f"{host}:{port} cannot be listened on: {error.strerror}") from None
    with listener:
        yield listener
