"""The door to GitHub, for one repository."""

from collections.abc import Sequence
from typing import Protocol

from fixloop_bot.model.check_run import CheckRun
from fixloop_bot.model.event import PullRequest, RepositoryRef
from fixloop_bot.model.forge import (
    Branch,
    CheckRunRef,
    Comment,
    CommentableLines,
    FailedCheck,
    ForgeErrorKind,
    Issue,
    JobLog,
    ListedPullRequest,
    NothingToPropose,
    Proposal,
    PushAccess,
    Reaction,
    Standing,
    TooLarge,
)
from fixloop_bot.model.suggestion import Suggestion
from fixloop_bot.model.ticket import Absent, Identity, Ledger, Permission


class ForgeError(Exception):
    """GitHub did not do as asked, for a reason that a person can mend or wait out; every method may raise it.

    `status` is the HTTP status, 0 where there was no answer. `advice` is a sentence for people: what to do about it.
    """

    def __init__(self, kind: ForgeErrorKind, status: int, advice: str) -> None:
        super().__init__(advice)
        self.kind = kind
        self.status = status
        self.advice = advice


class NotInstalledError(ForgeError):
    """The App may not act for this repository any more: its installation is suspended or was removed."""


class ForgeFacts(Protocol):
    """What a trigger is judged by; all of it as of this moment."""

    def identity(self) -> Identity:
        """Return who fixloop is here. The workflow path is left to who knows the job."""
        ...

    def repository(self) -> RepositoryRef:
        """Return the repository, with its default branch."""
        ...

    def own_issue(self, marker: str) -> Issue | None:
        """Return fixloop's issue whose body begins with `marker`, an open one before a closed one, then the oldest."""
        ...

    def pull_request(self, number: int) -> PullRequest | Absent:
        """Return a pull request."""
        ...

    def pull_requests_with_head(
        self, head_sha: str, *, head_branch: str = "", head_repository: RepositoryRef | None = None
    ) -> tuple[PullRequest, ...]:
        """Return the open pull requests whose head is this commit, for `core.pull_requests.choose` to choose from.

        For forks GitHub may not know the commit's pull requests; then branch and repository serve to find them.
        """
        ...

    def branch_head(self, name: str) -> str | Absent:
        """Return the head commit of a branch."""
        ...

    def permission(self, login: str) -> Permission:
        """Return a person's permission; an organisation's own role counts as the role that it is built on."""
        ...

    def commit_message(self, sha: str) -> str | Absent:
        """Return a commit's whole message."""
        ...

    def head_pushed_at(self, pull_request: PullRequest) -> float | Absent:
        """Return when GitHub heard of the head on its branch, never earlier than that; seconds since the epoch."""
        ...

    def ledger(self, pull_request: PullRequest, *, now: float) -> Ledger:
        """Return the automatic runs so far, counted by fixloop's own check runs on the newest commits."""
        ...

    def file(self, path: str, ref: str) -> str | None:
        """Return the text of a regular file at a branch or commit, None if there is none.

        What is there and cannot be taken as text (a link, more than 1 MB) is a `ForgeError`, never None.
        """
        ...


class ForgeSurvey(Protocol):
    """What a sweep looks over, and what a delivery has to know beforehand."""

    def branches(self) -> tuple[Branch, ...]:
        """Return the branches, at most 1,000."""
        ...

    def open_pull_requests(self) -> tuple[ListedPullRequest, ...]:
        """Return the open pull requests, the most recently updated first, at most 1,000."""
        ...

    def standing(self, sha: str) -> Standing:
        """Return what the checks say about a commit."""
        ...

    def ci_started(self, sha: str) -> bool:
        """Return whether a check of somebody else's is there on a commit."""
        ...

    def is_protected(self, branch: str) -> bool | Absent:
        """Return whether rules guard a branch."""
        ...

    def push_access(self, pull_request: PullRequest) -> PushAccess:
        """Return whether the token may push to the pull request's head branch, as far as can be told beforehand."""
        ...

    def may_change_workflows(self) -> bool | None:
        """Return whether the token may push changes of `.github/workflows`; None: it cannot be known beforehand."""
        ...

    def failed_job_logs(self, run_ids: Sequence[int]) -> tuple[JobLog, ...]:
        """Return the logs of the failed jobs of workflow runs: at most 10 jobs, of each the last 1 MB.

        A job whose log is gone is left out.
        """
        ...

    def failed_checks(self, head_sha: str, check_suite_ids: Sequence[int]) -> tuple[FailedCheck, ...]:
        """Return the output of the failed check runs of these suites, at most 10."""
        ...


class ForgeThreads(Protocol):
    """Comments, issues and pull requests that fixloop writes."""

    def own_comment(self, number: int, marker: str) -> Comment | None:
        """Return fixloop's comment that begins with `marker` (its own by author, not by the text), the oldest of them.

        `number` is a pull request's or an issue's. A marker that somebody else wrote is nothing.
        """
        ...

    def write_comment(self, number: int, body: str, *, existing: Comment | None = None) -> Comment | TooLarge:
        """Create a comment, or edit `existing`, in one request.

        An existing comment that somebody deleted meanwhile is written anew. A creation whose answer was lost is looked
        for before it is repeated.
        """
        ...

    def react(self, comment_id: int, reaction: Reaction) -> None:
        """React to a comment; a second time changes nothing. A deleted comment is no error."""
        ...

    def write_issue(self, title: str, body: str, *, existing: Issue | None = None) -> Issue | TooLarge:
        """Create an issue, or edit and reopen `existing`."""
        ...

    def propose(self, *, branch: str, base: str, title: str, body: str) -> Proposal | NothingToPropose | TooLarge:
        """Open a pull request from `branch` of this repository onto `base`, or update the open one."""
        ...

    def commentable_lines(self, number: int) -> CommentableLines:
        """Return where suggestions may stand: the lines of the head's side in the pull request's diff."""
        ...

    def suggest(
        self, number: int, suggestions: Sequence[Suggestion], *, head_sha: str, body: str
    ) -> CommentableLines | None:
        """Write one review with all suggestions on `head_sha`.

        Returns None when done. When GitHub finds a line outside the diff, nothing is written and the present
        commentable lines come back.
        """
        ...


class ForgeCheckRuns(Protocol):
    """fixloop's check runs."""

    def start_check_run(
        self, check_run: CheckRun, *, automatic: bool = False, details_url: str = ""
    ) -> CheckRunRef | TooLarge:
        """Create a check run with the first batch of annotations, and add the others, a request for each batch.

        Its `external_id` becomes `model.forge.ExternalId` of `check_run.external_id` (the run's id) and `automatic`
        (nobody asked for the run: it counts in the ledger); `parse_external_id` reads it from a button's event.
        """
        ...

    def update_check_run(self, ref: CheckRunRef, check_run: CheckRun) -> CheckRunRef | TooLarge:
        """Make a check run show this. Batches beyond `ref.annotated` are added; GitHub takes none back."""
        ...

    def is_completed(self, ref: CheckRunRef) -> bool:
        """Return whether somebody completed the check run: during a run that is how it is asked to stop."""
        ...

    def own_check_run(self, head_sha: str, run_id: str) -> CheckRunRef | None:
        """Return the newest check run of that run on a commit, None if there is none."""
        ...


class Forge(ForgeFacts, ForgeSurvey, ForgeThreads, ForgeCheckRuns, Protocol):
    """GitHub, for one repository: calls are synchronous, retried inside, and safe to make from one thread."""
