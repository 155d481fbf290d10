"""The issues and pull requests of a repository."""

import itertools

from tests.fakes.github.state.accounts import Account, App
from tests.fakes.github.state.source import Source
from tests.fakes.github.state.threads import Issue, IssueComment, PullRequest, Reaction, Review, ReviewComment


class ThreadBoard(Source):
    """Issues, pull requests, comments and reviews; each method is also what a test calls."""

    def __init__(self, **source: object) -> None:
        super().__init__(**source)  # type: ignore[arg-type]
        self._numbers = itertools.count(1)
        self.issues: dict[int, Issue] = {}
        self.comments: dict[int, IssueComment] = {}
        self.review_comments: dict[int, ReviewComment] = {}
        self.reviews: dict[int, Review] = {}

    @property
    def pulls(self) -> dict[int, PullRequest]:
        """Return the pull requests by number."""
        return {number: issue for number, issue in self.issues.items() if isinstance(issue, PullRequest)}

    def open_issue(
        self, title: str, body: str | None = None, *, author: str | Account = "mona", app: App | None = None
    ) -> Issue:
        """Open an issue."""
        now = self.world.now()
        made = Issue(
            id=self.world.next_id(),
            number=next(self._numbers),
            title=title,
            body=body,
            author=self.world.account(author),
            app=app,
            created_at=now,
            updated_at=now,
        )
        self.issues[made.number] = made
        return made

    def open_pull(
        self,
        head: str,
        *,
        base: str | None = None,
        title: str = "A change",
        body: str | None = None,
        author: str | Account = "mona",
        source: "ThreadBoard | None" = None,
        draft: bool = False,
        maintainer_can_modify: bool = False,
        app: App | None = None,
    ) -> PullRequest:
        """Open a pull request from the branch `head` (of the fork `source`) and set refs/pull/N/head."""
        now = self.world.now()
        made = PullRequest(
            id=self.world.next_id(),
            number=next(self._numbers),
            title=title,
            body=body,
            author=self.world.account(author),
            app=app,
            created_at=now,
            updated_at=now,
            base_ref=base or self.default_branch,
            head_ref=head,
            head_repo=source or self,  # type: ignore[arg-type]
            base_repo=self,  # type: ignore[arg-type]
            last_head=(source or self).head(head),
            draft=draft,
            maintainer_can_modify=maintainer_can_modify,
        )
        self.issues[made.number] = made
        made.publish()
        return made

    def close(self, issue: Issue) -> Issue:
        """Close an issue or pull request; a pull request keeps the head that it has now."""
        if isinstance(issue, PullRequest):
            issue.last_head = issue.head_sha
        issue.state, issue.closed_at = "closed", self.world.now()
        return issue

    def merge(self, pull: PullRequest) -> str:
        """Merge a pull request and return the new tip of the base branch; a conflict is a ValueError."""
        merged = pull.merge_sha
        if merged is None:
            raise ValueError(f"#{pull.number} conflicts with its base")
        self.git.update_ref(f"refs/heads/{pull.base_ref}", merged)
        pull.merged_at = self.world.now()
        self.close(pull)
        return merged

    def comment(
        self, number: int, body: str, *, author: str | Account = "mona", app: App | None = None
    ) -> IssueComment:
        """Comment on an issue or pull request."""
        now = self.world.now()
        made = IssueComment(
            id=self.world.next_id(),
            number=number,
            author=self.world.account(author),
            app=app,
            bodies=[body],
            created_at=now,
            updated_at=now,
        )
        self.comments[made.id] = made
        return made

    def edit_comment(self, comment: IssueComment, body: str) -> IssueComment:
        """Replace a comment's body; the old one stays in `bodies`."""
        comment.bodies.append(body)
        comment.updated_at = self.world.now()
        return comment

    def comments_on(self, number: int) -> list[IssueComment]:
        """Return the comments on an issue or pull request, oldest first."""
        return [comment for comment in self.comments.values() if comment.number == number]

    def react(self, comment: IssueComment, content: str, *, author: str | Account = "mona") -> tuple[Reaction, bool]:
        """Add a reaction; return it and whether it is new (the same one twice is one)."""
        account = self.world.account(author)
        for reaction in comment.reactions:
            if reaction.account is account and reaction.content == content:
                return reaction, False
        made = Reaction(id=self.world.next_id(), account=account, content=content, created_at=self.world.now())
        comment.reactions.append(made)
        return made, True

    def review(self, pull: PullRequest, body: str, state: str, *, author: str | Account = "mona") -> Review:
        """Review a pull request as a whole."""
        made = Review(
            id=self.world.next_id(),
            number=pull.number,
            author=self.world.account(author),
            body=body,
            state=state,
            commit_id=pull.head_sha,
            submitted_at=self.world.now(),
        )
        self.reviews[made.id] = made
        return made

    def association(self, account: Account) -> str:
        """Return an author's tie to the repository, in GitHub's words."""
        if account is self.owner:
            return "OWNER"
        if account.type == "User" and self.allows(account, "write"):
            return "MEMBER" if self.owner.type == "Organization" else "COLLABORATOR"
        merged = any(pull.merged_at and pull.author is account for pull in self.pulls.values())
        return "CONTRIBUTOR" if merged else "NONE"
