"""What a sweep chooses among, and what it chose."""

from dataclasses import dataclass
from enum import StrEnum


class Checks(StrEnum):
    """What the checks of a head commit say together."""

    PASSING = "passing"
    FAILING = "failing"
    PENDING = "pending"
    NONE = "none"
    """No check ever ran on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A branch or an open pull request, with what was looked up about it."""

    branch: str
    """Of a pull request its head branch."""
    pull_request: int | None = None
    head_sha: str
    from_fork: bool = False
    draft: bool = False
    checks: Checks
    active_at: float
    """Seconds since the epoch; when a person last pushed, by GitHub's clock where that is known."""
    own_head: bool = False
    """The head commit is fixloop's."""
    running: bool = False
    """A run is under way on it, or waits for a decision."""
    tried_head: bool = False
    """A run on this very head commit has ended."""
    failed_attempts: int = 0
    """Runs on it so far that did not end in DONE."""
    expected_usd: float | None = None
    """What a run on it is thought to cost; None: no idea."""

    @property
    def name(self) -> str:
        """Return what a person calls it."""
        return f"#{self.pull_request} ({self.branch})" if self.pull_request else self.branch


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A candidate to run on, with its share of the sweep's money."""

    candidate: Candidate
    max_cost_usd: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A candidate that is left out; the reason is for the dashboard."""

    candidate: Candidate
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What a sweep does, in the order of work, and what it leaves."""

    chosen: tuple[Chosen, ...] = ()
    skipped: tuple[Skipped, ...] = ()
