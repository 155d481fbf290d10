"""Issues, comments and reactions."""

from datetime import datetime
from typing import Any

from tests.fakes.github.call import ApiError, Call, Reply, invalid, not_found
from tests.fakes.github.paging import page
from tests.fakes.github.render import threads as render
from tests.fakes.github.state.threads import Issue, IssueComment, PullRequest

COMMENT_LIMIT = 65_536


def list_issues(call: Call) -> Reply:
    """List issues and pull requests, the newest first."""
    state, creator = call.query.get("state", "open"), call.query.get("creator")
    labels = set(filter(None, call.query.get("labels", "").split(",")))
    found = [
        item
        for item in reversed(call.repo.issues.values())
        if state in {"all", item.state}
        and labels <= set(item.labels)
        and creator in {None, item.author.login}
        and _since(call, item.updated_at)
    ]
    if call.query.get("direction") == "asc":
        found.reverse()
    return page(call, found, lambda item: render.issue(call.urls, call.repo, item))


def get_issue(call: Call) -> Reply:
    return Reply(body=render.issue(call.urls, call.repo, issue_of(call)))


def create_issue(call: Call) -> Reply:
    check_body(call.body.get("body"))
    made = call.repo.open_issue(
        str(call.body["title"]), call.body.get("body"), author=call.token.account, app=call.token.app
    )
    made.labels = [item if isinstance(item, str) else str(item["name"]) for item in call.body.get("labels", [])]
    rendered = render.issue(call.urls, call.repo, made)
    return Reply(status=201, body=rendered, headers={"Location": rendered["url"]})


def update_issue(call: Call) -> Reply:
    item = issue_of(call)
    _check_ownership(call, item.author.login)
    check_body(call.body.get("body"))
    if "title" in call.body:
        item.title = str(call.body["title"])
    if "body" in call.body:
        item.body = call.body["body"]
    if call.body.get("state", item.state) != item.state:
        item.state = call.body["state"]
        closed = item.state == "closed"
        item.closed_at = call.world.now() if closed else None
        item.closed_by = call.token.account if closed else None
        item.state_reason = call.body.get("state_reason") or ("completed" if closed else "reopened")
    item.updated_at = call.world.now()
    return Reply(body=render.issue(call.urls, call.repo, item))


def list_labels(call: Call) -> Reply:
    return page(call, issue_of(call).labels, lambda name: render.label(call.urls, call.repo, name))


def add_labels(call: Call) -> Reply:
    item = issue_of(call)
    names = [entry if isinstance(entry, str) else entry["name"] for entry in call.body.get("labels", [])]
    item.labels += [name for name in names if name not in item.labels]
    return Reply(body=[render.label(call.urls, call.repo, name) for name in item.labels])


def list_comments(call: Call) -> Reply:
    found = [item for item in call.repo.comments_on(issue_of(call).number) if _since(call, item.updated_at)]
    return page(call, found, lambda item: render.comment(call.urls, call.repo, item))


def create_comment(call: Call) -> Reply:
    item = issue_of(call)
    kind = "pull_requests:write" if isinstance(item, PullRequest) else "issues:write"
    if not (call.token.grants(kind) or call.token.grants("issues:write")):
        raise ApiError(403, "Resource not accessible by integration")
    check_body(call.body["body"])
    made = call.repo.comment(item.number, call.body["body"], author=call.token.account, app=call.token.app)
    rendered = render.comment(call.urls, call.repo, made)
    return Reply(status=201, body=rendered, headers={"Location": rendered["url"]})


def get_comment(call: Call) -> Reply:
    return Reply(body=render.comment(call.urls, call.repo, _comment(call)))


def update_comment(call: Call) -> Reply:
    item = _comment(call)
    _check_ownership(call, item.author.login)
    check_body(call.body["body"])
    call.repo.edit_comment(item, call.body["body"])
    return Reply(body=render.comment(call.urls, call.repo, item))


def delete_comment(call: Call) -> Reply:
    item = _comment(call)
    _check_ownership(call, item.author.login)
    del call.repo.comments[item.id]
    return Reply(status=204)


def list_reactions(call: Call) -> Reply:
    wanted = call.query.get("content")
    found = [item for item in _comment(call).reactions if wanted in {None, item.content}]
    return page(call, found, lambda item: render.reaction(call.urls, item))


def create_reaction(call: Call) -> Reply:
    made, fresh = call.repo.react(_comment(call), call.body["content"], author=call.token.account)
    return Reply(status=201 if fresh else 200, body=render.reaction(call.urls, made))


def delete_reaction(call: Call) -> Reply:
    item = _comment(call)
    found = next((entry for entry in item.reactions if entry.id == call.number("reaction_id")), None)
    if found is None or found.account is not call.token.account:
        raise not_found()
    item.reactions.remove(found)
    return Reply(status=204)


def check_body(body: Any) -> None:
    """Refuse a body over GitHub's limit, which counts characters."""
    if body and len(body) > COMMENT_LIMIT:
        text = f"Body is too long (maximum is {COMMENT_LIMIT} characters)"
        raise invalid(resource="IssueComment", code="unprocessable", field="data", message=text)


def issue_of(call: Call) -> Issue:
    """Return the issue or pull request of the path."""
    found = call.repo.issues.get(call.number("issue_number"))
    if found is None:
        raise not_found()
    return found


def _comment(call: Call) -> IssueComment:
    found = call.repo.comments.get(call.number("comment_id"))
    if found is None:
        raise not_found()
    return found


def _check_ownership(call: Call, author: str) -> None:
    """A person without write access changes only what is theirs."""
    account = call.token.account
    if call.token.permissions is None and account.login != author and not call.repo.allows(account, "write"):
        raise ApiError(403, "Must have admin rights to Repository.")


def _since(call: Call, when: datetime) -> bool:
    since = call.query.get("since")
    return since is None or when >= datetime.fromisoformat(since)
