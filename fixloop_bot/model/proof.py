"""What a record claims of its termination gate, and what came of running that again."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

VERIFIED_SCHEMA = "fixloop.verification/1"


class Verdict(StrEnum):
    """Whether a claim still holds."""

    HOLDS = "holds"
    BROKEN = "does-not-hold"
    UNCHECKED = "cannot-be-checked"


@dataclass(frozen=True, slots=True)
class TestCounts:
    """How many tests a layer ran, and what became of them."""

    __test__ = False

    executed: int
    failed: int
    skipped: int

    def __str__(self) -> str:
        return f"{self.executed} tests ran, {self.failed} failed, {self.skipped} skipped"


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    exit_code: int | None
    output_sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """The termination gate, as a record tells it."""

    run_id: str
    commit: str
    tree: str
    person_head: str
    """The commit that the protected files are said to be as on."""
    allowed: Mapping[str, str] = field(default_factory=dict)
    """Protected files that were allowed to differ → SHA-256 of their content, empty for one that is gone."""
    attempt_commit: str = ""
    """What a repair record calls its attempt's commit; empty: it speaks of no attempt."""
    commands: Mapping[str, Ended] = field(default_factory=dict)
    """By `layer: [project] command`. Only ever compared, never run."""
    tests: Mapping[str, TestCounts] = field(default_factory=dict)
    """By layer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What came of checking a claim."""

    verdict: Verdict
    claim: Claim | None = None
    """None: the record could not be read as one."""
    why: tuple[str, ...] = ()
    """What differs, or why nothing can be said."""
    commands: Mapping[str, Ended] = field(default_factory=dict)
    """As they ended now; those that were not come to are absent."""
    tests: Mapping[str, TestCounts] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """A line of `runs/<run_id>/verifications.jsonl`: what a later look found of the run's claim to be DONE."""

    schema: str = VERIFIED_SCHEMA
    run_id: str
    commit: str
    record_sha256: str
    """Of the `terminal.json` that was looked at: of one that was changed since, this says nothing."""
    verdict: Verdict
    why: tuple[str, ...]
    """What differs, or why nothing could be said."""
    at: str
    """ISO 8601, UTC."""
