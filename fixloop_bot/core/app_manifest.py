"""The GitHub App's registration: the least that it may, what it hears of, and GitHub's manifest of both.

Source: docs.github.com, "Registering a GitHub App from a manifest".
"""

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import quote, urlsplit

from fixloop_bot.core.events import PARSED_EVENTS
from fixloop_bot.model.app import AppOrder

PERMISSIONS: Final[Mapping[str, str]] = {
    "actions": "read",
    "checks": "write",
    "contents": "write",
    "issues": "write",
    "metadata": "read",
    "pull_requests": "write",
    "statuses": "read",
}
"""`workflows` is not among them: a repair of a workflow file is offered as a patch."""

API_PERMISSIONS: Final[Mapping[str, str]] = {**PERMISSIONS, "contents": "read"}
"""Of the token that speaks to the API; what changes a branch is git's."""
FETCH_PERMISSIONS: Final[Mapping[str, str]] = {"contents": "read"}
PUSH_PERMISSIONS: Final[Mapping[str, str]] = {"contents": "write"}

WHY: Final[Mapping[str, str]] = {
    "actions": "the failing jobs' logs",
    "checks": "fixloop's own check run, and what other checks found",
    "contents": "to fetch the branch and to push the repair",
    "issues": "the sweep's dashboard, and comments",
    "metadata": "required by GitHub; who may write",
    "pull_requests": "the report comment; a pull request where a branch is protected",
    "statuses": "what other services say of a commit",
}

WORKFLOW_EVENTS: Final = frozenset({"pull_request_target", "schedule", "workflow_dispatch"})
"""Of the Action alone: the first comes to an App as `pull_request`, and the service has a schedule of its own."""

NAME_LIMIT: Final = 34
"""GitHub's, for an App's name."""
CODE: Final = re.compile(r"[A-Za-z0-9_-]{8,128}")

_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 -]{0,32}[A-Za-z0-9])?")
_ORGANISATION = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,37}[A-Za-z0-9])?")
_HOST = re.compile(r"[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:]{2,39}\]")
_LOCAL = ("127.0.0.1", "localhost", "::1")


def app_events() -> tuple[str, ...]:
    """Return what the App subscribes to: all that fixloop acts on and that GitHub sends to an App.

    `installation` and `installation_repositories` go to every App unasked, and GitHub refuses a manifest with them.
    """
    return tuple(sorted(PARSED_EVENTS - WORKFLOW_EVENTS))


def to_manifest(order: AppOrder) -> dict[str, object]:
    """Return the manifest, ready to be written as JSON."""
    return {
        "name": order.name,
        "url": order.url,
        "description": "Repairs failing pull requests in a bounded, verified loop and tells the truth about it.",
        "public": order.public,
        "hook_attributes": {"url": f"{order.url}/webhook", "active": True},
        "redirect_url": f"{order.url}/registered",
        "callback_urls": [f"{order.url}/dashboard/sign-in/done"],
        "default_permissions": dict(PERMISSIONS),
        "default_events": list(app_events()),
    }


def registration_page(order: AppOrder) -> str:
    """Return the address on GitHub that takes the manifest."""
    owner = f"organizations/{quote(order.organisation)}/" if order.organisation else ""
    return f"{order.server_url}/{owner}settings/apps/new"


def order_problem(order: AppOrder) -> str:
    """Return which of the order's fields cannot be used and why, empty where all can."""
    if not _NAME.fullmatch(order.name):
        return f"--name: at most {NAME_LIMIT} letters, digits, spaces and hyphens, a letter or digit at both ends"
    if order.organisation and not _ORGANISATION.fullmatch(order.organisation):
        return "--org: not the name of an organisation"
    return address_problem("--url", order.url) or address_problem("--server-url", order.server_url)


def address_problem(name: str, url: str) -> str:
    """Return why an address cannot be used, empty where it can: https, or this machine; a host, and no more."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return f"{name}: not an address"
    shown = f"[{host}]" if ":" in host else host
    whole = f"{parts.scheme}://{shown}" + (f":{port}" if port is not None else "")
    if not _HOST.fullmatch(shown) or url.lower() != whole + parts.path.lower() or not _is_path(parts.path):
        return f"{name}: must be https://HOST, without user, query or fragment"
    if parts.scheme != "https" and host not in _LOCAL:
        return f"{name}: must begin with https://"
    return ""


def _is_path(path: str) -> bool:
    return re.fullmatch(r"(?:/[A-Za-z0-9._~-]{1,100}){0,8}", path) is not None


def to_api_url(server_url: str) -> str:
    """Return the address of the REST API that belongs to a GitHub: its own host, or a path of a server of your own.

    Source: docs.github.com, "Getting started with the REST API"; `SUBDOMAIN.ghe.com` is GitHub's data residency.
    """
    parts = urlsplit(server_url)
    if parts.hostname == "github.com" or (parts.hostname or "").endswith(".ghe.com"):
        return f"https://api.{parts.hostname}"
    return f"{server_url}/api/v3"
