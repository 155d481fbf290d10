"""Comments and issues that fixloop writes, known by marker and author."""

from itertools import islice
from typing import Any, Final

from github.Issue import Issue as GitHubIssue
from github.IssueComment import IssueComment
from github.PaginatedList import PaginatedList

from fixloop_bot.adapters.github.identity import WhoAmI
from fixloop_bot.adapters.github.pull_requests import to_actor
from fixloop_bot.adapters.github.session import MOST_LISTED, Session, unless_too_large
from fixloop_bot.model.forge import Comment, Issue, Reaction, TooLarge
from fixloop_bot.model.ticket import Absent

READ: Final = "pull-requests: read"
WRITE: Final = "pull-requests: write"
ISSUES_READ: Final = "issues: read"
ISSUES_WRITE: Final = "issues: write"


class Threads:
    """The part of `Forge` that is about comments and issues."""

    def __init__(self, session: Session, who: WhoAmI) -> None:
        self._session = session
        self._who = who

    def own_comment(self, number: int, marker: str) -> Comment | None:
        """See `ForgeThreads`."""
        own = self._own_comments(number)
        return next((one for one in own if one.body.startswith(marker)), None)

    def write_comment(self, number: int, body: str, *, existing: Comment | None = None) -> Comment | TooLarge:
        """See `ForgeThreads`."""
        return unless_too_large(lambda: self._edited(existing, body) or self._commented(number, body))

    def react(self, comment_id: int, reaction: Reaction) -> None:
        """See `ForgeThreads`."""
        path = f"/issues/comments/{comment_id}/reactions"
        self._session.find(WRITE, lambda: self._session.send(WRITE, "POST", path, {"content": str(reaction)}))

    def own_issue(self, marker: str) -> Issue | None:
        """See `ForgeThreads`."""
        own = [one for one in self._own_issues() if one.body.startswith(marker)]
        return min(own, key=lambda one: (not one.is_open, one.number), default=None)

    def write_issue(self, title: str, body: str, *, existing: Issue | None = None) -> Issue | TooLarge:
        """See `ForgeThreads`."""
        text = {"title": title, "body": body}
        if existing is not None:
            path = f"/issues/{existing.number}"
            return unless_too_large(
                lambda: _issue(self._session.send(ISSUES_WRITE, "PATCH", path, {**text, "state": "open"}))
            )
        return unless_too_large(lambda: self._opened(text))

    def _own_comments(self, number: int) -> list[Comment]:
        me, issue = self._who.self.author.id, self._session.repo.get_issue(number)
        return self._session.ask(
            READ, lambda: [_comment(one) for one in issue.get_comments() if to_actor(one.user).id == me]
        )

    def _edited(self, existing: Comment | None, body: str) -> Comment | None:
        """Return the edited comment, None where there is none any more."""
        if existing is None:
            return None
        path = f"/issues/comments/{existing.id}"
        data = self._session.change(WRITE, path, {"body": body})
        return None if isinstance(data, Absent) else _from_json(data)

    def _commented(self, number: int, body: str) -> Comment:
        made = self._session.create(
            WRITE, f"/issues/{number}/comments", {"body": body}, find=lambda: self._same_comment(number, body)
        )
        return made if isinstance(made, Comment) else _from_json(made)

    def _same_comment(self, number: int, body: str) -> Comment | None:
        return next((one for one in reversed(self._own_comments(number)) if one.body == body), None)

    def _own_issues(self) -> list[Issue]:
        """Return the newest issues that fixloop wrote."""
        author = self._who.self.author
        query = {"state": "all", "creator": author.login}
        path = f"{self._session.path}/issues"
        listed = PaginatedList(GitHubIssue, self._session.github.requester, path, query)
        return self._session.ask(
            ISSUES_READ,
            lambda: [_listed(one) for one in islice(listed, MOST_LISTED) if to_actor(one.user).id == author.id],
        )

    def _opened(self, text: dict[str, str]) -> Issue:
        made = self._session.create(ISSUES_WRITE, "/issues", text, find=lambda: self._same_issue(text["body"]))
        return made if isinstance(made, Issue) else _issue(made)

    def _same_issue(self, body: str) -> Issue | None:
        return next((one for one in self._own_issues() if one.body == body and one.is_open), None)


def _comment(one: IssueComment) -> Comment:
    return Comment(id=one.id, body=one.body or "", url=one.html_url)


def _from_json(data: dict[str, Any]) -> Comment:
    return Comment(id=data["id"], body=data.get("body") or "", url=data["html_url"])


def _listed(one: GitHubIssue) -> Issue:
    return Issue(number=one.number, title=one.title, body=one.body or "", url=one.html_url, is_open=one.state == "open")


def _issue(data: dict[str, Any]) -> Issue:
    return Issue(
        number=data["number"],
        title=data["title"],
        body=data.get("body") or "",
        url=data["html_url"],
        is_open=data["state"] == "open",
    )
