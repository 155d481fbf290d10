"""The service's housekeeping, once an hour in each worker."""

import asyncio
from typing import Final

from fixloop_bot.adapters.service_database import AWAY
from fixloop_bot.adapters.upkeep import Upkeep
from fixloop_bot.entrypoints.service_log import ServiceLog

EVERY_S: Final = 3600.0


async def keep_up(upkeep: Upkeep, log: ServiceLog) -> None:
    """Forget what nobody needs, at the start and every hour, until cancelled."""
    while True:
        try:
            rows, folders = await asyncio.to_thread(upkeep.forget), await asyncio.to_thread(upkeep.clear)
        except (OSError, *AWAY) as error:
            log.note("upkeep-failed", reason=f"{type(error).__name__}: {error}")
        else:
            log.note("upkeep", rows=rows, folders=folders)
        await asyncio.sleep(EVERY_S)
