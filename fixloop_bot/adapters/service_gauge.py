"""How the service stands, by its database."""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, text

from fixloop_bot.adapters.service_database import PATIENCE_S, Database
from fixloop_bot.model.service_health import NoProgress, ServiceHealth, WorkerHealth

LATE_S: Final = 10.0
"""Seconds without a sign of life after which a worker is shown as late; it gives one every second."""

_JOBS: Final = text("SELECT state, COUNT(*) FROM jobs GROUP BY state ORDER BY state")
_OLDEST: Final = text("SELECT MIN(created_at) FROM jobs WHERE state = 'waiting'")
_WORKERS: Final = text("""
    SELECT worker, seen_at, (SELECT COUNT(*) FROM jobs WHERE jobs.worker = workers.worker AND state = 'running')
    FROM workers ORDER BY started_at, worker
""")
_STILL: Final = text("""
    SELECT job_id, repository, progressed_at FROM jobs
    WHERE state = 'running' AND kind = 'run' AND progressed_at < :limit ORDER BY progressed_at, number LIMIT 50
""")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceGauge:
    """Reads it."""

    database: Database
    stall_after: float
    """Seconds."""

    def read(self, *, patience: float = PATIENCE_S) -> ServiceHealth:
        """Return how the service stands now. Raises as the database does."""
        return self.database.read(self._read, patience=patience)

    def _read(self, connection: Connection) -> ServiceHealth:
        now = self.database.now(connection)
        oldest = connection.execute(_OLDEST).scalar()
        return ServiceHealth(
            jobs={str(row[0]): int(row[1]) for row in connection.execute(_JOBS)},
            oldest_waiting_s=None if oldest is None else max(0.0, now - oldest),
            workers=tuple(
                WorkerHealth(name=name, seen_s=max(0.0, now - seen), running=running, is_late=now - seen > LATE_S)
                for name, seen, running in connection.execute(_WORKERS)
            ),
            no_progress=tuple(
                NoProgress(run_id=job_id, repository=repository, silent_s=now - moved)
                for job_id, repository, moved in connection.execute(_STILL, {"limit": now - self.stall_after})
            ),
        )
