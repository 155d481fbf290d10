"""A worker: at most so many runs at once, each in a process of its own, and what dead workers have left."""

import asyncio
from typing import Final

from fixloop_bot.adapters.job_claims import JobClaims
from fixloop_bot.adapters.membership import Membership
from fixloop_bot.adapters.service_database import AWAY
from fixloop_bot.entrypoints.child import Child, started
from fixloop_bot.entrypoints.event_desk import LATER, EventDesk
from fixloop_bot.entrypoints.service_job import SUSPENDED
from fixloop_bot.entrypoints.service_log import ServiceLog
from fixloop_bot.entrypoints.service_place import ServicePlace
from fixloop_bot.ports.jobs import ClaimedJob, JobKind, JobState

LOOK_EVERY_S: Final = 0.25
"""A stop must be heard within two seconds, and jobs come from other processes, too."""
BEAT_EVERY_S: Final = 1.0
STALLS_EVERY_S: Final = 30.0
JUDGES: Final = 2
"""So that one event that takes long keeps no other from being judged."""


class Dispatcher:
    """Starts runs, passes on what is asked of them, and writes down how they end."""

    def __init__(
        self,
        claims: JobClaims,
        membership: Membership,
        place: ServicePlace,
        log: ServiceLog,
        *,
        slots: int,
        stall_after: float,
    ) -> None:
        """Work for the worker that claims and membership name."""
        self._claims, self._membership, self._place, self._log = claims, membership, place, log
        self._slots, self._stall_after = slots, stall_after
        self._woken = asyncio.Event()
        self._closing = self._in_doubt = False
        self._runs: dict[str, tuple[ClaimedJob, Child | None, JobState | None]] = {}
        self._desks = [EventDesk(claims, place, log) for _ in range(JUDGES if slots else 0)]
        self._nobodys: set[tuple[str, int]] = set()
        self.stalled: frozenset[str] = frozenset()

    def wake(self) -> None:
        """Look for jobs at once."""
        self._woken.set()

    async def run(self) -> None:
        """Work until `close`, and until the running jobs are suspended after it.

        What nobody expects in any part ends the whole: everything is durable, and a new process begins in good order.
        """
        self._in_doubt = not await self._sure()
        async with asyncio.TaskGroup() as group:
            beating = group.create_task(self._beat())
            async with asyncio.TaskGroup() as working:
                for desk in self._desks[:1]:
                    await desk.warm()
                for desk in self._desks:
                    working.create_task(self._judge(desk))
                while not self._closing:
                    await self._look(working)
                    await self._pause(LOOK_EVERY_S)
                for run in self._runs.values():
                    _let_go(run[1])
            beating.cancel()
        await asyncio.to_thread(self._membership.leave)

    def close(self) -> None:
        """Start nothing more, and have the running jobs suspended."""
        self._closing = True
        for desk in self._desks:
            desk.leave()
        self.wake()

    async def _look(self, working: asyncio.TaskGroup) -> None:
        """Take what may start, and hold what is under way against the database."""
        await self._pass_on()
        while len(self._runs) < self._slots and not self._closing and not self._in_doubt:
            job = await asyncio.to_thread(self._claims.claim, JobKind.RUN)
            if job is None:
                return
            self._runs[job.order.job_id] = (job, None, None)
            working.create_task(self._work(job))

    async def _pass_on(self) -> None:
        """Tell runs what is wanted of them, suspend those that are another's, put back those that nobody works on."""
        known = {job_id: (claim, wanted) for job_id, claim, wanted in await asyncio.to_thread(self._claims.under_way)}
        for job_id, (job, child, heard) in list(self._runs.items()):
            claim, wanted = known.get(job_id, (0, None))
            if child is None:
                continue
            if claim != job.claim:
                child.let_go()
            elif wanted is not None and heard is None:
                self._runs[job_id] = (job, child, wanted)
                child.say(wanted)
        nobodys = {(job_id, known[job_id][0]) for job_id in known if self._is_free(job_id)}
        for job_id, claim in nobodys & self._nobodys:
            await asyncio.to_thread(self._claims.put_back, job_id, claim)
        self._nobodys = nobodys

    def _is_free(self, job_id: str) -> bool:
        """Return whether nobody here works on a job: its claim was not heard of, as the database went away."""
        return job_id not in self._runs and not any(desk.claiming or job_id in desk.busy for desk in self._desks)

    async def _work(self, job: ClaimedJob) -> None:
        order = job.order
        told = {
            "job": order.job_id,
            "delivery": order.delivery_id,
            "repository": order.repository,
            "branch": order.branch,
        }
        self._log.note("run-started", **told, claim=job.claim)
        child = await started("service_job", [str(self._place.root), order.job_id, str(job.claim)])
        self._runs[order.job_id] = (job, child, job.wanted)
        if self._closing or self._in_doubt:
            child.let_go()
        code = await child.ended()
        if code == SUSPENDED:
            await asyncio.to_thread(self._claims.put_back, order.job_id, job.claim)
        elif code == LATER:
            await asyncio.to_thread(self._claims.later, order.job_id, job.claim)
        elif code < 0:  # a signal: the system was short of memory, or somebody killed it
            await asyncio.to_thread(self._claims.died, order.job_id, job.claim)
        else:
            state = JobState.FAILED if code else JobState.DONE
            await asyncio.to_thread(self._claims.end, order.job_id, job.claim, state)
        self._log.note("run-ended", **told, code=code)
        del self._runs[order.job_id]
        self.wake()

    async def _judge(self, desk: EventDesk) -> None:
        while not self._closing:
            if self._in_doubt or not await desk.take():
                await self._pause(LOOK_EVERY_S)
            else:
                self.wake()
        await desk.close()

    async def _beat(self) -> None:
        """Say that this worker lives, take over from those that do not, and look for runs that stand still."""
        beats = 0
        while True:
            sure = await self._sure()
            if not sure and not self._in_doubt:
                self._log.note("lock-lost", worker=self._claims.worker)
                for run in self._runs.values():
                    _let_go(run[1])
            self._in_doubt = not sure
            if sure:
                await self._take_over()
                if beats % int(STALLS_EVERY_S / BEAT_EVERY_S) == 0:
                    await self._look_for_stalls()
            beats += 1
            await asyncio.sleep(BEAT_EVERY_S)

    async def _sure(self) -> bool:
        """Beat; a database that does not answer must not keep this worker from letting go in time."""
        try:
            return await asyncio.wait_for(asyncio.to_thread(self._membership.beat), BEAT_EVERY_S)
        except (TimeoutError, *AWAY):
            return self._membership.sure

    async def _take_over(self) -> None:
        for worker in await asyncio.to_thread(self._membership.gone):
            moved = await asyncio.to_thread(self._claims.take_over, worker)
            self._log.note("worker-gone", worker=worker, jobs=moved)
            self.wake()

    async def _look_for_stalls(self) -> None:
        found = frozenset(await asyncio.to_thread(self._claims.stalled, self._stall_after))
        for job_id in sorted(found - self.stalled):
            self._log.note("run-stalled", job=job_id, seconds=int(self._stall_after))
        self.stalled = found

    async def _pause(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._woken.wait(), seconds)
        except TimeoutError:
            return
        finally:
            self._woken.clear()


def _let_go(child: Child | None) -> None:
    if child is not None:
        child.let_go()
