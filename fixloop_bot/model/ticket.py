"""What a trigger comes to: a run, a command, a sweep, a refusal, or nothing."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from fixloop_bot.model.answer import Decided
from fixloop_bot.model.comment_command import CommandError, CommentCommand, RunOptions
from fixloop_bot.model.config import TriggersConfig
from fixloop_bot.model.event import Actor, Ignored, Origin, PullRequest, RepositoryRef
from fixloop_bot.model.target import TriedBefore


class Fact(StrEnum):
    """Something to be looked up before a trigger can be judged; the value is its field in `RouteFacts`."""

    PULL_REQUEST = "pull_request"
    """The pull request as it is now; without a number in the trigger, found by `core.pull_requests.choose`."""
    BRANCH_HEAD = "branch_head"
    """The head commit of the branch that a dispatch names."""
    CONFIG = "config"
    """`triggers` of the base branch's `.fixloop.yml`."""
    PERMISSION = "permission"
    """The actor's permission on the repository, asked at this moment."""
    HEAD_MESSAGE = "head_message"
    """The head commit's message."""
    HEAD_PUSHED_AT = "head_pushed_at"
    """When GitHub received the present head."""
    DASHBOARD = "dashboard"
    """The number of the issue on which fixloop tells of sweeps."""
    LEDGER = "ledger"
    """What fixloop did on this pull request before."""


class Permission(StrEnum):
    """A person's permission on a repository."""

    NONE = "none"
    READ = "read"
    TRIAGE = "triage"
    WRITE = "write"
    MAINTAIN = "maintain"
    ADMIN = "admin"

    @property
    def rank(self) -> int:
        """Return the place in the order, 0 for none."""
        return tuple(Permission).index(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Who fixloop is here; known at the start, without a look-up."""

    actor_ids: frozenset[int] = frozenset()
    """Accounts of bots that fixloop acts as. A person's id never belongs here: with a personal token that person's own
    pushes and comments must still count, and fixloop's are known by trailer and marker."""
    app_id: int | None = None
    """The GitHub App, None in an Action."""
    workflow_path: str = ""
    """Path of the workflow that fixloop runs in, empty in the service."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """Automatic runs so far; commands do not count."""

    runs_of_head: int = 0
    """On the present head commit, ended or not."""
    runs_of_day: int = 0
    """On this pull request in the last 24 hours."""


@dataclass(frozen=True, slots=True)
class Absent:
    """It was looked for and there is none, or it cannot be known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteFacts:
    """What was looked up; None: not yet."""

    identity: Identity = field(default_factory=Identity)
    pull_request: PullRequest | Absent | None = None
    branch_head: str | Absent | None = None
    config: TriggersConfig | None = None
    permission: Permission | None = None
    head_message: str | None = None
    head_pushed_at: float | Absent | None = None
    """Seconds since the epoch by GitHub's clock, never a date inside the commit: its author chooses that."""
    dashboard: int | Absent | None = None
    ledger: Ledger | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """Look this up, then route again."""

    fact: Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A person asked and gets no; 😕 on the comment where there is one."""

    origin: Origin
    actor: Actor
    reason: str
    number: int | None = None
    """Of the pull request."""
    comment_id: int | None = None
    reply: bool = True
    """Whether the reason is told in a comment; strangers get the reaction alone."""
    error: CommandError | None = None
    """What was mistyped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTicket:
    """A run to start on exactly this head commit."""

    origin: Origin
    pull_request: int | None
    """None: a branch without one."""
    branch: str
    """Where the head commit lives."""
    head_sha: str
    head_repository: RepositoryRef | None
    """None: the fork is gone; `refs/pull/N/head` still has the commit, and nothing can be pushed."""
    from_fork: bool = False
    base_branch: str
    """Whose `.fixloop.yml` counts; for a branch without a pull request the branch itself."""
    options: RunOptions = field(default_factory=RunOptions)
    reason: str
    automatic: bool
    """No person asked for it; it counts in the ledger."""
    workflow_run_ids: tuple[int, ...] = ()
    """Whose failed jobs' logs are the error context."""
    check_suite_ids: tuple[int, ...] = ()
    """Whose failed check runs' output is the error context."""
    author: Actor | None = None
    """Of the pull request, for the budget per author."""
    actor: Actor | None = None
    comment_id: int | None = None
    """Where the reactions go."""
    title: str = ""
    """Of the pull request: what the change says it is for."""
    answer: Decided | None = None
    """The question of an earlier run on this head, and what a person answered."""
    earlier_attempts: Mapping[str, int] = field(default_factory=dict)
    """Unproductive attempts on each layer by earlier runs on this head, as fixloop's own comment says."""
    earlier_tried: tuple[TriedBefore, ...] = ()
    """What the latest of them were."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandTicket:
    """A command other than run, accepted."""

    origin: Origin
    command: CommentCommand
    pull_request: PullRequest
    actor: Actor
    comment_id: int | None = None
    check_run_id: int | None = None
    external_id: str = ""
    """Of the check run whose button was pressed."""
    already_stopped: bool = False
    """The service's queue has ended a run for it, of which there may be no trace on GitHub yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepTicket:
    """Select among branches and pull requests."""

    origin: Origin
    reason: str
    only: tuple[str, ...] = ()
    """Branches that a person asked for, now and whatever their checks say; empty: choose by the rules."""


Routed = Ignored | Refused | RunTicket | CommandTicket | SweepTicket
