"""Pull requests: looked up, listed, proposed, suggested on."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

from github.NamedUser import NamedUser
from github.Organization import Organization
from github.PullRequest import PullRequest as GitHubPullRequest
from github.Repository import Repository

from fixloop_bot.adapters.github.errors import RefusedError
from fixloop_bot.adapters.github.hunks import shown_lines
from fixloop_bot.adapters.github.identity import WhoAmI
from fixloop_bot.adapters.github.session import MOST_LISTED, Session, unless_too_large
from fixloop_bot.model.event import Actor, PullRequest, RepositoryRef
from fixloop_bot.model.forge import (
    CommentableLines,
    ListedPullRequest,
    NothingToPropose,
    Proposal,
    PushAccess,
    PushAllowed,
    PushRefused,
    TooLarge,
)
from fixloop_bot.model.suggestion import Suggestion
from fixloop_bot.model.ticket import Absent

READ: Final = "pull-requests: read"
WRITE: Final = "pull-requests: write"
_GHOST: Final = Actor(login="ghost", id=10137)
"""GitHub's stand-in for deleted accounts."""


class PullRequests:
    """The part of `Forge` that is about pull requests."""

    def __init__(self, session: Session, who: WhoAmI) -> None:
        self._session = session
        self._who = who

    def pull_request(self, number: int) -> PullRequest | Absent:
        """See `ForgeFacts`."""
        return self._session.find(READ, lambda: to_pull_request(self._session.repo.get_pull(number)))

    def pull_requests_with_head(
        self, head_sha: str, *, head_branch: str = "", head_repository: RepositoryRef | None = None
    ) -> tuple[PullRequest, ...]:
        """See `ForgeFacts`."""
        known = self._session.find(READ, lambda: [*self._session.repo.get_commit(head_sha).get_pulls()])
        found = [] if isinstance(known, Absent) else self._session.ask(READ, lambda: [*map(to_pull_request, known)])
        current = _with_head(found, head_sha)
        if current or head_repository is None or not head_branch:
            return current
        head = f"{head_repository.full_name.partition('/')[0]}:{head_branch}"
        return _with_head(self._session.ask(READ, lambda: [*map(to_pull_request, self._open(head=head))]), head_sha)

    def open_pull_requests(self) -> tuple[ListedPullRequest, ...]:
        """See `ForgeSurvey`."""
        return self._session.ask(
            READ, lambda: tuple(_listed(pull) for pull in self._open(sort="updated", direction="desc"))
        )

    def push_access(self, pull_request: PullRequest) -> PushAccess:
        """See `ForgeSurvey`."""
        fork = pull_request.head_repository
        if fork is None:
            return PushRefused("the fork was deleted")
        if not pull_request.from_fork:
            return PushAllowed()
        if not self._who.self.is_person:
            return PushRefused("the token reaches this repository alone, and the branch is in a fork")
        return self._session.ask(READ, lambda: self._fork_access(pull_request.number))

    def propose(self, *, branch: str, base: str, title: str, body: str) -> Proposal | NothingToPropose | TooLarge:
        """See `ForgeThreads`."""
        text = {"title": title, "body": body}
        try:
            return unless_too_large(lambda: self._update(branch, base, text) or self._open_new(branch, base, text))
        except RefusedError as error:
            if "no commits between" in error.said:
                return NothingToPropose()
            raise

    def commentable_lines(self, number: int) -> CommentableLines:
        """See `ForgeThreads`."""
        pull = self._session.repo.get_pull(number)
        files = self._session.ask(READ, lambda: [(file.filename, file.patch) for file in pull.get_files()])
        return {path: shown_lines(patch or "") for path, patch in files}

    def suggest(
        self, number: int, suggestions: Sequence[Suggestion], *, head_sha: str, body: str
    ) -> CommentableLines | None:
        """See `ForgeThreads`."""
        comments = [_review_comment(one) for one in suggestions]
        review = {"commit_id": head_sha, "event": "COMMENT", "body": body, "comments": comments}
        try:
            self._session.create(
                WRITE, f"/pulls/{number}/reviews", review, find=lambda: self._review(number, head_sha, body)
            )
        except RefusedError:
            lines = self.commentable_lines(number)
            if all(_stands(one, lines) for one in suggestions):
                raise
            return lines
        return None

    def _open(self, **query: str) -> Iterator[GitHubPullRequest]:
        return islice(self._session.repo.get_pulls(state="open", **query), MOST_LISTED)

    def _fork_access(self, number: int) -> PushAccess:
        pull = self._session.repo.get_pull(number)
        if pull.head.repo.permissions.push:
            return PushAllowed()
        if pull.head.repo.owner.type == "Organization":
            return PushRefused("an organisation owns the fork, and GitHub lets no maintainer push there")
        if not pull.maintainer_can_modify:
            return PushRefused("the author does not allow edits by maintainers")
        return PushAllowed()

    def _update(self, branch: str, base: str, text: dict[str, str]) -> Proposal | None:
        found = self._proposed(branch, base)
        if found is not None:
            self._session.send(WRITE, "PATCH", f"/pulls/{found.number}", text)
        return found

    def _proposed(self, branch: str, base: str) -> Proposal | None:
        head = f"{self._session.access.full_name.partition('/')[0]}:{branch}"
        pulls = self._session.ask(
            READ, lambda: [(one.number, one.html_url) for one in self._open(head=head, base=base)]
        )
        return Proposal(number=pulls[0][0], url=pulls[0][1], created=False) if pulls else None

    def _open_new(self, branch: str, base: str, text: dict[str, str]) -> Proposal:
        made = self._session.create(
            WRITE, "/pulls", {**text, "head": branch, "base": base}, find=lambda: self._proposed(branch, base)
        )
        if isinstance(made, Proposal):
            return made
        return Proposal(number=made["number"], url=made["html_url"], created=True)

    def _review(self, number: int, head_sha: str, body: str) -> int | None:
        me = self._who.self.author.id
        reviews = self._session.ask(READ, lambda: [*self._session.repo.get_pull(number).get_reviews()])
        own = (
            one.id for one in reviews if to_actor(one.user).id == me and one.commit_id == head_sha and one.body == body
        )
        return next(own, None)


