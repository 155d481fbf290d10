"""Payloads as GitHub sends them, small and whole enough for the parser."""

import json
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

RECORDED = Path(__file__).parent.parent / "fixtures" / "github" / "webhook-examples.json"

HEAD = "a" * 40
BASE = "b" * 40
REPOSITORY = {"id": 10, "full_name": "octo/shop", "default_branch": "main"}
FORK = {"id": 20, "full_name": "eve/shop", "default_branch": "main"}
ALICE = {"login": "alice", "id": 1, "type": "User"}
BOT = {"login": "fixloop[bot]", "id": 99, "type": "Bot"}
NOON = "2026-11-30T12:00:00Z"
NOON_S = 1796040000.0

Payload = dict[str, Any]


@cache
def _recorded() -> list[Payload]:
    listed: list[Payload] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return listed


def recorded() -> Iterator[tuple[str, Payload]]:
    """Yield name and payload of every recorded webhook."""
    for event in _recorded():
        for example in event["examples"]:
            yield event["name"], deepcopy(example)


def pull_request(*, head: Payload | None = REPOSITORY, **changes: object) -> Payload:
    """Return a pull request as it stands in webhooks and in the API."""
    return {
        "number": 7,
        "state": "open",
        "draft": False,
        "user": ALICE,
        "head": {"sha": HEAD, "ref": "feature", "repo": head},
        "base": {"sha": BASE, "ref": "main", "repo": REPOSITORY},
        **changes,
    }


def pull_request_event(action: str = "opened", **changes: object) -> Payload:
    return {"action": action, "pull_request": pull_request(), "repository": REPOSITORY, "sender": ALICE, **changes}


def listed(number: int = 7, repository: Payload = REPOSITORY) -> Payload:
    """Return an entry of a `pull_requests` list, which is shorter than a pull request."""
    return {"number": number, "head": {"sha": HEAD, "ref": "feature"}, "base": {"ref": "main", "repo": repository}}


def workflow_run_event(conclusion: str | None = "failure", **changes: object) -> Payload:
    run = {
        "id": 501,
        "name": "CI",
        "path": ".github/workflows/ci.yml",
        "head_sha": HEAD,
        "head_branch": "feature",
        "head_repository": REPOSITORY,
        "head_commit": {"message": "Sell fruit"},
        "conclusion": conclusion,
        "pull_requests": [listed()],
        **changes,
    }
    return {"action": "completed", "workflow_run": run, "repository": REPOSITORY, "sender": ALICE}


def check_suite_event(conclusion: str | None = "failure", **changes: object) -> Payload:
    suite = {
        "id": 601,
        "app": {"id": 33, "slug": "travis"},
        "head_sha": HEAD,
        "head_branch": "feature",
        "conclusion": conclusion,
        "pull_requests": [listed()],
        **changes,
    }
    return {"action": "completed", "check_suite": suite, "repository": REPOSITORY, "sender": ALICE}


def comment_event(body: str = "/fixloop", *, action: str = "created", user: Payload = ALICE) -> Payload:
    return {
        "action": action,
        "issue": {"number": 7, "state": "open", "pull_request": {"url": "https://api.github.com/x"}},
        "comment": {"id": 301, "user": user, "created_at": NOON, "body": body},
        "repository": REPOSITORY,
        "sender": user,
        "installation": {"id": 5},
    }


def button_event(identifier: str = "decide-a", *, action: str = "requested_action", **changes: object) -> Payload:
    run = {
        "id": 401,
        "name": "fixloop",
        "external_id": "20261130T120000-0a1b2c3d",
        "app": {"id": 77},
        "head_sha": HEAD,
        "check_suite": {"head_branch": "feature"},
        "pull_requests": [listed()],
        **changes,
    }
    event: Payload = {"action": action, "check_run": run, "repository": REPOSITORY, "sender": ALICE}
    return event | ({"requested_action": {"identifier": identifier}} if action == "requested_action" else {})


def dispatch_event(inputs: Payload | None = None) -> Payload:
    return {"inputs": inputs, "ref": "refs/heads/main", "repository": REPOSITORY, "sender": ALICE}


def tick_event(after: str, before: str | None, **changes: object) -> Payload:
    """Return the edit of the issue 9 from one text to another."""
    return {
        "action": "edited",
        "issue": {"number": 9, "body": after},
        "changes": {} if before is None else {"body": {"from": before}},
        "repository": REPOSITORY,
        "sender": ALICE,
        **changes,
    }
