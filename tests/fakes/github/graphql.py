"""The little GraphQL that fixloop has a use for: who am I, and hiding a comment."""

import re
from typing import TYPE_CHECKING, Any

from tests.fakes.github import access
from tests.fakes.github.call import ApiError, Reply, Request
from tests.fakes.github.state.accounts import Token, node_id
from tests.fakes.github.state.threads import IssueComment

if TYPE_CHECKING:
    from tests.fakes.github.fake import FakeGitHub

_VIEWER = re.compile(r"\s*(?:query\s*)?\{\s*viewer\s*\{([\w\s]+)\}\s*\}\s*")


def answer(github: "FakeGitHub", request: Request) -> Reply:
    """Return the reply to `viewer`, `minimizeComment` or `unminimizeComment`; anything else is a violation."""
    try:
        token = access.authenticate(github, request.headers)
    except ApiError as error:
        return error.to_reply()
    body = request.body or {}
    query, given = body.get("query", ""), (body.get("variables") or {}).get("input", {})
    if viewer := _VIEWER.fullmatch(query):
        return _viewer(token, viewer.group(1).split())
    name = next((word for word in ("unminimizeComment", "minimizeComment") if f"{word}(" in query), None)
    if name is None:
        github.violate(f"request: {request} is a GraphQL query that this fake does not serve: {query[:200]}")
        return _error("UNPROCESSABLE", "not served by this fake")
    return _minimize(github, token, name, given)


def _viewer(token: Token, fields: list[str]) -> Reply:
    """Tell whose token it is; unlike `GET /user` this is also told to an installation's token."""
    account = token.account
    known = {"login": account.login, "databaseId": account.id, "id": node_id("U", account.id)}
    unknown = [field for field in fields if field not in known]
    if token.is_jwt or unknown:
        return _error("undefinedField", f"Field '{(unknown or ['viewer'])[0]}' doesn't exist on type 'User'")
    return Reply(body={"data": {"viewer": {field: known[field] for field in fields}}})


def _minimize(github: "FakeGitHub", token: Token, name: str, given: dict[str, Any]) -> Reply:
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
