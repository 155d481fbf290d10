"""How code comes from the forge and how repaired commits go back: heads, commits, outcomes, facts and plans."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from fixloop_bot.model.outcome import TerminalState

PushPolicy = Literal["layers", "done", "propose"]
"""`push` of `.fixloop.yml`."""


@dataclass(frozen=True, slots=True)
class BranchHead:
    """The tip of a branch, by its name without `refs/heads/`."""

    branch: str

    @property
    def ref(self) -> str:
        """Return the full refname on the forge."""
        return f"refs/heads/{self.branch}"


@dataclass(frozen=True, slots=True)
class PullHead:
    """The head of a pull request, which the base repository has also where it lives in a fork, even a deleted one."""

    number: int
    branch: str
    """Name of the head branch in its own repository; only for show."""

    @property
    def ref(self) -> str:
        """Return the full refname in the base repository."""
        return f"refs/pull/{self.number}/head"


Head = BranchHead | PullHead


class RemoteTrouble(StrEnum):
    """Why the forge's git did not do what it was asked."""

    BAD_ADDRESS = "bad-address"
    """The address or a name in it is none that fixloop speaks to."""
    NO_PERMISSION = "no-permission"
    """401 or 403: the token is wrong, has ended, or may not do this."""
    NOT_FOUND = "not-found"
    """404: no such repository, or none that the token may see."""
    GONE = "gone"
    """The ref is not there any more."""
    REDIRECTED = "redirected"
    """The repository was renamed or moved; redirects are not followed, since the token would go along."""
    NETWORK = "network"
    TIMEOUT = "timeout"
    TOO_LARGE = "too-large"
    UNUSABLE = "unusable"
    """The content is none that git may write to a disk: malformed objects, paths into `.git`."""
    OCCUPIED = "occupied"
    """The target folder has something in it."""
    DISK = "disk"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class CheckoutProblem:
    """No checkout; `detail` is for a person and free of secrets."""

    kind: RemoteTrouble
    detail: str


@dataclass(frozen=True, slots=True)
class HeadMoved:
    """The branch no longer stands where it was expected."""

    new_sha: str | None
    """None: it is gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkout:
    """A pull request's code on disk; every path absolute."""

    root: str
    """The worktree, which the pull request's code may write to."""
    git_dir: str
    """fixloop's own, outside the worktree."""
    branch: str | None
    """Checked-out branch; None: detached."""
    head_sha: str
    base_sha: str | None
    """Tip of the base branch; None where it was not asked for or is gone."""
    merge_base: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FixCommit:
    """One commit of fixloop's, as far as its delivery is concerned."""

    sha: str
    paths: tuple[str, ...] = ()
    """Changed by it; both ends of a rename."""
    run_id: str = ""
    """From its trailer; empty: the commit has none."""
    is_ours: bool = True
    """fixloop is its committer, it has the trailer, and exactly one parent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PushOrder:
    """What to push where."""

    commit: str
    """The last commit to go."""
    onto: str
    """The commit that fixloop's commits stand on; everything above it must be fixloop's."""
    branch: str
    expected_old: str | None
    """Where the branch must stand at that moment; None: it must not exist."""


class Refusal(StrEnum):
    """Why a push was not made."""

    PROTECTED_BRANCH = "protected-branch"
    REPOSITORY_RULE = "repository-rule"
    """A ruleset of the repository or organisation."""
    WORKFLOW_PERMISSION = "workflow-permission"
    NO_PERMISSION = "no-permission"
    """Also a fork that takes no pushes of maintainers, and an archived repository."""
    NOT_FOUND = "not-found"
    HOOK_DECLINED = "hook-declined"
    NOT_FAST_FORWARD = "not-fast-forward"
    NOT_OURS = "not-ours"
    """A commit among them is not fixloop's, or they do not stand on the expected commit."""
    BAD_ADDRESS = "bad-address"
    NETWORK = "network"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Landed:
    """The branch stands on this commit now; also when an earlier try had already brought it there."""

    commit: str


@dataclass(frozen=True, slots=True)
class PushRefused:
    """Nothing was pushed; `detail` is for a person and free of secrets."""

    kind: Refusal
    detail: str


PushOutcome = Landed | HeadMoved | PushRefused


@dataclass(frozen=True, slots=True)
class Rebased:
    """The commits on their new base, oldest first; those whose change is already there are left out."""

    commits: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RebaseConflict:
    """Nothing was changed; this commit does not fit."""

    commit: str
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryFacts:
    """What has to be known before commits go anywhere."""

    commits: tuple[FixCommit, ...]
    """Of clean layers, oldest first, on the person's head."""
    branch: str
    policy: PushPolicy = "layers"
    terminal: TerminalState | None = None
    """How the run ended; None: it waits for a decision."""
    pull_request: int | None = None
    from_fork: bool = False
    protected: bool = False
    """The branch is protected, or the repository's default branch."""
    head_sha: str = ""
    """The person's head that the commits stand on."""
    proposed_before: bool = False
    """The branch for a proposal is there already, with an older one."""
    pushable: bool = True
    """The token may write to the head's repository, and the branch is still there."""
    may_change_workflows: bool = False
    """The token may change files under `.github/workflows/`."""
    moved: bool = False
    """A person pushed since the run began."""
    rebases_left: int = 2
    """How often fixloop may still follow the moving head."""


@dataclass(frozen=True, slots=True)
class PushToHead:
    """Push to the person's branch. Where `left_out` is not empty, those need a person: the run is no DONE."""

    commits: tuple[FixCommit, ...]
    left_out: tuple[FixCommit, ...] = ()


@dataclass(frozen=True, slots=True)
class OpenPullRequest:
    """Push to a branch of fixloop's own and ask for it to be merged into `into`."""

    branch: str
    into: str
    commits: tuple[FixCommit, ...]
    left_out: tuple[FixCommit, ...] = ()


@dataclass(frozen=True, slots=True)
class OfferPatch:
    """Push nothing; show the change."""

    reason: str
    commits: tuple[FixCommit, ...]
    suggest: bool = False
    """There is a pull request whose lines suggestions can stand on."""


@dataclass(frozen=True, slots=True)
class RebaseFirst:
    """Put the commits onto the head as it now is, gate again, then plan again."""

    commits: tuple[FixCommit, ...]


@dataclass(frozen=True, slots=True)
class DeliverNothing:
    """There is nothing to deliver."""


DeliveryPlan = PushToHead | OpenPullRequest | OfferPatch | RebaseFirst | DeliverNothing
