"""Repositories, branches, people and files."""

import base64
from typing import Any

from tests.fakes.github.call import ApiError, Call, Reply, not_found
from tests.fakes.github.paging import page
from tests.fakes.github.render import accounts, commits, repositories
from tests.fakes.github.state.git_store import GitError

_LEGACY = {"maintain": "write", "triage": "read"}


def get_repository(call: Call) -> Reply:
    return Reply(body=repositories.full(call.urls, call.repo, call.token.account))


def get_permission(call: Call) -> Reply:
    """Tell a person's level; the older field knows four words, `role_name` all six."""
    account = call.world.accounts.get(call.params["username"].lower())
    if account is None:
        raise ApiError(404, f"{call.params['username']} is not a user")
    level = call.repo.level_of(account)
    body = {
        "permission": _LEGACY.get(level, level),
        "role_name": level,
        "user": accounts.collaborator(call.urls, account, level),
    }
    return Reply(body=body)


def list_branches(call: Call) -> Reply:
    wanted = call.query.get("protected")
    found = [
        (name.removeprefix("refs/heads/"), sha)
        for name, sha in call.repo.git.refs().items()
        if wanted is None or (name.removeprefix("refs/heads/") in call.repo.protected) == (wanted == "true")
    ]
    return page(call, found, lambda item: repositories.short_branch(call.urls, call.repo, *item))


def get_branch(call: Call) -> Reply:
    name = call.params["branch"]
    url = call.urls.repo(call.repo.full_name, "branches", name)
    commit = call.repo.git.commit(_tip(call, name))
    body = {
        "name": name,
        "commit": commits.commit(call.urls, call.repo, commit),
        "_links": {"self": url, "html": call.urls.html(call.repo.full_name, "tree", name)},
        "protected": name in call.repo.protected,
        "protection": repositories.protection_summary(call.repo, name),
        "protection_url": f"{url}/protection",
    }
    return Reply(body=body)


def get_protection(call: Call) -> Reply:
    name = call.params["branch"]
    _tip(call, name)
    if name not in call.repo.protected:
        raise ApiError(404, "Branch not protected")
    return Reply(body=repositories.protection(call.urls, call.repo, name))


def get_content(call: Call) -> Reply:
    """Return a file, a link or a folder at a ref (default: the default branch)."""
    sha = call.repo.git.resolve(call.query.get("ref", call.repo.default_branch))
    if sha is None:
        raise ApiError(404, f"No commit found for the ref {call.query.get('ref')}")
    path = call.params["path"].strip("/")
    entry = _entry(call, sha, path)
    if entry is None:
        raise not_found()
    mode, kind, blob = entry
    if kind == "tree":
        return Reply(body=[_listed(call, sha, *item) for item in _folder(call, sha, path)])
    content = call.repo.git.run_bytes("cat-file", "blob", blob)
    rendered = _listed(call, sha, mode, kind, blob, path)
    if mode == "120000":
        return Reply(body={**rendered, "type": "symlink", "target": content.decode("utf-8", "replace")})
    text = base64.encodebytes(content).decode()
    return Reply(body={**rendered, "size": len(content), "encoding": "base64", "content": text})


def _tip(call: Call, branch: str) -> str:
    sha = call.repo.git.tip(f"refs/heads/{branch}")
    if sha is None:
        raise ApiError(404, "Branch not found")
    return sha


def _entry(call: Call, sha: str, path: str) -> tuple[str, str, str] | None:
    if not path:
        return "040000", "tree", sha
    try:
        line = call.repo.git.run("ls-tree", "-z", sha, "--", path).partition("\0")[0]
    except GitError:
        return None
    if not line:
        return None
    mode, kind, blob = line.partition("\t")[0].split()
    return mode, kind, blob


def _folder(call: Call, sha: str, path: str) -> list[tuple[str, str, str, str]]:
    lines = call.repo.git.run("ls-tree", "-z", f"{sha}:{path}").split("\0")
    start = f"{path}/" if path else ""
    entries = []
    for line in filter(None, lines):
        facts, _, name = line.partition("\t")
        mode, kind, blob = facts.split()
        entries.append((mode, kind, blob, start + name))
    return entries


def _listed(call: Call, sha: str, mode: str, kind: str, blob: str, path: str) -> dict[str, Any]:
    is_folder = kind == "tree"
    full_name = call.repo.full_name
    url = call.urls.repo(full_name, "contents", path) + f"?ref={sha}"
    git = call.urls.repo(full_name, "git", "trees" if is_folder else "blobs", blob)
    html = call.urls.html(full_name, "tree" if is_folder else "blob", sha, path)
    return {
        "name": path.rpartition("/")[2],
        "path": path,
        "sha": blob,
        "size": 0,
        "url": url,
        "html_url": html,
        "git_url": git,
        "download_url": None if is_folder else call.urls.html(full_name, "raw", sha, path),
        "type": "dir" if is_folder else ("symlink" if mode == "120000" else "file"),
        "_links": {"self": url, "git": git, "html": html},
    }