def to_pull_request(pull: GitHubPullRequest) -> PullRequest:
    """Return fixloop's noun. Uses only what lists tell too, so that no further request is made."""
    return PullRequest(
        number=pull.number,
        head_sha=pull.head.sha,
        head_branch=pull.head.ref,
        head_repository=to_repository(pull.head.repo),
        base_branch=pull.base.ref,
        base_repository_id=pull.base.repo.id,
        author=to_actor(pull.user),
        is_open=pull.state == "open",
        draft=bool(pull.draft),
        title=(pull.title or "")[:300],
    )


def to_repository(repository: Repository | None) -> RepositoryRef | None:
    """Return fixloop's noun, None for a deleted repository."""
    if repository is None:
        return None
    return RepositoryRef(
        full_name=repository.full_name, id=repository.id, default_branch=repository.default_branch or ""
    )


def to_actor(user: NamedUser | Organization | None) -> Actor:
    """Return fixloop's noun; a deleted account is GitHub's ghost."""
    return Actor(login=user.login, id=user.id, type=user.type) if user is not None else _GHOST


def _with_head(pulls: Sequence[PullRequest], head_sha: str) -> tuple[PullRequest, ...]:
    return tuple(one for one in pulls if one.is_open and one.head_sha == head_sha)


def _listed(pull: GitHubPullRequest) -> ListedPullRequest:
    updated_at = pull.updated_at.timestamp() if pull.updated_at else 0.0
    return ListedPullRequest(pull_request=to_pull_request(pull), title=pull.title, updated_at=updated_at)


def _review_comment(one: Suggestion) -> dict[str, Any]:
    place: dict[str, Any] = {"path": one.path, "line": one.line, "side": "RIGHT", "body": one.body}
    return place if one.start_line is None else {**place, "start_line": one.start_line, "start_side": "RIGHT"}


def _stands(one: Suggestion, lines: CommentableLines) -> bool:
    return set(range(one.start_line or one.line, one.line + 1)) <= set(lines.get(one.path, ()))
