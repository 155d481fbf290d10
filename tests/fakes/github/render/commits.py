"""Commits, refs, trees, files and comparisons as JSON."""

from typing import Any

from tests.fakes.github.render.accounts import user
from tests.fakes.github.state.accounts import node_id
from tests.fakes.github.state.git_diff import FileChange, changes
from tests.fakes.github.state.git_store import Commit, Person
from tests.fakes.github.state.repository import Repository
from tests.fakes.github.urls import Urls

_UNSIGNED = {"verified": False, "reason": "unsigned", "signature": None, "payload": None, "verified_at": None}
EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def commit(urls: Urls, repo: Repository, item: Commit) -> dict[str, Any]:
    """Return `commit` without stats and files."""
    api = urls.repo(repo.full_name, "commits", item.sha)
    return {
        "sha": item.sha,
        "node_id": node_id("C", int(item.sha[:12], 16)),
        "commit": {
            "author": _person(item.author),
            "committer": _person(item.committer),
            "message": item.message,
            "tree": {"sha": item.tree, "url": urls.repo(repo.full_name, "git", "trees", item.tree)},
            "url": urls.repo(repo.full_name, "git", "commits", item.sha),
            "comment_count": 0,
            "verification": dict(_UNSIGNED),
        },
        "url": api,
        "html_url": urls.html(repo.full_name, "commit", item.sha),
        "comments_url": f"{api}/comments",
        "author": _account(urls, repo, item.author),
        "committer": _account(urls, repo, item.committer),
        "parents": [_parent(urls, repo, sha, "commits") for sha in item.parents],
    }


def whole_commit(urls: Urls, repo: Repository, item: Commit) -> dict[str, Any]:
    """Return `commit` with stats and files."""
    entries = changes(repo.git, item.parents[0] if item.parents else EMPTY_TREE, item.sha)
    added, deleted = sum(entry.additions for entry in entries), sum(entry.deletions for entry in entries)
    return {
        **commit(urls, repo, item),
        "stats": {"total": added + deleted, "additions": added, "deletions": deleted},
        "files": [file(urls, repo, item.sha, entry) for entry in entries],
    }


def git_commit(urls: Urls, repo: Repository, item: Commit) -> dict[str, Any]:
    """Return `git-commit`."""
    return {
        "sha": item.sha,
        "node_id": node_id("C", int(item.sha[:12], 16)),
        "url": urls.repo(repo.full_name, "git", "commits", item.sha),
        "html_url": urls.html(repo.full_name, "commit", item.sha),
        "author": _person(item.author),
        "committer": _person(item.committer),
        "tree": {"sha": item.tree, "url": urls.repo(repo.full_name, "git", "trees", item.tree)},
        "message": item.message,
        "parents": [_parent(urls, repo, sha, "git/commits") for sha in item.parents],
        "verification": dict(_UNSIGNED),
    }


def simple_commit(item: Commit) -> dict[str, Any]:
    """Return `simple-commit`."""
    return {
        "id": item.sha,
        "tree_id": item.tree,
        "message": item.message,
        "timestamp": item.committer.date,
        "author": {"name": item.author.name, "email": item.author.email},
        "committer": {"name": item.committer.name, "email": item.committer.email},
    }


def ref(urls: Urls, repo: Repository, name: str, sha: str) -> dict[str, Any]:
    """Return `git-ref`; `name` is the whole name."""
    return {
        "ref": name,
        "node_id": node_id("REF", int(sha[:12], 16)),
        "url": urls.repo(repo.full_name, "git", name),
        "object": {"sha": sha, "type": "commit", "url": urls.repo(repo.full_name, "git", "commits", sha)},
    }


def file(urls: Urls, repo: Repository, sha: str, entry: FileChange) -> dict[str, Any]:
    """Return `diff-entry`."""
    rendered: dict[str, Any] = {
        "sha": entry.sha,
        "filename": entry.path,
        "status": entry.status,
        "additions": entry.additions,
        "deletions": entry.deletions,
        "changes": entry.additions + entry.deletions,
        "blob_url": urls.html(repo.full_name, "blob", sha, entry.path),
        "raw_url": urls.html(repo.full_name, "raw", sha, entry.path),
        "contents_url": urls.repo(repo.full_name, "contents", entry.path) + f"?ref={sha}",
    }
    if entry.patch is not None:
        rendered["patch"] = entry.patch
    if entry.previous is not None:
        rendered["previous_filename"] = entry.previous
    return rendered


def _person(person: Person) -> dict[str, str]:
    return {"name": person.name, "email": person.email, "date": person.date}


def _account(urls: Urls, repo: Repository, person: Person) -> dict[str, Any] | None:
    account = repo.account_of(person.email)
    return user(urls, account) if account else None


def _parent(urls: Urls, repo: Repository, sha: str, kind: str) -> dict[str, str]:
    return {
        "sha": sha,
        "url": urls.repo(repo.full_name, kind, sha),
        "html_url": urls.html(repo.full_name, "commit", sha),
    }
