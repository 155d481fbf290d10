"""Repositories, branches and protection as JSON."""

from typing import Any

from tests.fakes.github.render.accounts import stamp, user
from tests.fakes.github.state.accounts import Account, node_id
from tests.fakes.github.state.repository import Repository
from tests.fakes.github.state.source import Protection
from tests.fakes.github.urls import Urls

_TEMPLATES = {
    "archive_url": "{/archive_format}{/ref}",
    "assignees_url": "assignees{/user}",
    "blobs_url": "git/blobs{/sha}",
    "branches_url": "branches{/branch}",
    "collaborators_url": "collaborators{/collaborator}",
    "comments_url": "comments{/number}",
    "commits_url": "commits{/sha}",
    "compare_url": "compare/{base}...{head}",
    "contents_url": "contents/{+path}",
    "git_commits_url": "git/commits{/sha}",
    "git_refs_url": "git/refs{/sha}",
    "git_tags_url": "git/tags{/sha}",
    "issue_comment_url": "issues/comments{/number}",
    "issue_events_url": "issues/events{/number}",
    "issues_url": "issues{/number}",
    "keys_url": "keys{/key_id}",
    "labels_url": "labels{/name}",
    "milestones_url": "milestones{/number}",
    "notifications_url": "notifications{?since,all,participating}",
    "pulls_url": "pulls{/number}",
    "releases_url": "releases{/id}",
    "statuses_url": "statuses/{sha}",
    "trees_url": "git/trees{/sha}",
}
_PLAIN = (
    "contributors",
    "deployments",
    "downloads",
    "events",
    "forks",
    "hooks",
    "languages",
    "merges",
    "stargazers",
    "subscribers",
    "subscription",
    "tags",
    "teams",
)
_ON = ("has_issues", "has_projects", "has_downloads", "has_wiki", "allow_forking", "allow_squash_merge")
_OFF = ("has_pages", "has_discussions", "archived", "disabled", "is_template", "web_commit_signoff_required")
_COUNTS = ("forks", "forks_count", "stargazers_count", "watchers", "watchers_count")


def minimal(urls: Urls, repo: Repository) -> dict[str, Any]:
    """Return `minimal-repository`."""
    api = urls.repo(repo.full_name)
    return {
        "id": repo.id,
        "node_id": node_id("R", repo.id),
        "name": repo.name,
        "full_name": repo.full_name,
        "private": repo.private,
        "owner": user(urls, repo.owner),
        "html_url": urls.html(repo.full_name),
        "description": None,
        "fork": repo.parent is not None,
        "url": api,
        **{name: f"{api}/{template}" for name, template in _TEMPLATES.items()},
        **{f"{name}_url": f"{api}/{name}" for name in _PLAIN},
    }


def repository(urls: Urls, repo: Repository) -> dict[str, Any]:
    """Return `repository`."""
    site = urls.html(repo.full_name)
    host = urls.site.partition("://")[2]
    return {
        **minimal(urls, repo),
        "created_at": stamp(repo.created_at),
        "updated_at": stamp(repo.created_at),
        "pushed_at": stamp(repo.created_at),
        "git_url": f"git://{host}/{repo.full_name}.git",
        "ssh_url": f"git@{host.partition(':')[0]}:{repo.full_name}.git",
        "clone_url": f"{site}.git",
        "svn_url": site,
        "homepage": None,
        "size": 108,
        "language": None,
        "mirror_url": None,
        "license": None,
        "topics": [],
        "custom_properties": {},
        "visibility": "private" if repo.private else "public",
        "default_branch": repo.default_branch,
        "open_issues": _open(repo),
        "open_issues_count": _open(repo),
        **dict.fromkeys(_ON, True),
        **dict.fromkeys(_OFF, False),
        **dict.fromkeys(_COUNTS, 0),
    }


def full(urls: Urls, repo: Repository, viewer: Account) -> dict[str, Any]:
    """Return `full-repository` as `viewer` sees it."""
    rendered = {
        **repository(urls, repo),
        "permissions": {
            "admin": repo.allows(viewer, "admin"),
            "maintain": repo.allows(viewer, "maintain"),
            "push": repo.allows(viewer, "write"),
            "triage": repo.allows(viewer, "triage"),
            "pull": repo.allows(viewer, "read"),
        },
        "network_count": 0,
        "subscribers_count": 1,
    }
    if repo.owner.type == "Organization":
        rendered["organization"] = user(urls, repo.owner)
    if repo.parent is not None:
        rendered["parent"] = rendered["source"] = repository(urls, repo.parent)
    return rendered


def protection(urls: Urls, repo: Repository, branch: str) -> dict[str, Any]:
    """Return `branch-protection`."""
    url = urls.repo(repo.full_name, "branches", branch, "protection")
    rule = repo.protected.get(branch, Protection())
    return {
        "url": url,
        "required_status_checks": {
            "url": f"{url}/required_status_checks",
            "strict": False,
            "contexts": list(rule.contexts),
            "contexts_url": f"{url}/required_status_checks/contexts",
            "checks": [{"context": context, "app_id": None} for context in rule.contexts],
        },
        "required_pull_request_reviews": {
            "url": f"{url}/required_pull_request_reviews",
            "dismiss_stale_reviews": False,
            "require_code_owner_reviews": False,
            "require_last_push_approval": False,
            "required_approving_review_count": rule.reviews,
        },
        "required_signatures": {"url": f"{url}/required_signatures", "enabled": False},
        "enforce_admins": {"url": f"{url}/enforce_admins", "enabled": not rule.bypass},
        **{
            name: {"enabled": False}
            for name in ("required_linear_history", "allow_force_pushes", "allow_deletions", "block_creations")
        },
    }


def protection_summary(repo: Repository, branch: str) -> dict[str, Any]:
    """Return what a branch says of its protection to those who may not read the rules."""
    rule = repo.protected.get(branch)
    contexts = list(rule.contexts) if rule else []
    return {
        "enabled": rule is not None,
        "required_status_checks": {
            "enforcement_level": "non_admins" if contexts else "off",
            "contexts": contexts,
            "checks": [{"context": context, "app_id": None} for context in contexts],
        },
    }


def short_branch(urls: Urls, repo: Repository, name: str, sha: str) -> dict[str, Any]:
    """Return `short-branch`."""
    return {
        "name": name,
        "commit": {"sha": sha, "url": urls.repo(repo.full_name, "commits", sha)},
        "protected": name in repo.protected,
        "protection": protection_summary(repo, name),
        "protection_url": urls.repo(repo.full_name, "branches", name, "protection"),
    }


def _open(repo: Repository) -> int:
    return sum(issue.state == "open" for issue in repo.issues.values())
