"""The page on which a signed-in person registers a GitHub App from a manifest, with GitHub's own refusals.

Source: docs.github.com, "Registering a GitHub App from a manifest"; the refusals are quoted in public issues of several
projects ("Default events unsupported: installation").
"""

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlencode

from tests.fakes.github import contract
from tests.fakes.github.call import Reply, Request
from tests.fakes.github.state.accounts import Account

if TYPE_CHECKING:
    from tests.fakes.github.fake import FakeGitHub

_FORM = re.compile(r"(?:/organizations/(?P<owner>[^/]+))?/settings/apps/new")
_NEEDS: Mapping[str, tuple[str, ...]] = {
    "check_run": ("checks",),
    "check_suite": ("checks",),
    "issue_comment": ("issues", "pull_requests"),
    "issues": ("issues",),
    "pull_request": ("pull_requests",),
    "push": ("contents",),
    "workflow_run": ("actions",),
}
"""Event that an App can subscribe to, and the permissions of which one is needed for it."""
_FIELDS = {
    "name", "url", "description", "public", "hook_attributes", "redirect_url", "callback_urls", "setup_url",
    "default_permissions", "default_events", "request_oauth_on_install", "setup_on_update",
}  # fmt: skip


def is_form(path: str) -> bool:
    """Tell whether this is the page."""
    return _FORM.fullmatch(path) is not None


def answer(github: "FakeGitHub", request: Request) -> Reply:
    """Register the App and send the browser to where the manifest says, with the code."""
    found = _FORM.fullmatch(request.path)
    form = parse_qs(request.raw.decode()) if request.method == "POST" else {}
    manifest = json.loads(form.get("manifest", ["{}"])[0])
    if (faults := _faults(manifest)) or found is None:
        return Reply(status=422, body={"message": "Invalid GitHub App configuration", "errors": faults})
    owner: Account = github.organization(found["owner"]) if found["owner"] else github.account("mona")
    code = github.register(manifest, owner)
    return Reply(status=302, headers={"Location": f"{manifest['redirect_url']}?{urlencode({'code': code})}"})


def _faults(manifest: Mapping[str, Any]) -> list[str]:
    faults = [f"{name} is missing" for name in ("name", "url", "hook_attributes") if not manifest.get(name)]
    faults += [f"{name} is not listed" for name in manifest if name not in _FIELDS]
    granted = manifest.get("default_permissions", {})
    for event in manifest.get("default_events", ()):
        if event not in _NEEDS:
            faults.append(f"Default events unsupported: {event}")
        elif not set(_NEEDS[event]) & set(granted):
            faults.append(f"Default events are not supported by permissions: {event}")
    faults += contract.permission_faults(granted)
    return faults + (["Name is too long (maximum is 34 characters)"] if len(manifest.get("name", "")) > 34 else [])
