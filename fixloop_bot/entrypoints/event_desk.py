"""Events of the queue, judged one after the other by a warm process."""

import asyncio
from typing import Final

from fixloop_bot.adapters.job_claims import JobClaims
from fixloop_bot.entrypoints.child import Child, started
from fixloop_bot.entrypoints.service_log import ServiceLog
from fixloop_bot.entrypoints.service_place import ServicePlace
from fixloop_bot.ports.jobs import ClaimedJob, JobKind, JobState

MOST: Final = 500
"""Events after which the process is a new one: what leaks, leaks little."""
LATER: Final = 69
"""Exit code of a job for which GitHub was away (EX_UNAVAILABLE of sysexits.h): it is begun again after a while."""
TRIES: Final = 14
"""Of an event whose judge died, or found GitHub away: about two hours of that. Then it is given up."""
GRACE_S: Final = 5.0
"""For an event in hand when the service ends; one that takes longer, as GitHub does, is judged at the next start."""


class EventDesk:
    """One of a worker's judges."""

    def __init__(self, claims: JobClaims, place: ServicePlace, log: ServiceLog) -> None:
        """Judge for a worker."""
        self._claims = claims
        self._place = place
        self._log = log
        self._child: Child | None = None
        self._judged = 0
        self.busy: set[str] = set()
        """Jobs in hand."""
        self.claiming = self._leaving = False

    async def warm(self) -> Child:
        """Return the process, loaded before there is an event: a stop may be the first."""
        if self._child is None:
            self._child = await started("service_judge", [str(self._place.root)], answers=True)
        return self._child

    async def take(self) -> bool:
        """Judge the next event; False: there is none."""
        self.claiming = True
        try:
            job = await asyncio.to_thread(self._claims.claim, JobKind.EVENT)
            if job is None:
                return False
            self.busy.add(job.order.job_id)
        finally:
            self.claiming = False
        try:
            await self._judge(job)
        finally:
            self.busy.discard(job.order.job_id)
        return True

    async def close(self) -> None:
        """Let the process end."""
        if self._child is not None:
            child, self._child, self._judged = self._child, None, 0
            child.let_go()
            await child.ended()

    def leave(self) -> None:
        """Judge nothing more, and put back what is in hand unless it comes to its end soon."""
        self._leaving = True
        if self._child is not None:
            self._child.let_go()
            asyncio.get_running_loop().call_later(GRACE_S, self._child.end)

    async def _judge(self, job: ClaimedJob) -> None:
        told = {"job": job.order.job_id, "delivery": job.order.delivery_id, "repository": job.order.repository}
        self._log.note("event-started", **told, name=job.order.event)
        code = await self._asked(job) if job.wanted is None else 0  # nobody wants it any more
        if code is None and (self._leaving or job.claim < TRIES):
            await asyncio.to_thread(self._claims.put_back, job.order.job_id, job.claim)
        elif code == LATER and job.claim < TRIES:
            await asyncio.to_thread(self._claims.later, job.order.job_id, job.claim)
        else:
            state = JobState.DONE if code == 0 else JobState.FAILED
            await asyncio.to_thread(self._claims.end, job.order.job_id, job.claim, state)
        self._log.note("event-ended", **told, code=-1 if code is None else code)

    async def _asked(self, job: ClaimedJob) -> int | None:
        """Return the judge's exit code, None where it died over it or the service ends."""
        if self._leaving:
            return None
        if self._judged >= MOST:
            await self.close()
        child = await self.warm()
        self._judged += 1
        child.say(f"{job.order.job_id} {job.claim}")
        while line := await child.heard():
            name, _, code = line.strip().partition(" ")
            if name == job.order.job_id and code.isdigit():
                return int(code)
        await self.close()
        return None
