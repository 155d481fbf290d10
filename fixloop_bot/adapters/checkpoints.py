"""Runs under way in the service's database, so that another machine can go on with them, and show them."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, text

from fixloop_bot.adapters.service_database import Database


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of a run."""

    claim: int
    """Under which it was worked on."""
    archive: bytes


@dataclass(frozen=True, slots=True)
class News:
    """That something is kept."""

    job_id: str
    claim: int
    saved_at: float
    """Seconds since the epoch, by the database's clock."""


class Checkpoints:
    """One archive a run, the newest."""

    def __init__(self, database: Database) -> None:
        """Keep them in an open database."""
        self._database = database

    def save(self, job_id: str, claim: int, archive: bytes) -> bool:
        """Keep an archive in place of an older one; False: somebody else has the job by now, nothing is changed."""

        def work(connection: Connection) -> bool:
            given = {"id": job_id, "claim": claim, "now": self._database.now(connection), "archive": archive}
            mine = "SELECT 1 FROM jobs WHERE job_id = :id AND claim = :claim AND state = 'running'"
            if connection.execute(text(mine), given).first() is None:
                return False
            put = """
                INSERT INTO checkpoints VALUES (:id, :claim, :now, :archive) ON CONFLICT (job_id)
                DO UPDATE SET claim = :claim, saved_at = :now, archive = :archive
            """
            connection.execute(text(put), given)
            return True

        return self._database.write(work)

    def load(self, job_id: str) -> Kept | None:
        """Return what is kept of a run, None for nothing."""
        sql = text("SELECT claim, archive FROM checkpoints WHERE job_id = :id")
        found = self._database.read(lambda connection: connection.execute(sql, {"id": job_id}).first())
        return Kept(found.claim, bytes(found.archive)) if found is not None else None

    def since(self, saved_at: float, *, but_of: str = "") -> Sequence[News]:
        """Return what was saved at or after a time, oldest first, by any worker but this one."""
        sql = text(
            "SELECT checkpoints.job_id, checkpoints.claim, checkpoints.saved_at FROM checkpoints"
            " JOIN jobs ON jobs.job_id = checkpoints.job_id AND jobs.worker <> :worker"
            " WHERE checkpoints.saved_at >= :at ORDER BY checkpoints.saved_at"
        )
        given = {"at": saved_at, "worker": but_of}
        found = self._database.read(lambda connection: connection.execute(sql, given).all())
        return [News(job_id, claim, saved) for job_id, claim, saved in found]
