"""What a state folder's records tell of its runs."""

from collections.abc import Mapping
from dataclasses import dataclass

from fixloop_bot.model.outcome import Status, Terminal
from fixloop_bot.model.proof import Verified
from fixloop_bot.model.record import RepairRecord
from fixloop_bot.model.state import End, Phase


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


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts:
    """One run; of what is missing or malformed, nothing is guessed."""

    run_id: str
    repository: str = ""
    """Folder of its worktree; empty: not known."""
    branch: str = ""
    story_id: str = ""
    standing: Standing | None = None
    terminal: Terminal | None = None
    records: tuple[RepairRecord, ...] = ()
    """By attempt."""
    verified: tuple[Verified, ...] = ()
    """What was found of the DONE in `terminal` as it stands now, oldest first."""

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
