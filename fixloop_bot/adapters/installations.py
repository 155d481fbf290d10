"""The App's installations in the service's database: a suspended or deleted one has no work done for it."""

from collections.abc import Iterable, Sequence
from typing import Final

from sqlalchemy import Connection, text

from fixloop_bot.adapters.job_queue import JobQueue, end_jobs
from fixloop_bot.adapters.service_database import PATIENCE_S
from fixloop_bot.model.installation import InstallationChange, Standing

_KEEP: Final = text("""
    INSERT INTO installations VALUES (:id, :account, :standing, :changed_at)
    ON CONFLICT (installation_id) DO UPDATE
        SET account = excluded.account, standing = excluded.standing, changed_at = excluded.changed_at
        WHERE installations.changed_at <= excluded.changed_at AND installations.standing <> 'deleted'
""")
"""Deliveries come in any order, so an older one changes nothing; what is deleted stays so."""


class Installations:
    """Of one service; any thread may use it."""

    def __init__(self, queue: JobQueue) -> None:
        """Work in the database of the queue whose jobs these are."""
        self._queue = queue
        self._database = queue.database

    def receive(
        self, change: InstallationChange, delivery_id: str, event: str, *, patience: float = PATIENCE_S
    ) -> int | None:
        """Keep a delivery and what it says, both or neither, and cancel the jobs that end with it.

        Returns how many jobs; None: the delivery was received before.
        """

        def work(connection: Connection) -> int | None:
            if not self._queue.first(connection, delivery_id, event):
                return None
            return _apply(connection, change)

        return self._database.write(work, patience=patience)

    def refresh(self, found: Iterable[InstallationChange]) -> int:
        """Take over what GitHub lists; return how many jobs were cancelled."""
        changes = tuple(found)
        return self._database.write(lambda connection: sum(_apply(connection, change) for change in changes))

    def standing(self, installation_id: int) -> Standing:
        """Return how an installation stands; one that nothing is known of is active."""
        sql = text("SELECT standing FROM installations WHERE installation_id = :id")
        given = {"id": installation_id}
        found = self._database.read(lambda connection: connection.execute(sql, given).scalar())
        return Standing(found) if found else Standing.ACTIVE

    def all(self) -> Sequence[InstallationChange]:
        """Return all that are known, by account."""
        sql = text(
            "SELECT installation_id, account, standing, changed_at FROM installations ORDER BY account, installation_id"
        )
        found = self._database.read(lambda connection: connection.execute(sql).all())
        return [
            InstallationChange(installation_id=number, account=account, standing=Standing(standing), changed_at=changed)
            for number, account, standing, changed in found
        ]


def _apply(connection: Connection, change: InstallationChange) -> int:
    told = {
        "id": change.installation_id,
        "account": change.account,
        "standing": str(change.standing),
        "changed_at": change.changed_at,
    }
    if connection.execute(_KEEP, told).rowcount != 1:
        return 0
    given: dict[str, object] = {"installation": change.installation_id}
    if change.standing is not Standing.ACTIVE:
        return end_jobs(connection, "installation_id = :installation", given)
    where = "installation_id = :installation AND repository = :repository"
    return sum(end_jobs(connection, where, {**given, "repository": name}) for name in change.removed)
