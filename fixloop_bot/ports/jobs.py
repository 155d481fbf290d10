"""The bot service's durable work: what was asked for, and what became of it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class JobKind(StrEnum):
    """What a job does."""

    EVENT = "event"
    """Judge a webhook's event, and do what costs nothing."""
    RUN = "run"
    """One run on one branch."""


class JobState(StrEnum):
    """Where a job stands; all but the first two are final."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    SUPERSEDED = "superseded"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class JobOrder:
    """One job; the same id again is the same job."""

    job_id: str
    kind: JobKind
    repository: str
    """`owner/name`."""
    branch: str = ""
    """`owner/name:branch` of the head, of which one run at a time works; empty for an event."""
    installation_id: int
    delivery_id: str
    event: str
    body: bytes


class Jobs(Protocol):
    """A queue that survives its process. Jobs are worked on at least once."""

    def submit(self, order: JobOrder) -> bool:
        """Keep a job, in place of a run that waits for the same branch; False: the id is known, nothing changed."""
        ...

    def cancel(self, job_id: str) -> bool:
        """Take a waiting job out of the queue; False: it does not wait."""
        ...

    def status(self, job_id: str) -> JobState | None:
        """Return where the job stands, None where there is no such job."""
        ...
