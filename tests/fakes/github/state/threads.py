"""Issues, pull requests and what people say on them."""

from collections.abc import MutableSequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from tests.fakes.github.state.accounts import Account, App

if TYPE_CHECKING:
    from tests.fakes.github.state.repository import Repository


@dataclass(slots=True, kw_only=True, eq=False)
class Reaction:
    """One reaction to a comment; `content` is GitHub's word (`eyes`, `rocket`, `confused`, …)."""

    id: int
    account: Account
    content: str
    created_at: datetime


@dataclass(slots=True, kw_only=True, eq=False)
class IssueComment:
    """A comment on an issue or a pull request, with all that its body ever was."""

    id: int
    number: int
    author: Account
    app: App | None
    bodies: MutableSequence[str]
    """Every version, the newest last: what an edit replaced stays visible to a test."""
    created_at: datetime
    updated_at: datetime
    reactions: list[Reaction] = field(default_factory=list)
    minimized: str | None = None
    """The reason (`OUTDATED`, …) when it was hidden through GraphQL."""

    @property
    def body(self) -> str:
        """Return the body as it stands."""
        return self.bodies[-1]


@dataclass(slots=True, kw_only=True, eq=False)
class Issue:
    """An issue; also the part of a pull request that is one."""

    id: int
    number: int
    title: str
    body: str | None
    author: Account
    app: App | None
    created_at: datetime
    updated_at: datetime
    state: str = "open"
    state_reason: str | None = None
    closed_at: datetime | None = None
    closed_by: Account | None = None
    labels: list[str] = field(default_factory=list)


@dataclass(slots=True, kw_only=True, eq=False)
class PullRequest(Issue):
    """A pull request. The head follows its branch while the pull request is open."""

    base_ref: str
    head_ref: str
    head_repo: "Repository"
    base_repo: "Repository"
    last_head: str
    draft: bool = False
    maintainer_can_modify: bool = False
    merged_at: datetime | None = None
    _merges: dict[tuple[str, str], str | None] = field(default_factory=dict)

    @property
    def head_sha(self) -> str:
        """Return the head commit; a closed pull request, or one without its branch, keeps the last one."""
        if self.state == "open" and not self.head_repo.deleted:
            found = self.head_repo.git.tip(f"refs/heads/{self.head_ref}")
            if found and found != self.last_head:
                self.last_head = found
                self.publish()
        return self.last_head

    @property
    def base_sha(self) -> str:
        """Return the tip of the base branch."""
        return self.base_repo.head(self.base_ref)

    @property
    def merge_sha(self) -> str | None:
        """Return the test merge commit (refs/pull/N/merge), or None on a conflict."""
        ends = (self.base_sha, self.head_sha)
        if ends not in self._merges:
            self._merges[ends] = self.base_repo.git.merge(*ends)
            if merged := self._merges[ends]:
                self.base_repo.git.update_ref(f"refs/pull/{self.number}/merge", merged)
        return self._merges[ends]

    def publish(self) -> None:
        """Make refs/pull/N/head of the base repository what the head is."""
        ref = f"refs/pull/{self.number}/head"
        if self.head_repo is self.base_repo:
            self.base_repo.git.update_ref(ref, self.last_head)
        else:
            self.base_repo.git.fetch(self.head_repo.git, self.last_head, ref)


@dataclass(slots=True, kw_only=True, eq=False)
class ReviewComment:
    """A comment on lines of a pull request; a suggestion is a fence in its body."""

    id: int
    number: int
    review_id: int | None
    author: Account
    body: str
    path: str
    commit_id: str
    line: int | None
    start_line: int | None
    position: int | None
    hunk: str
    side: str
    subject_type: str
    in_reply_to: int | None
    created_at: datetime


@dataclass(slots=True, kw_only=True, eq=False)
class Review:
    """A review as a whole; `state` is `COMMENTED`, `APPROVED`, `CHANGES_REQUESTED` or `PENDING`."""

    id: int
    number: int
    author: Account
    body: str
    state: str
    commit_id: str
    submitted_at: datetime
