"""The state of a run: immutable, serialisable, whole."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from fixloop_bot.model.agent import ModelAlias
from fixloop_bot.model.answer import ApprovedFile, Decided
from fixloop_bot.model.attempt import Attempt, BestKnown, Failure, FailureMode, FixCommit, Rung
from fixloop_bot.model.attribution import Attribution
from fixloop_bot.model.guard import Finding
from fixloop_bot.model.layer import Layer, LayerResult, TestReport, Validation
from fixloop_bot.model.outcome import Breaker, Question, Status, TerminalState
from fixloop_bot.model.target import TriedBefore


class Phase(StrEnum):
    """What the run does next."""

    DETECT = "detect"
    DECIDE = "decide"
    FIX = "fix"
    """An attempt's conversation is under way; the worktree may hold its edits, uncommitted."""
    VERIFY = "verify"
    """An attempt's change is committed and waits for its verification."""
    GATE = "gate"
    DECISION_WAIT = "decision-wait"
    APPROVAL_WAIT = "approval-wait"
    ENDED = "ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The run's bounds, fixed at its start."""

    max_retries: int = 3
    max_attempts: int = 2
    """Unproductive attempts on a failure mode before the approach must change."""
    attempt_turns: int = 20
    max_cost_usd: float = 3.0
    deadline: float = float("inf")
    """Seconds since the epoch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """Which alias plays which role."""

    triage: ModelAlias = ModelAlias.HAIKU
    repair: ModelAlias = ModelAlias.SONNET
    escalated: ModelAlias = ModelAlias.OPUS


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """How the run stands still: ended for good, or waiting for a person."""

    status: Status
    terminal: TerminalState | None
    """None: it waits, which is no end."""
    breaker: Breaker | None = None
    reason: str = ""
    question: Question | None = None
    suggestion: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopState:
    """All that a run needs to go on, on this machine or another that has the same commits."""

    schema: str = "fixloop.state/1"
    run_id: str
    story_id: str = ""
    branch: str = ""
    limits: Limits = field(default_factory=Limits)
    models: Models = field(default_factory=Models)
    phase: Phase = Phase.DETECT
    start_layer: Layer = Layer.COMPILE
    require: tuple[Layer, ...] = ()
    error_context: str = ""
    started_at: float = 0.0
    untracked_at_start: tuple[str, ...] = ()
    """The person's own; with any of them a green first run still needs the gate."""
    fixable: tuple[Layer, ...] = ()
    """Layers that have free fixers."""
    stash: str = ""
    """Where the person's uncommitted changes wait for the end of the run; empty: there were none."""
    suspended: bool = False
    """The process left in good order; if not, uncommitted changes found later are an attempt's."""

    earlier_attempts: Mapping[Layer, int] = field(default_factory=dict)
    """Unproductive attempts on each layer by earlier runs on the same person's head; ended by a clean layer."""
    earlier_tried: tuple[TriedBefore, ...] = ()
    """What those attempts were, as far as it is known."""
    triaged: tuple[Layer, ...] = ()
    """Layers whose tie between environment and code a model was asked about, an answer or not."""
    start_commit: str = ""
    """The person's head."""
    base_commit: str = ""
    """Merge base of the pull request; empty: a run on no pull request, or it is not known."""
    attributions: tuple[Attribution, ...] = ()
    """What more runs said of each layer's failure before money was spent on it."""
    head: str = ""
    """The commit that the worktree is meant to stand on."""
    clean_commit: str = ""
    """Top of the last layer that came clean: all up to here is verified, all above is undone at a stop."""

    iteration_count: int = 0
    last_error_hash: str = ""
    consecutive_no_progress: int = 0
    error_hash_counts: Mapping[str, int] = field(default_factory=dict)
    error_hash_trail: tuple[str, ...] = ()
    """Every hash in the order seen; shows a cycle."""
    tree_trail: tuple[str, ...] = ()
    """Every git tree that was verified, in that order; shows a cycle."""
    noise: Mapping[Layer, tuple[str, ...]] = field(default_factory=dict)
    """What two runs of a layer on one tree differed in (`core.noise`), sorted: masked in every later reading."""
    error_count_by_layer: Mapping[Layer, int] = field(default_factory=dict)
    """Before the attempt: what a regression is compared with."""
    first_error_count_by_layer: Mapping[Layer, int] = field(default_factory=dict)
    current_model: ModelAlias = ModelAlias.SONNET
    escalated: bool = False
    replanned: bool = False
    rungs: tuple[Rung, ...] = ()
    """The rungs of the ladder in the order taken, one entry for each attempt and each step after the last."""
    unproductive_by_mode: Mapping[FailureMode, int] = field(default_factory=dict)
    kept_changed: bool = False
    """The last kept attempt only changed the failure: the next such one is undone."""
    free_tried: tuple[str, ...] = ()
    """`layer:tree` pairs on which the free fixers have run."""
    kept_iterations: tuple[int, ...] = ()
    """Attempts above the last clean layer whose changes are in `head`."""
    fix_commits: tuple[FixCommit, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    iteration_costs: tuple[float | None, ...] = ()
    total_cost_usd: float = 0.0
    cost_unknown: bool = False
    spent_usd: float = 0.0
    """What counts against the cap: the total and reservations of calls whose end is unknown."""

    failure: Failure | None = None
    best: BestKnown | None = None
    validation: Validation | None = None
    gate: Validation | None = None
    set_up: bool = False
    """The project's `setup` commands have run."""
    pristine: bool = False
    """Nothing but the commit's own files lay in the worktree when `setup` began."""
    strict: bool = False
    """A gate has failed: from then on every verification is made under the gate's conditions."""
    judged: Mapping[str, LayerResult] = field(default_factory=dict)
    """What the rubric's judge said of each git tree: no tree is judged, and paid, twice."""
    judge_calls: int = 0
    """Model calls of the judge."""
    ran: tuple[Layer, ...] = ()
    """Layers that ran in this run: a gate that skips one of them proves nothing."""
    baseline_tests: TestReport | None = None
    """What the tests said of the person's head, where the run looked: of the projects that the branch touches."""
    whole_baseline_tests: TestReport | None = None
    """The same of all projects, which the gate's tests are compared with."""
    pending: Attempt | None = None
    """The attempt under way."""
    next_call_usd: float | None = 0.0
    """Upper bound of the next model call's price; None: unknown, which a dollar cap refuses."""
    violations: tuple[str, ...] = ()
    """What was found to weaken a check, a clause each: the safety breaker."""
    guard: tuple[Finding, ...] = ()
    """What the guard found at the gate, over the whole run."""
    intent: str = ""
    """What the change says it is meant to do: subjects of its commits, the pull request's title and description."""
    allow_stale_updates: bool = False
    """`tests.allow-stale-updates` of the base branch's file."""
    stale_updates: int = 0
    """Updates of stale tests that this run made without asking."""
    asked_at: float = 0.0
    """When the question was asked, in seconds since the epoch."""
    answer: Decided | None = None
    """An answer that is to be acted on next."""
    decisions: tuple[Decided, ...] = ()
    """What was answered in this run, acted on already."""
    guidance: str = ""
    """The person's decision, in words for the agent."""
    approved: tuple[ApprovedFile, ...] = ()
    """Protected files that may differ from the person's head, and how."""
    tests_from: str = ""
    """Commit whose tests are the baseline, where a person let tests be changed; empty: the person's head."""
    ending: End | None = None
    """An end that the gate, the agent or an edge reported, taken at the next decision."""
    end: End | None = None

    @property
    def ended(self) -> bool:
        """Return whether the loop has nothing more to do now."""
        return self.end is not None
