"""What fixloop tells people about a run, before it is given a form."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from fixloop_bot.model.agent import Usage
from fixloop_bot.model.diagnostic import Diagnostic
from fixloop_bot.model.outcome import Breaker, Question, TerminalState


class ReportStatus(StrEnum):
    """The first word of every report: the three of a run, and those that only a watcher needs."""

    RUNNING = "RUNNING"
    DONE = "DONE"
    NEED_DECISION = "NEED_DECISION"
    BLOCKED = "BLOCKED"
    FAULT = "FAULT"
    """fixloop itself failed."""
    CANCELLED = "CANCELLED"
    """The job or the process was ended from outside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptRow:
    """One attempt, told in a line. `hypothesis` and `change` are a model's words."""

    iteration: int
    layer: str
    model: str
    hypothesis: str
    change: str
    before: str
    after: str
    verdict: str
    """Empty while it is under way."""
    cost_usd: float | None
    fate: str = ""
    """What became of the change where no commit holds it: `undone`, `kept`, `no change`."""
    commit: str = ""
    """Commit id of the change that stayed, else empty."""
    diff_stat: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCost:
    """What one model cost in this run."""

    model: str
    attempts: int
    usage: Usage
    cost_usd: float
    unknown: bool = False
    """Some of it has no known price."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerCommit:
    """A layer that came clean; `iteration` 0 means that the project's own fixers did it."""

    layer: str
    sha: str
    iteration: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerLine:
    """How a layer stands in the last verification."""

    layer: str
    status: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failing:
    """What still fails."""

    layer: str
    mode: str
    error_count: int
    excerpt: str
    diagnostics: tuple[Diagnostic, ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardFinding:
    """Something that the guard saw in a change; `severity` is `critical`, `high` or `medium`."""

    rule_id: str
    severity: str
    path: str
    line: int | None
    message: str


@dataclass(frozen=True, slots=True)
class NothingDelivered:
    """No commit was there to deliver."""


@dataclass(frozen=True, slots=True)
class Pushed:
    """The commits are on the pull request's branch."""

    branch: str
    patch: str = ""
    """What the token may not push."""


@dataclass(frozen=True, slots=True)
class PatchOffered:
    """Pushing was not possible, for `reason`; `patch` is a unified diff against the person's head."""

    patch: str
    reason: str
    url: str = ""
    """Where the whole patch can be had."""


@dataclass(frozen=True, slots=True)
class PullRequestOpened:
    """The commits wait in a pull request of their own."""

    number: int
    url: str
    patch: str = ""
    """What the token may not push."""


@dataclass(frozen=True, slots=True)
class Suggested:
    """The change stands as `count` suggestions in a review; `patch` is what found no place there."""

    count: int
    patch: str = ""


Delivery = NothingDelivered | Pushed | PatchOffered | PullRequestOpened | Suggested


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """Addresses that fixloop itself knows; empty where there is none."""

    repository: str = ""
    """Web address of the repository, without a slash at the end."""
    run: str = ""
    """The job, or the service's page of the run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What the state does not know: where the report stands and what became of the commits."""

    links: Links = field(default_factory=Links)
    delivery: Delivery = field(default_factory=NothingDelivered)
    ci_started: bool | None = None
    """Whether a check of somebody else's started on fixloop's commit; None: not looked at."""
    fault: str = ""
    """What went wrong in fixloop itself; set: the run ended by that."""
    cancelled: bool = False
    sandbox: str = ""
    """The level that the sandbox reached, in words."""
    guard: tuple[GuardFinding, ...] = ()
    records: tuple[Mapping[str, Any], ...] = ()
    """The repair records as they were written; empty: they are made from the state."""
    approval_patch: str = ""
    """The exact diff that waits for approval."""
    earlier_attempts: Mapping[str, int] = field(default_factory=dict)
    """Unproductive attempts on each layer by earlier runs on this head."""
    earlier_cost_usd: float = 0.0
    """What earlier runs on this pull request cost."""
    budgets: tuple[str, ...] = ()
    """Which of the budgets that the service's runs share come to their end, a clause each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All that is told about a run. Every text in it is free of secrets; no text is escaped yet."""

    run_id: str
    branch: str = ""
    head_sha: str
    """The person's head commit, which the run is about."""
    pushed_sha: str = ""
    """Top of what fixloop pushed; empty: nothing."""
    status: ReportStatus
    activity: str = ""
    """What is happening now; empty once the run stands still."""
    layer: str = ""
    iteration: int = 0
    max_retries: int = 3
    cost_usd: float = 0.0
    cost_unknown: bool = False
    minutes: float = 0.0
    updated_at: str = ""
    """ISO 8601, UTC."""
    terminal: TerminalState | None = None
    breaker: Breaker | None = None
    reason: str = ""
    suggestion: str = ""
    attribution: tuple[str, ...] = ()
    """What is flaky and what was there before the branch, a clause each."""
    cycle: bool = False
    """A failure came back after another one."""
    circle: str = ""
    """How: its hashes or the trees, short, `1f2e3d4c → 5b6a7988 → 1f2e3d4c`."""
    attempts: tuple[AttemptRow, ...] = ()
    attempts_by_layer: Mapping[str, int] = field(default_factory=dict)
    """Unproductive ones on each layer that is not clean, earlier runs on this head included."""
    costs: tuple[ModelCost, ...] = ()
    commits: tuple[LayerCommit, ...] = ()
    layers: tuple[LayerLine, ...] = ()
    failing: Failing | None = None
    question: Question | None = None
    approval: bool = False
    """It waits for approval, not for a choice."""
    evidence: tuple[str, ...] = ()
    records: tuple[Mapping[str, Any], ...] = ()
    surroundings: Surroundings = field(default_factory=Surroundings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    """What an earlier run left in its comment for the next one: a claim about shape only, never trusted further."""

    run_id: str
    head_sha: str
    status: ReportStatus
    iterations: int
    cost_usd: float
    """Of this run and the earlier ones on the pull request."""
    pushed_sha: str = ""
    attempts: Mapping[str, int] = field(default_factory=dict)
    """Unproductive attempts on each layer, for this head."""
