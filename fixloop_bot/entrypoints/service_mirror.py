"""Keeping the receiver's records complete where workers share no disk."""

import asyncio

from fixloop_bot.adapters.checkpoints import Checkpoints
from fixloop_bot.adapters.record_mirror import RecordMirror
from fixloop_bot.adapters.service_database import AWAY
from fixloop_bot.adapters.state_folder import StateFolder
from fixloop_bot.entrypoints.service import Service
from fixloop_bot.entrypoints.service_stage import claim_here

EVERY_S = 2.0


async def mirror(service: Service) -> None:
    """Copy what other machines have kept, until cancelled; at once over where the database is this machine's own."""
    kept = RecordMirror(
        Checkpoints(service.database),
        StateFolder(service.place.records),
        service.membership.worker,
        lambda job_id: claim_here(service.place.job(job_id)),
    )
    while service.database.shared:
        try:
            for wrong in await asyncio.to_thread(kept.copy):
                service.log.note("mirror-failed", reason=wrong)
        except (OSError, *AWAY) as error:
            service.log.note("mirror-failed", reason=f"{type(error).__name__}: {error}")
        await asyncio.sleep(EVERY_S)
