"""What happened on GitHub, as far as fixloop acts on it: a closed union of triggers."""

from dataclasses import dataclass, field
from enum import StrEnum

from fixloop_bot.model.comment_command import ApproveCommand, CommandError, CommentCommand, DecideCommand, DenyCommand

COMMENT_MARKER = "<!-- fixloop:"
"""Every comment that fixloop writes begins with it; so its own are known whoever's token wrote them."""

CHECK_RUN_NAME = "fixloop"
"""Name of fixloop's own check run, by which its buttons are told from others'."""


@dataclass(frozen=True, slots=True)
class Ignored:
    """Nothing is to be done; the reason is a sentence for the log."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """An account; `type` is GitHub's `User`, `Bot` or `Organization`."""

    login: str
    id: int
    type: str = "User"

    @property
    def is_bot(self) -> bool:
        """Return whether a program acts here."""
        return self.type == "Bot"


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryRef:
    """A repository; the id stays when the name changes."""

    full_name: str
    """`owner/name`."""
    id: int
    default_branch: str = ""
    """Empty where the payload does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequest:
    """A pull request as it stood when it was looked at."""

    number: int
    head_sha: str
    head_branch: str
    head_repository: RepositoryRef | None
    """None: the fork was deleted."""
    base_branch: str
    base_repository_id: int
    author: Actor
    is_open: bool = True
    draft: bool = False
    title: str = ""
    """Its author's words."""

    @property
    def from_fork(self) -> bool:
        """Return whether the head lives in another repository, or in none any more."""
        return self.head_repository is None or self.head_repository.id != self.base_repository_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where an event comes from."""

    repository: RepositoryRef
    sender: Actor | None = None
    """Who acted; None for a schedule."""
    installation_id: int | None = None
    """Of the GitHub App; None in an Action."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequestTrigger:
    """A pull request was opened, reopened, pushed to, or made ready for review."""

    origin: Origin
    action: str
    pull_request: PullRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class CiFailureTrigger:
    """A workflow run or another app's check suite completed with failure."""

    origin: Origin
    head_sha: str
    head_branch: str = ""
    """Empty where the payload does not say, as for a detached commit."""
    head_repository: RepositoryRef | None = None
    """None: not said (a check suite never says it), or deleted."""
    conclusion: str
    pull_requests: tuple[int, ...] = ()
    """Numbers in this repository; GitHub leaves the list empty for forks."""
    workflow_run_id: int | None = None
    workflow_path: str = ""
    """Of the workflow file, relative to the repository's root."""
    workflow_name: str = ""
    check_suite_id: int | None = None
    app_id: int | None = None
    """Whose check suite it is."""
    head_message: str | None = None
    """Message of the head commit, None where the payload does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentTrigger:
    """Somebody wrote a comment with at least one command, or an attempt at one, on a pull request."""

    origin: Origin
    number: int
    """Of the pull request."""
    comment_id: int
    author: Actor
    created_at: float
    """Seconds since the epoch, by GitHub's clock."""
    commands: tuple[CommentCommand | CommandError, ...]
    """At least one; the first counts."""


class Button(StrEnum):
    """Identifiers of the check run's buttons, at most 20 characters (GitHub's limit)."""

    DECIDE_A = "decide-a"
    DECIDE_B = "decide-b"
    APPROVE = "approve"
    DENY = "deny"
    RUN = "run"
    STOP = "stop"


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonTrigger:
    """Somebody pressed a button of fixloop's check run."""

    origin: Origin
    button: Button
    check_run_id: int
    external_id: str = ""
    """The run that the check run belongs to."""
    app_id: int | None = None
    """Who made the check run."""
    head_sha: str
    head_branch: str = ""
    pull_requests: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PageTrigger:
    """Somebody who is known by name answered a run's question on the service's own pages."""

    origin: Origin
    command: DecideCommand | ApproveCommand | DenyCommand
    number: int
    """Of the pull request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleTrigger:
    """The clock struck."""

    origin: Origin
    schedule: str = ""
    """The cron line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What a person, or a sweep's matrix job, points at. Both empty: a sweep over all."""

    pull_request: int | None = None
    branch: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DispatchTrigger:
    """A workflow was started with a target or none: by hand, by a program, or as a job of a sweep."""

    origin: Origin
    ref: str = ""
    target: Target = field(default_factory=Target)


@dataclass(frozen=True, slots=True, kw_only=True)
class TickTrigger:
    """Somebody ticked boxes of a sweep's dashboard issue."""

    origin: Origin
    number: int
    """Of the issue."""
    branches: tuple[str, ...]
    """Those whose box this edit ticked, at least one."""


Trigger = (
    PullRequestTrigger
    | CiFailureTrigger
    | CommentTrigger
    | ButtonTrigger
    | PageTrigger
    | ScheduleTrigger
    | DispatchTrigger
    | TickTrigger
)
