"""One attempt, the failure that it is to repair, and what stays of it."""

from dataclasses import dataclass, field
from enum import StrEnum

from fixloop_bot.model.agent import ModelAlias, Usage
from fixloop_bot.model.guard import Finding
from fixloop_bot.model.layer import Layer, LayerResult


class FailureMode(StrEnum):
    """Why a layer fails, which says what helps."""

    DETERMINISTIC_FAIL = "deterministic-fail"
    REGRESSION = "regression"
    RUBRIC_FAIL = "rubric-fail"
    FLAKY = "flaky"
    SPEC_GAP = "spec-gap"
    ENVIRONMENTAL = "environmental"


class Verdict(StrEnum):
    """What an attempt did, measured."""

    CLEAN = "clean"
    """Its layer passes."""
    PROGRESS = "progress"
    """The score rose."""
    CHANGED = "changed"
    """Another failure, no better and no worse."""
    SAME = "same"
    """The same failure, or no change at all."""
    REGRESSION = "regression"
    CONTRADICTED = "contradicted"
    """It looked clean, and the gate says otherwise."""
    REFUSED = "refused"
    """The guard undid it before any check was run."""


class Rung(StrEnum):
    """A rung of the escalation ladder, lowest first."""

    PATCH = "patch"
    RUBRIC = "rubric"
    """One targeted repair on a named dimension."""
    REPLAN = "replan"
    """Another hypothesis than all before, on the stronger model."""
    REVERT = "revert"
    """Back to the best-known state."""
    APPROVAL = "approval"
    STOP = "stop"


class IterationOutcome(StrEnum):
    """How an attempt ended, as the `fix_iterations` table names it."""

    DONE = "done"
    NEED_DECISION = "need_decision"
    BLOCKED = "blocked"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """The failing layer that the loop works on, as of a verified tree."""

    layer: Layer
    result: LayerResult
    mode: FailureMode
    score: float
    from_context: bool = False
    """Made from a person's or a CI log's text: what passes and fails besides is not known."""
    flaky: tuple[str, ...] = ()
    """What fails and passes on one tree in this layer: it speaks for and against no attempt."""

    @property
    def passed_tests(self) -> frozenset[str]:
        """Return the ids of the tests known to pass."""
        return frozenset(self.result.tests.passed).difference(self.flaky) if self.result.tests else frozenset()

    @property
    def error_hash(self) -> str:
        """Return the fine hash, empty where there is none."""
        return self.result.fingerprint.fine if self.result.fingerprint else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One hypothesis, one bounded change, one verification; `after` fields are filled by the verification."""

    iteration: int
    layer: Layer
    mode: FailureMode
    model: ModelAlias
    replan: bool = False
    rung: Rung = Rung.PATCH
    max_retries: int = 0
    """The cap that the agent was told when the attempt began."""
    hypothesis: str = ""
    repair_action: str = ""
    said: str = ""
    changed: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    proposed: tuple[str, ...] = ()
    """Protected files of which it put a change to a person."""
    test_verdicts: tuple[str, ...] = ()
    """What is thought of each failing test, `verdict: test` each; empty: it was taken for the code's fault."""
    commit: str | None = None
    base: str = ""
    """The commit that the change was made on; empty while it is not committed."""
    guard: tuple[Finding, ...] = ()
    """What the guard found in the change, worst first."""
    usage: Usage = field(default_factory=Usage)
    cost_usd: float | None = 0.0
    hash_before: str = ""
    hash_after: str = ""
    score_before: float = 0.0
    score_after: float = 0.0
    failing_before: tuple[str, ...] = ()
    failing_after: tuple[str, ...] = ()
    errors_before: int = 0
    errors_after: int = 0
    diff_stat: str = ""
    tree: str = ""
    """git tree of `commit`; empty where a verification of it would say nothing of another attempt."""
    change_id: str = ""
    """Identifies the change wherever it is made (`core.hypotheses.change_id`); empty: nothing was changed."""
    repeats: str = ""
    """The failed attempt (its iteration id) whose hypothesis or change this one takes again."""
    verdict: Verdict | None = None
    outcome: IterationOutcome = IterationOutcome.FAILED
    salvage: str | None = None
    """Name of the folder under `salvage/` that keeps what was undone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BestKnown:
    """The best verified state so far: what a rollback goes back to."""

    commit: str
    failure: Failure
    kept_iterations: tuple[int, ...] = ()
    """Attempts above the last clean layer whose changes are in `commit`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FixCommit:
    """A layer that came clean, as one commit."""

    layer: Layer
    commit: str
    iteration: int
    """0: without the agent (`free`, or as a person decided)."""
    decided: bool = False
    """Exactly what a person, or the base branch's rule, allowed."""
