"""Pull requests, reviews and review comments as JSON."""

from typing import Any

from tests.fakes.github.render.accounts import stamp, user
from tests.fakes.github.render.repositories import repository
from tests.fakes.github.render.threads import label, rollup
from tests.fakes.github.state.accounts import node_id
from tests.fakes.github.state.git_diff import changes
from tests.fakes.github.state.repository import Repository
from tests.fakes.github.state.threads import PullRequest, Review, ReviewComment
from tests.fakes.github.urls import Urls


def simple(urls: Urls, repo: Repository, pull: PullRequest) -> dict[str, Any]:
    """Return `pull-request-simple`."""
    html = urls.html(repo.full_name, "pull", pull.number)
    return {
        "id": pull.id,
        "node_id": node_id("PR", pull.id),
        "number": pull.number,
        "state": pull.state,
        "locked": False,
        "title": pull.title,
        "body": pull.body,
        "user": user(urls, pull.author),
        "draft": pull.draft,
        "labels": [label(urls, repo, name) for name in pull.labels],
        "milestone": None,
        "assignee": None,
        "assignees": [],
        "requested_reviewers": [],
        "requested_teams": [],
        "active_lock_reason": None,
        "auto_merge": None,
        "author_association": repo.association(pull.author),
        "created_at": stamp(pull.created_at),
        "updated_at": stamp(pull.updated_at),
        "closed_at": stamp(pull.closed_at),
        "merged_at": stamp(pull.merged_at),
        "merge_commit_sha": pull.merge_sha,
        "head": _end(urls, pull.head_repo, pull.head_ref, pull.head_sha),
        "base": _end(urls, repo, pull.base_ref, pull.base_sha),
        "html_url": html,
        "diff_url": f"{html}.diff",
        "patch_url": f"{html}.patch",
        **_addresses(urls, repo, pull),
    }


def whole(urls: Urls, repo: Repository, pull: PullRequest) -> dict[str, Any]:
    """Return `pull-request`."""
    rendered = simple(urls, repo, pull)
    store = repo.git
    base = store.merge_base(pull.base_sha, pull.head_sha) or pull.base_sha
    entries = changes(store, base, pull.head_sha)
    clean = rendered["merge_commit_sha"] is not None
    return {
        **rendered,
        "merged": pull.merged_at is not None,
        "mergeable": clean,
        "rebaseable": clean,
        "mergeable_state": "clean" if clean else "dirty",
        "merged_by": None,
        "comments": len(repo.comments_on(pull.number)),
        "review_comments": sum(item.number == pull.number for item in repo.review_comments.values()),
        "maintainer_can_modify": pull.maintainer_can_modify,
        "commits": store.count(f"{base}..{pull.head_sha}"),
        "additions": sum(entry.additions for entry in entries),
        "deletions": sum(entry.deletions for entry in entries),
        "changed_files": len(entries),
    }


def minimal(urls: Urls, repo: Repository, pull: PullRequest) -> dict[str, Any]:
    """Return `pull-request-minimal`, as checks and runs list it."""
    ends = {"head": (pull.head_repo, pull.head_ref, pull.head_sha), "base": (repo, pull.base_ref, pull.base_sha)}
    return {
        "id": pull.id,
        "number": pull.number,
        "url": urls.repo(repo.full_name, "pulls", pull.number),
        **{
            name: {"ref": ref, "sha": sha, "repo": {"id": at.id, "name": at.name, "url": urls.repo(at.full_name)}}
            for name, (at, ref, sha) in ends.items()
        },
    }


def at_commit(urls: Urls, repo: Repository, sha: str) -> list[dict[str, Any]]:
    """Return the open pull requests of the same repository whose head is a commit: forks' are left out."""
    return [
        minimal(urls, repo, pull)
        for pull in repo.pulls.values()
        if pull.state == "open" and pull.head_repo is repo and pull.head_sha == sha
    ]


def review(urls: Urls, repo: Repository, item: Review) -> dict[str, Any]:
    """Return `pull-request-review`."""
    pull = urls.repo(repo.full_name, "pulls", item.number)
    html = urls.html(repo.full_name, "pull", item.number) + f"#pullrequestreview-{item.id}"
    return {
        "id": item.id,
        "node_id": node_id("PRR", item.id),
        "user": user(urls, item.author),
        "body": item.body,
        "state": item.state,
        "html_url": html,
        "pull_request_url": pull,
        "author_association": repo.association(item.author),
        "_links": {"html": {"href": html}, "pull_request": {"href": pull}},
        "submitted_at": stamp(item.submitted_at),
        "commit_id": item.commit_id,
    }


def review_comment(urls: Urls, repo: Repository, item: ReviewComment) -> dict[str, Any]:
    """Return `pull-request-review-comment`."""
    api = urls.repo(repo.full_name, "pulls", "comments", item.id)
    pull = urls.repo(repo.full_name, "pulls", item.number)
    html = urls.html(repo.full_name, "pull", item.number) + f"#discussion_r{item.id}"
    rendered: dict[str, Any] = {
        "id": item.id,
        "node_id": node_id("PRRC", item.id),
        "url": api,
        "html_url": html,
        "pull_request_url": pull,
        "pull_request_review_id": item.review_id,
        "diff_hunk": item.hunk,
        "path": item.path,
        "commit_id": item.commit_id,
        "original_commit_id": item.commit_id,
        "user": user(urls, item.author),
        "body": item.body,
        "created_at": stamp(item.created_at),
        "updated_at": stamp(item.created_at),
        "author_association": repo.association(item.author),
        "_links": {"self": {"href": api}, "html": {"href": html}, "pull_request": {"href": pull}},
        "reactions": rollup(f"{api}/reactions", []),
        "side": item.side,
        "start_line": item.start_line,
        "start_side": item.side if item.start_line else None,
        "subject_type": item.subject_type,
    }
    if item.line is not None:
        rendered.update(
            line=item.line, original_line=item.line, position=item.position, original_position=item.position
        )
    if item.in_reply_to is not None:
        rendered["in_reply_to_id"] = item.in_reply_to
    return rendered


def _end(urls: Urls, repo: Repository, ref: str, sha: str) -> dict[str, Any]:
    return {
        "label": f"{repo.owner.login}:{ref}",
        "ref": ref,
        "sha": sha,
        "user": user(urls, repo.owner),
        "repo": None if repo.deleted else repository(urls, repo),
    }


def _addresses(urls: Urls, repo: Repository, pull: PullRequest) -> dict[str, Any]:
    api = urls.repo(repo.full_name, "pulls", pull.number)
    issue = urls.repo(repo.full_name, "issues", pull.number)
    addresses = {
        "commits": f"{api}/commits",
        "review_comments": f"{api}/comments",
        "review_comment": urls.repo(repo.full_name, "pulls", "comments{/number}"),
        "comments": f"{issue}/comments",
        "statuses": urls.repo(repo.full_name, "statuses", pull.last_head),
    }
    links = {"self": api, "html": urls.html(repo.full_name, "pull", pull.number), "issue": issue, **addresses}
    return {
        "url": api,
        "issue_url": issue,
        **{f"{name}_url": address for name, address in addresses.items()},
        "_links": {name: {"href": address} for name, address in links.items()},
    }
