"""Keeping the receiver's records complete where workers share no disk."""

import asyncio

from sqlalchemy.exc import DBAPIError

from fixloop_bot.adapters.checkpoints import Checkpoints
from fixloop_bot.adapters.record_mirror import RecordMirror
from fixloop_bot.adapters.run_archive import BrokenArchiveError
from fixloop_bot.adapters.state_folder import StateFolder
from fixloop_bot.entrypoints.service import Service

EVERY_S = 2.0


async def mirror(service: Service) -> None:
    """Copy what other machines have kept, until cancelled; at once over where the database is this machine's own."""
    worker = service.membership.worker
    kept = RecordMirror(Checkpoints(service.database), StateFolder(service.place.records), service.place.jobs, worker)
    while service.database.shared:
        try:
            await asyncio.to_thread(kept.copy)
        except (BrokenArchiveError, OSError, DBAPIError) as error:
            service.log.note("mirror-failed", reason=f"{type(error).__name__}: {error}")
        await asyncio.sleep(EVERY_S)
