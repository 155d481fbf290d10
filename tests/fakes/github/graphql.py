"""What fixloop has a use for in GraphQL: who the token is, and hiding a comment."""

from typing import TYPE_CHECKING

from tests.fakes.github import access
from tests.fakes.github.call import ApiError, Reply, Request
from tests.fakes.github.state.accounts import node_id
from tests.fakes.github.state.threads import IssueComment

if TYPE_CHECKING:
    from tests.fakes.github.fake import FakeGitHub


def answer(github: "FakeGitHub", request: Request) -> Reply:
    """Return the reply to `viewer`, `minimizeComment` or `unminimizeComment`; anything else is a violation."""
    try:
        token = access.authenticate(github, request.headers)
    except ApiError as error:
        return error.to_reply()
    body = request.body or {}
    query, given = body.get("query", ""), body.get("variables", {}).get("input", {})
    if query == "query { viewer { login databaseId } }":
        viewer = {"login": token.account.login, "databaseId": token.account.id}
        return Reply(body={"data": {"viewer": viewer}})
    name = next((word for word in ("unminimizeComment", "minimizeComment") if f"{word}(" in query), None)
    if name is None:
        github.violate(f"request: {request} is a GraphQL query that this fake does not serve: {query[:200]}")
        return _error("UNPROCESSABLE", "not served by this fake")
    comment = _comment(github, given.get("subjectId"))
    if comment is None:
        return _error("NOT_FOUND", f"Could not resolve to a node with the global id of '{given.get('subjectId')}'")
    if not (token.grants("issues:write") or token.grants("pull_requests:write")):
        return _error("FORBIDDEN", "Resource not accessible by integration")
    comment.minimized = given.get("classifier") if name == "minimizeComment" else None
    side = "unminimizedComment" if name == "unminimizeComment" else "minimizedComment"
    seen = {"isMinimized": comment.minimized is not None, "minimizedReason": (comment.minimized or "").lower()}
    return Reply(body={"data": {name: {side: seen, "clientMutationId": given.get("clientMutationId")}}})


def _comment(github: "FakeGitHub", subject: str | None) -> IssueComment | None:
    every = (comment for repository in github.repositories.values() for comment in repository.comments.values())
    return next((comment for comment in every if node_id("IC", comment.id) == subject), None)


def _error(kind: str, message: str) -> Reply:
    return Reply(body={"data": None, "errors": [{"type": kind, "message": message}]})
