"""A worker of the service from its start to its end in good order; `serve` is one that also answers the web."""

import argparse
import asyncio
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from fixloop_bot.adapters.job_claims import JobClaims
from fixloop_bot.adapters.job_queue import JobQueue
from fixloop_bot.adapters.membership import Membership, new_worker_name
from fixloop_bot.adapters.service_database import Database
from fixloop_bot.adapters.upkeep import Upkeep
from fixloop_bot.core.redact import redactor
from fixloop_bot.entrypoints.dispatcher import Dispatcher
from fixloop_bot.entrypoints.service_access import opened, service_secrets, to_lock
from fixloop_bot.entrypoints.service_log import ServiceLog
from fixloop_bot.entrypoints.service_place import ServicePlace, to_place
from fixloop_bot.entrypoints.service_schedule import Scheduler
from fixloop_bot.entrypoints.service_settings import ServiceSettings, load_service_settings
from fixloop_bot.entrypoints.service_tracing import traced
from fixloop_bot.entrypoints.service_upkeep import keep_up
from fixloop_bot.entrypoints.settings import environment, take_secret_files

START_PATIENCE_S = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """What a worker works with."""

    settings: ServiceSettings
    place: ServicePlace
    database: Database
    log: ServiceLog
    membership: Membership
    dispatcher: Dispatcher


@contextmanager
def open_service(arguments: argparse.Namespace) -> Iterator[Service]:
    """Open everything. Raises `SettingsError` for settings, a place or a database that cannot be used."""
    take_secret_files()
    settings = load_service_settings()
    log = ServiceLog(redactor(service_secrets(environment(), settings)))
    place = to_place(arguments.state_dir)
    with traced(log, environment()), opened(place, settings, patience=START_PATIENCE_S) as database:
        name = new_worker_name()
        claims = JobClaims(database, name, settings.capacity)
        membership = Membership(database, to_lock(place, database), name)
        slots, stall_after = arguments.workers, settings.stall_after
        yield Service(
            settings=settings,
            place=place,
            database=database,
            log=log,
            membership=membership,
            dispatcher=Dispatcher(claims, membership, place, log, slots=slots, stall_after=stall_after),
        )


async def work(
    service: Service, beside: Sequence["asyncio.Task[None]"] = (), *, on_close: Callable[[], None] = lambda: None
) -> None:
    """Work until SIGTERM or SIGINT, or until the worker or a task beside it ends by itself; then suspend the runs."""
    working = asyncio.create_task(service.dispatcher.run())
    queue = JobQueue(service.database)
    scheduler = Scheduler(queue, service.settings, service.log, service.dispatcher.wake)
    keeping = asyncio.create_task(keep_up(Upkeep(queue, service.place.jobs), service.log))
    looking = asyncio.create_task(scheduler.run())
    await _asked_to_stop(working, *beside)
    service.log.note("closing", worker=service.membership.worker)
    on_close()
    scheduler.close()
    keeping.cancel()
    service.dispatcher.close()
    await asyncio.gather(working, looking)


async def _asked_to_stop(*tasks: "asyncio.Task[None]") -> None:
    asked = asyncio.Event()
    await asyncio.sleep(0)  # uvicorn takes the signals when it starts; these come after
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, asked.set)
    waiting = asyncio.create_task(asked.wait())
    await asyncio.wait([*tasks, waiting], return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
