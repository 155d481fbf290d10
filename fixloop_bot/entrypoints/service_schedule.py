"""The service's clock: sweeps at the times of a cron line, begun by one of the workers.

scheduler = Scheduler(queue, settings, log, wake)
task = asyncio.create_task(scheduler.run())     # beside the dispatcher
scheduler.close()                               # at the end; then await the task
"""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from fixloop_bot.adapters.job_queue import JobQueue
from fixloop_bot.adapters.service_database import AWAY
from fixloop_bot.adapters.sweep_turns import SCHEDULE, SweepTurns
from fixloop_bot.entrypoints.service_log import ServiceLog
from fixloop_bot.entrypoints.service_settings import ServiceSettings
from fixloop_bot.ports.jobs import SWEEP_ALL, JobKind, JobOrder

LOOK_EVERY_S: Final = 20.0
"""Cron lines speak of minutes."""


class Scheduler:
    """Of one worker; without a cron line it does nothing."""

    def __init__(self, queue: JobQueue, settings: ServiceSettings, log: ServiceLog, wake: Callable[[], object]) -> None:
        """`wake` tells the dispatcher of a new job; it is called in the event loop's thread."""
        self._turns = SweepTurns(queue)
        self._cron = settings.sweep_cron
        self._log = log
        self._wake = wake
        self._over = asyncio.Event()

    async def run(self) -> None:
        """Look whether a sweep is due, again and again, until `close`."""
        while self._cron and not self._over.is_set():
            await self._look()
            try:
                await asyncio.wait_for(self._over.wait(), LOOK_EVERY_S)
            except TimeoutError:
                continue

    def close(self) -> None:
        """Begin nothing more."""
        self._over.set()

    async def _look(self) -> None:
        try:
            begun = await asyncio.to_thread(self._turns.take, self._cron, sweep_order)
        except AWAY as error:
            self._log.note("schedule-failed", reason=type(error).__name__)
            return
        if begun is not None:
            self._log.note("sweep-begun", job=begun.job_id, cron=self._cron)
            self._wake()


def sweep_order(at: float) -> JobOrder:
    """Return the job of the sweep of this time, in seconds since the epoch; the id says which time."""
    when = datetime.fromtimestamp(at, UTC)
    return JobOrder(
        job_id=f"{when:%Y%m%dT%H%M%S}-sweep",
        kind=JobKind.EVENT,
        repository="",
        installation_id=0,
        delivery_id=f"{SCHEDULE}{when:%Y%m%dT%H%M%S}",
        event=SWEEP_ALL,
        body=b"{}",
    )
