"""The repair record: one attempt, as it is told to everyone."""

from dataclasses import dataclass
from typing import Any

RECORD_SCHEMA = "fixloop.repair-record/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """One side of an attempt."""

    status: str
    """`pass`, `fail` or `error`: the overall status of the pyramid."""
    failing: tuple[str, ...]
    """The failing layer and its failing items, `layer: item` each; empty for a pass."""
    score: float
    """0..1; 1 only when all layers pass."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairRecord:
    """`repair/<iteration_id>.json`."""

    schema: str = RECORD_SCHEMA
    iteration_id: str
    run_id: str
    story_id: str
    attempt: int
    """1-based."""
    layer: str
    failure_mode: str
    model: str
    hypothesis: str
    repair_action: str
    verification_before: Verification
    verification_after: Verification
    remaining_delta: tuple[str, ...]
    """What still fails after the attempt."""
    productive: bool
    cost_usd: float | None
    error_hash: str
    commit: str | None
    diff_stat: str
    guard: tuple[dict[str, Any], ...] = ()
    test_verdicts: tuple[str, ...] = ()
    """What was thought of each failing test, `verdict: test` each, where the attempt ended with a question."""
    proposed: tuple[str, ...] = ()
    """Protected files of which a change was put to a person."""
    salvage: str | None = None
    verdict: str = ""
    rung: str = ""
    """Of the escalation ladder; empty in records of older versions."""
    repeats: str = ""
    """Iteration id of the failed attempt whose hypothesis or change this one takes again; empty: it is another."""
    change_id: str = ""
    """Identifies the change wherever it is made; empty: nothing was changed."""
    files: tuple[str, ...] = ()
    """Paths that the attempt changed."""
    evidence: tuple[str, ...] = ()
    """Of the termination gate, as in `terminal.json`; empty: no gate has passed with this attempt's commit."""
    created_at: str
    """ISO 8601, UTC."""

    def __post_init__(self) -> None:
        for side in (self.verification_before, self.verification_after):
            if isinstance(side.score, bool) or not 0.0 <= side.score <= 1.0:
                raise ValueError(f"score must be a number from 0 to 1, not {side.score!r}")
        if self.productive != (self.verification_after.score > self.verification_before.score):
            raise ValueError("productive disagrees with the scores")
