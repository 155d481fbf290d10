"""How the service stands: its queue, its workers, and what does not get on."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerHealth:
    """A process that takes jobs."""

    name: str
    seen_s: float
    """Seconds since it last gave a sign of life."""
    running: int = 0
    """Jobs that it has in hand."""
    is_late: bool = False
    """It has been silent for longer than its jobs' leases last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoProgress:
    """A run that is under way, of which nothing was heard for too long."""

    run_id: str
    repository: str
    silent_s: float
    """Seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceHealth:
    """The service at one moment."""

    jobs: Mapping[str, int] = field(default_factory=dict)
    """State → number."""
    oldest_waiting_s: float | None = None
    """Seconds that the job has waited which has waited longest; None: none waits."""
    workers: tuple[WorkerHealth, ...] = ()
    no_progress: tuple[NoProgress, ...] = ()
