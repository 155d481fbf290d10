"""What the service forgets: rows and clones that nobody needs any more."""

import fcntl
import shutil
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, text

from fixloop_bot.adapters.job_queue import JobQueue
from fixloop_bot.ports.jobs import JobState

DAY_S: Final = 86_400.0
ARCHIVES_S: Final = 2 * DAY_S
"""Archives of ended runs: every receiver has copied them long before."""
KNOWN_S: Final = 180 * DAY_S
"""Deliveries, payloads and ended jobs: what is sent again after that is new."""

_OPEN: Final = "('waiting', 'running')"
_FORGET: Final = (
    f"DELETE FROM checkpoints WHERE saved_at < :archives AND NOT EXISTS (SELECT 1 FROM jobs"  # noqa: S608
    f" WHERE jobs.job_id = checkpoints.job_id AND jobs.state IN {_OPEN})",
    f"DELETE FROM payloads WHERE EXISTS (SELECT 1 FROM jobs WHERE jobs.delivery_id = payloads.delivery_id"  # noqa: S608
    f" AND jobs.kind = 'event' AND jobs.created_at < :known AND jobs.state NOT IN {_OPEN})",
    f"DELETE FROM deliveries WHERE EXISTS (SELECT 1 FROM jobs WHERE jobs.delivery_id = deliveries.delivery_id"  # noqa: S608
    f" AND jobs.kind = 'event' AND jobs.created_at < :known AND jobs.state NOT IN {_OPEN})",
    f"DELETE FROM jobs WHERE created_at < :known AND state NOT IN {_OPEN}",  # noqa: S608
    "DELETE FROM reservations WHERE reserved_at < :archives",
)
"""Deliveries without a job are small and stay. A reservation's money is in the books already."""


class Upkeep:
    """Of one worker."""

    def __init__(self, queue: JobQueue, jobs: Path) -> None:
        """Forget in the queue's database, and clones in the folder `jobs` of this machine."""
        self._queue = queue
        self._jobs = jobs

    def forget(self) -> int:
        """Delete rows; return how many. Raises as the database does."""

        def work(connection: Connection) -> int:
            now = self._queue.database.now(connection)
            given = {"archives": now - ARCHIVES_S, "known": now - KNOWN_S}
            return sum(connection.execute(text(sql), given).rowcount for sql in _FORGET)

        return self._queue.database.write(work)

    def clear(self) -> int:
        """Delete the folders of jobs that have ended, here or elsewhere; return how many. Raises as `forget` does."""
        return sum(self._cleared(folder) for folder in sorted(self._jobs.iterdir()) if folder.is_dir())

    def _cleared(self, folder: Path) -> bool:
        if self._queue.status(folder.name) in (JobState.WAITING, JobState.RUNNING):
            return False
        try:
            with (folder / "job.lock").open("a") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            return False  # a process still works in it, or it is gone
        return True
