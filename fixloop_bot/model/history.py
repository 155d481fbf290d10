"""What a state folder's records tell of its runs."""

from collections.abc import Mapping
from dataclasses import dataclass

from fixloop_bot.model.outcome import Status, Terminal
from fixloop_bot.model.proof import Verified
from fixloop_bot.model.record import RepairRecord
from fixloop_bot.model.state import End, Phase

ORIGIN_SCHEMA = "fixloop.origin/1"


@dataclass(frozen=True, slots=True)
class Malformed:
    """A record that is not used, and why."""

    path: str
    """Below the state folder."""
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a run stands, as `state.json` has it: as much as a list of runs needs."""

    phase: Phase
    started_at: float
    """Seconds since the epoch."""
    layer: str
    """Fails now; empty: none is known to."""
    iterations: int
    max_retries: int
    cost_usd: float | None
    """None: a part of it is unknown."""
    error_hashes: tuple[str, ...]
    """In the order in which they were seen, the first look's first."""
    end: End | None
    start: str = ""
    """The person's head commit."""
    head: str = ""
    """The commit that the run stands on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOrigin:
    """Where a run of the service comes from: `origin.json`, written before it begins."""

    schema: str = ORIGIN_SCHEMA
    repository: str
    """`owner/name`."""
    repository_id: int
    installation_id: int
    branch: str
    """`owner/name:branch` of the head, of which one run at a time works."""
    pull_request: int | None
    title: str = ""
    """Of the pull request: its author's words."""
    author: str = ""
    """Of the pull request: a login."""
    reason: str = ""
    begun_at: float = 0.0
    """Seconds since the epoch: when a worker last took it up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts:
    """One run; of what is missing or malformed, nothing is guessed."""

    run_id: str
    repository: str = ""
    """Folder of its worktree; empty: not known."""
    branch: str = ""
    story_id: str = ""
    origin: RunOrigin | None = None
    """None: no run of the service."""
    standing: Standing | None = None
    terminal: Terminal | None = None
    records: tuple[RepairRecord, ...] = ()
    """By attempt."""
    verified: tuple[Verified, ...] = ()
    """What was found of the DONE in `terminal` as it stands now, oldest first."""
    followed_by: str = ""
    """The later run of the service on its branch that makes its question moot; empty: there is none."""

    @property
    def place(self) -> str:
        """Return the repository's name on GitHub for a run of the service, else the folder of its worktree."""
        return self.origin.repository if self.origin else self.repository

    @property
    def is_done(self) -> bool:
        """Return whether the run claims DONE."""
        return self.terminal is not None and self.terminal.status is Status.DONE


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """All runs of a state folder."""

    runs: tuple[RunFacts, ...] = ()
    """Newest first."""
    malformed: tuple[Malformed, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Counts over some runs and those of their attempts that are looked at."""

    runs: int
    attempts: int
    productive: int
    done: int
    """Runs that claim DONE."""
    held: int
    """Of those, what a verification found to hold, and none to be false."""
    false: int
    """Of those, what a verification contradicts."""
    known_cost_usd: float
    """Of the attempts whose cost is known."""
    unknown_costs: int
    """Attempts whose cost is not known."""

    @property
    def productivity(self) -> float | None:
        """Return productive attempts per attempt, None where there was none."""
        return self.productive / self.attempts if self.attempts else None

    @property
    def false_completion_rate(self) -> float | None:
        """Return contradicted claims per claim of DONE, None where there was none."""
        return self.false / self.done if self.done else None

    @property
    def successes(self) -> int:
        """Return the claims of DONE that nothing contradicts."""
        return self.done - self.false

    @property
    def known_cost_per_success(self) -> float | None:
        """Return dollars of all attempts, also the vain ones, per success: a lower bound where costs are unknown."""
        nothing_known = self.unknown_costs > 0 and self.unknown_costs == self.attempts
        return None if nothing_known or not self.successes else self.known_cost_usd / self.successes


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics:
    """How well fixloop does, by its records."""

    overall: Tally
    by: Mapping[str, Mapping[str, Tally]]
    """By dimension and value, values in order; a run counts under each value that one of its attempts has."""
    malformed: tuple[Malformed, ...] = ()
