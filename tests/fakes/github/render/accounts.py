"""Users, Apps and installations as JSON."""

from datetime import datetime
from typing import Any

from tests.fakes.github.state.accounts import Account, App, Installation, node_id
from tests.fakes.github.urls import Urls

_PREFIX = {"User": "U", "Bot": "BOT", "Organization": "O"}


def stamp(when: datetime | None) -> str | None:
    """Return a time as GitHub writes it."""
    return None if when is None else when.strftime("%Y-%m-%dT%H:%M:%SZ")


def user(urls: Urls, account: Account) -> dict[str, Any]:
    """Return `simple-user`."""
    path = account.login
    page = f"apps/{account.login.removesuffix('[bot]')}" if account.type == "Bot" else account.login
    api = urls.api("users", path)
    return {
        "login": account.login,
        "id": account.id,
        "node_id": node_id(_PREFIX[account.type], account.id),
        "avatar_url": urls.html("avatars", "u", account.id),
        "gravatar_id": "",
        "url": api,
        "html_url": urls.html(page),
        "followers_url": f"{api}/followers",
        "following_url": f"{api}/following{{/other_user}}",
        "gists_url": f"{api}/gists{{/gist_id}}",
        "starred_url": f"{api}/starred{{/owner}}{{/repo}}",
        "subscriptions_url": f"{api}/subscriptions",
        "organizations_url": f"{api}/orgs",
        "repos_url": f"{api}/repos",
        "events_url": f"{api}/events{{/privacy}}",
        "received_events_url": f"{api}/received_events",
        "type": account.type,
        "user_view_type": "public",
        "site_admin": False,
    }


def membership(urls: Urls, organization: Account, member: Account, state: str) -> dict[str, Any]:
    """Return `org-membership`."""
    api = urls.api("orgs", organization.login)
    return {
        "url": f"{api}/memberships/{member.login}",
        "state": state,
        "role": "member",
        "organization_url": api,
        "organization": {
            "login": organization.login,
            "id": organization.id,
            "node_id": node_id("O", organization.id),
            "url": api,
            "repos_url": f"{api}/repos",
            "events_url": f"{api}/events",
            "hooks_url": f"{api}/hooks",
            "issues_url": f"{api}/issues",
            "members_url": f"{api}/members{{/member}}",
            "public_members_url": f"{api}/public_members{{/member}}",
            "avatar_url": urls.html("avatars", "u", organization.id),
            "description": "",
        },
        "user": user(urls, member),
    }


def profile(urls: Urls, account: Account) -> dict[str, Any]:
    """Return `public-user`."""
    return {
        **user(urls, account),
        "name": account.login.title(),
        "company": None,
        "blog": "",
        "location": None,
        "email": None,
        "hireable": None,
        "bio": None,
        "twitter_username": None,
        "public_repos": 2,
        "public_gists": 0,
        "followers": 20,
        "following": 0,
        "created_at": stamp(account.created_at),
        "updated_at": stamp(account.created_at),
    }


def collaborator(urls: Urls, account: Account, level: str) -> dict[str, Any]:
    """Return the `user` of a permission reply."""
    order = ("read", "triage", "write", "maintain", "admin")
    reached = order[: order.index(level) + 1] if level in order else ()
    names = {"read": "pull", "triage": "triage", "write": "push", "maintain": "maintain", "admin": "admin"}
    rights = {names[name]: name in reached for name in order}
    return {**user(urls, account), "permissions": rights, "role_name": level}


def app(urls: Urls, item: App) -> dict[str, Any]:
    """Return `integration`."""
    return {
        "id": item.id,
        "client_id": f"Iv1.{item.id:016x}",
        "slug": item.slug,
        "node_id": node_id("A", item.id),
        "owner": user(urls, item.owner),
        "name": item.slug.replace("-", " ").title(),
        "description": "",
        "external_url": urls.html("apps", item.slug, "about"),
        "html_url": urls.html("apps", item.slug),
        "created_at": stamp(item.created_at),
        "updated_at": stamp(item.created_at),
        "permissions": dict(item.permissions),
        "events": list(item.events),
    }


def installation(urls: Urls, item: Installation) -> dict[str, Any]:
    """Return `installation`."""
    return {
        "id": item.id,
        "client_id": f"Iv1.{item.app.id:016x}",
        "account": user(urls, item.account),
        "repository_selection": "selected",
        "access_tokens_url": urls.api("app", "installations", item.id, "access_tokens"),
        "repositories_url": urls.api("installation", "repositories"),
        "html_url": urls.html("organizations", item.account.login, "settings", "installations", item.id),
        "app_id": item.app.id,
        "app_slug": item.app.slug,
        "target_id": item.account.id,
        "target_type": item.account.type,
        "permissions": dict(item.permissions),
        "events": list(item.app.events),
        "created_at": stamp(item.created_at),
        "updated_at": stamp(item.created_at),
        "single_file_name": None,
        "has_multiple_single_files": False,
        "single_file_paths": [],
        "suspended_by": None,
        "suspended_at": stamp(item.suspended_at),
    }
