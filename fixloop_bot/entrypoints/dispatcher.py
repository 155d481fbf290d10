"""The service's workers: at most so many jobs at once, each in a process of its own."""

import asyncio
import sys
from pathlib import Path
from typing import Final

from fixloop_bot.adapters.job_queue import JobQueue
from fixloop_bot.entrypoints.service_job import SUSPENDED
from fixloop_bot.entrypoints.service_log import ServiceLog
from fixloop_bot.ports.jobs import JobOrder, JobState

_LOOK_EVERY_S: Final = 1.0
"""Jobs come from other processes, too."""


class Dispatcher:
    """Starts jobs and writes down how they end."""

    def __init__(self, queue: JobQueue, root: Path, workers: int, log: ServiceLog) -> None:
        self._queue = queue
        self._root = root
        self._workers = workers
        self._log = log
        self._woken = asyncio.Event()
        self._closing = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._pipes: set[asyncio.StreamWriter] = set()

    def wake(self) -> None:
        """Look for jobs at once."""
        self._woken.set()

    async def run(self) -> None:
        """Work until `close`, and until the running jobs are suspended after it."""
        while not self._closing:
            self._start_what_may()
            try:
                await asyncio.wait_for(self._woken.wait(), _LOOK_EVERY_S)
            except TimeoutError:
                continue
            finally:
                self._woken.clear()
        await asyncio.gather(*self._tasks)

    def close(self) -> None:
        """Start nothing more, and have the running jobs suspended: they end with their pipe."""
        self._closing = True
        for pipe in self._pipes:
            pipe.close()
        self.wake()

    def _start_what_may(self) -> None:
        while len(self._tasks) < self._workers and (order := self._queue.claim()) is not None:
            task = asyncio.create_task(self._work(order))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            task.add_done_callback(lambda _task: self.wake())

    async def _work(self, order: JobOrder) -> None:
        told = {"job": order.job_id, "kind": str(order.kind), "delivery": order.delivery_id}
        self._log.note("job-started", **told, repository=order.repository)
        code = await self._process(order)
        if code == SUSPENDED:
            self._queue.put_back(order.job_id)
        else:
            self._queue.end(order.job_id, JobState.FAILED if code else JobState.DONE)
        self._log.note("job-ended", **told, code=code)

    async def _process(self, order: JobOrder) -> int:
        argv = ("-m", "fixloop_bot.entrypoints.service_job", str(self._root), order.job_id)
        process = await asyncio.create_subprocess_exec(
            sys.executable, *argv, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL
        )
        if process.stdin is None:
            return await process.wait()
        self._pipes.add(process.stdin)
        if self._closing:
            process.stdin.close()
        try:
            return await process.wait()
        finally:
            self._pipes.discard(process.stdin)
            process.stdin.close()
