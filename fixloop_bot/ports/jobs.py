"""The bot service's durable work: what was asked for, and what became of it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol


class JobKind(StrEnum):
    """What a job does."""

    EVENT = "event"
    """Judge a webhook's event, and do what costs nothing."""
    RUN = "run"
    """One run on one branch."""


SWEEP_ALL: Final = "fixloop-sweep-all"
"""Event of the service's own: look where the App is installed, and sweep each repository. No webhook is named so."""
SWEEP_ONE: Final = "fixloop-sweep"
"""Event of the service's own: choose in one repository; its body is the `SweepTicket`."""


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
    head: str = ""
    """Commit that a run begins with."""
    installation_id: int
    delivery_id: str
    event: str
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedJob:
    """A job that a worker has begun."""

    order: JobOrder
    claim: int
    """How often it was begun; a higher one ends the right of all lower ones."""
    wanted: JobState | None = None
    """What it is to end as, where somebody has asked for its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Capacity:
    """How much may run at once, over all workers; 0 is no bound beyond each worker's own."""

    runs: int = 0
    runs_per_repository: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRun:
    """A run that waits for a worker, or that a worker has in hand."""

    job_id: str
    """The run's id, too."""
    branch: str
    """`owner/name:branch`."""
    running: bool


class Jobs(Protocol):
    """A queue that survives its process. Jobs are worked on at least once."""

    def submit(self, order: JobOrder, *, asked_by: str = "") -> bool:
        """Keep a job; False: the id is known, or it is a run that a stop ends; nothing changed.

        `asked_by` is the job of the event that asks for it: a stop that came in after that event counts, though it was
        judged before. A run supersedes the one that waits for the same branch, and the one under way there if it has
        another head.
        """
        ...

    def cancel(self, job_id: str) -> bool:
        """Take a waiting job out of the queue, ask a running one to end; False: it is neither."""
        ...

    def status(self, job_id: str) -> JobState | None:
        """Return where the job stands, None where there is no such job."""
        ...
