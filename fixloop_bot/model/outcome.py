"""How a run ends or waits."""

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """The one word that a person reads first."""

    DONE = "DONE"
    NEED_DECISION = "NEED_DECISION"
    BLOCKED = "BLOCKED"


class TerminalState(StrEnum):
    """The honest end of a run."""

    SUCCEEDED = "Succeeded"
    FAILED_UNVERIFIABLE = "FailedUnverifiable"
    FAILED_BLOCKED = "FailedBlocked"
    FAILED_BUDGET = "FailedBudget"
    FAILED_SAFETY = "FailedSafety"
    FAILED_SPEC_GAP = "FailedSpecGap"
    ABORTED_BY_HUMAN = "AbortedByHuman"


class Breaker(StrEnum):
    """What stopped the loop; the first five are checked in this order."""

    SAFETY = "safety"
    BUDGET = "budget"
    SAME_ERROR_RECURRENCE = "same-error-recurrence"
    NO_PROGRESS = "no-progress"
    MAX_RETRIES = "max-retries"
    ENVIRONMENT = "environment"
    PROVIDER = "provider"
    AGENT = "agent"
    NOTHING_VERIFIED = "nothing-verified"
    FLAKY = "flaky"
    DECISION = "decision"
    STOPPED = "stopped"


class QuestionKind(StrEnum):
    """What a person is asked for."""

    CHOICE = "choice"
    """Between two ways, in words: the requirement is undefined or contradictory."""
    STALE_TEST = "stale-test"
    """Between a diff that changes what tests expect (A) and a repair of the code (B)."""
    APPROVAL = "approval"
    """Of a diff that changes another protected file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a person has to decide, frozen: nothing of it changes until the answer."""

    layer: str
    question: str
    option_a: str
    option_b: str
    kind: QuestionKind = QuestionKind.CHOICE
    patch: str = ""
    """What option A, or an approval, does: exactly this. Empty: no diff was proposed."""
    patch_sha256: str = ""
    """Of the patch before anything in it was redacted: one that differs is not what was proposed."""
    base: str = ""
    """The commit that the patch is against."""
    about: tuple[str, ...] = ()
    """What failed when it was asked, `layer: item` each."""
    verdicts: tuple[str, ...] = ()
    """What is thought of each failing test, `verdict: test` each."""
    price_b_usd: float | None = None
    """What an attempt in the code may cost; None: unknown. Option A and an approval cost no model call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terminal:
    """`terminal.json`: written once, if and only if the run ended."""

    schema: str = "fixloop.terminal/1"
    run_id: str
    state: TerminalState
    status: Status
    reason: str
    criteria_met: dict[str, bool]
    evidence: tuple[str, ...]
    """Unique lines."""
    false_completion: bool
    iteration_id: str | None
    terminated_at: str
    """ISO 8601, UTC."""

    def __post_init__(self) -> None:
        if len(set(self.evidence)) != len(self.evidence):
            raise ValueError("evidence has a line twice")
        succeeded = self.state is TerminalState.SUCCEEDED
        if succeeded != (self.status is Status.DONE):
            raise ValueError(f"{self.status} cannot end as {self.state}")
        proven = bool(self.criteria_met) and all(self.criteria_met.values()) and bool(self.evidence)
        if succeeded and (not proven or self.false_completion):
            raise ValueError("Succeeded needs every criterion true, evidence, and no false completion")
