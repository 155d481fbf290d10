"""Issues, comments and reactions as JSON."""

from typing import Any

from tests.fakes.github.render.accounts import app, stamp, user
from tests.fakes.github.state.accounts import node_id
from tests.fakes.github.state.repository import Repository
from tests.fakes.github.state.threads import Issue, IssueComment, PullRequest, Reaction
from tests.fakes.github.urls import Urls

REACTIONS = ("+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes")


def issue(urls: Urls, repo: Repository, item: Issue) -> dict[str, Any]:
    """Return `issue`; a pull request is one too."""
    api = urls.repo(repo.full_name, "issues", item.number)
    is_pull = isinstance(item, PullRequest)
    rendered = {
        "id": item.id,
        "node_id": node_id("PR" if is_pull else "I", item.id),
        "url": api,
        "repository_url": urls.repo(repo.full_name),
        "labels_url": f"{api}/labels{{/name}}",
        "comments_url": f"{api}/comments",
        "events_url": f"{api}/events",
        "timeline_url": f"{api}/timeline",
        "html_url": urls.html(repo.full_name, "pull" if is_pull else "issues", item.number),
        "number": item.number,
        "state": item.state,
        "state_reason": item.state_reason,
        "title": item.title,
        "body": item.body,
        "user": user(urls, item.author),
        "labels": [label(urls, repo, name) for name in item.labels],
        "assignee": None,
        "assignees": [],
        "milestone": None,
        "locked": False,
        "active_lock_reason": None,
        "comments": len(repo.comments_on(item.number)),
        "closed_at": stamp(item.closed_at),
        "closed_by": user(urls, item.closed_by) if item.closed_by else None,
        "created_at": stamp(item.created_at),
        "updated_at": stamp(item.updated_at),
        "author_association": repo.association(item.author),
        "performed_via_github_app": app(urls, item.app) if item.app else None,
        "reactions": rollup(f"{api}/reactions", []),
    }
    return {**rendered, **_pull_part(urls, repo, item)} if isinstance(item, PullRequest) else rendered


def label(urls: Urls, repo: Repository, name: str) -> dict[str, Any]:
    """Return `label`."""
    return {
        "id": sum(name.encode()) + 1_000_000,
        "node_id": node_id("LA", sum(name.encode())),
        "url": urls.repo(repo.full_name, "labels", name),
        "name": name,
        "color": "ededed",
        "default": False,
        "description": "",
    }


def comment(urls: Urls, repo: Repository, item: IssueComment) -> dict[str, Any]:
    """Return `issue-comment`."""
    api = urls.repo(repo.full_name, "issues", "comments", item.id)
    kind = "pull" if item.number in repo.pulls else "issues"
    return {
        "id": item.id,
        "node_id": node_id("IC", item.id),
        "url": api,
        "issue_url": urls.repo(repo.full_name, "issues", item.number),
        "html_url": urls.html(repo.full_name, kind, item.number) + f"#issuecomment-{item.id}",
        "user": user(urls, item.author),
        "body": item.body,
        "created_at": stamp(item.created_at),
        "updated_at": stamp(item.updated_at),
        "author_association": repo.association(item.author),
        "performed_via_github_app": app(urls, item.app) if item.app else None,
        "reactions": rollup(f"{api}/reactions", item.reactions),
    }


def reaction(urls: Urls, item: Reaction) -> dict[str, Any]:
    """Return `reaction`."""
    return {
        "id": item.id,
        "node_id": node_id("REA", item.id),
        "user": user(urls, item.account),
        "content": item.content,
        "created_at": stamp(item.created_at),
    }


def rollup(url: str, reactions: list[Reaction]) -> dict[str, Any]:
    """Return `reaction-rollup`."""
    counts = {content: sum(item.content == content for item in reactions) for content in REACTIONS}
    return {"url": url, "total_count": len(reactions), **counts}


def _pull_part(urls: Urls, repo: Repository, pull: PullRequest) -> dict[str, Any]:
    html = urls.html(repo.full_name, "pull", pull.number)
    return {
        "draft": pull.draft,
        "pull_request": {
            "url": urls.repo(repo.full_name, "pulls", pull.number),
            "html_url": html,
            "diff_url": f"{html}.diff",
            "patch_url": f"{html}.patch",
            "merged_at": stamp(pull.merged_at),
        },
    }
