"""The events that the fake makes up look like recorded ones, and fit its own state."""

import hashlib
import hmac
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from fixloop_bot.core.events import parse_event
from fixloop_bot.model.event import CiFailureTrigger, CommentTrigger, Ignored, PullRequestTrigger
from tests.fakes.github import FakeGitHub, deliver

RECORDED: dict[str, list[dict[str, Any]]] = {
    event["name"]: event["examples"]
    for event in json.loads((Path(__file__).parents[1] / "fixtures/github/webhook-examples.json").read_text("utf-8"))
}
KINDS = {str: "text", bool: "flag", int: "number", float: "number", dict: "table", list: "list", type(None): "null"}


def shapes(item: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield every path in a payload with the kind of its value; all entries of a list share one path."""
    if path:
        yield path, KINDS[type(item)]
    children: list[tuple[str, Any]] = []
    if isinstance(item, dict):
        children = list(item.items())
    elif isinstance(item, list):
        children = [("[]", entry) for entry in item]
    for name, child in children:
        yield from shapes(child, f"{path}.{name}" if path else name)


def always(examples: list[dict[str, Any]]) -> Mapping[str, set[str]]:
    """Return the paths that all examples have, with the kinds of value seen there."""
    seen: dict[str, set[str]] = {}
    counts: dict[str, int] = {}
    for example in examples:
        found: dict[str, set[str]] = {}
        for path, kind in shapes(example):
            found.setdefault(path, set()).add(kind)
        for path, kinds in found.items():
            seen.setdefault(path, set()).update(kinds)
            counts[path] = counts.get(path, 0) + 1
    return {path: kinds for path, kinds in seen.items() if counts[path] == len(examples)}


@pytest.fixture(scope="module")
def made() -> Iterator[dict[str, dict[str, Any]]]:
    """One payload of each kind, all from one story."""
    with FakeGitHub() as github:
        github.user("pat", "write")
        shop = github.repository("octo/shop", files={"app.py": "x = 1\n"})
        base = shop.head()
        sha = shop.commit("feature", {"app.py": "x = \n"}, author="pat")
        pull = shop.open_pull("feature", author="pat", title="Break it", body="on purpose")
        app = github.app("fixloop")
        run = shop.workflow_run(sha, [("test", "failure", "E  boom\n")], branch="feature", actor="pat")
        check = shop.conclude(shop.check_run("fixloop", sha, app=app), "action_required")
        comment = shop.comment(pull.number, "/fixlop", author="pat")
        hooks = github.payloads_for(github.install(app, shop))
        yield {
            "pull_request opened": hooks.pull_request(pull),
            "pull_request synchronize": hooks.pull_request(pull, "synchronize", before=base),
            "pull_request ready_for_review": hooks.pull_request(pull, "ready_for_review"),
            "workflow_run completed": hooks.workflow_run(shop, run),
            "check_suite completed": hooks.check_suite(shop, check.suite),
            "check_run completed": hooks.check_run(shop, check),
            "check_run requested_action": hooks.check_run(shop, check, "requested_action", identifier="a"),
            "issue_comment created": hooks.issue_comment(shop, comment),
            "issue_comment edited": hooks.issue_comment(shop, shop.edit_comment(comment, "/fixloop"), "edited"),
            "push": hooks.push(shop, "feature", before=base),
            "workflow": {"schedule": hooks.schedule(shop), "dispatch": hooks.workflow_dispatch(shop, {"branch": "x"})},
        }


RECORDED_KINDS = [
    "pull_request opened",
    "pull_request synchronize",
    "pull_request ready_for_review",
    "workflow_run completed",
    "check_suite completed",
    "check_run completed",
    "check_run requested_action",
    "issue_comment created",
    "issue_comment edited",
    "push",
]


@pytest.mark.parametrize("kind", RECORDED_KINDS)
def test_a_payload_has_all_that_recorded_ones_have(made: dict[str, dict[str, Any]], kind: str) -> None:
    name, _, action = kind.partition(" ")
    examples = [item for item in RECORDED[name] if not action or item.get("action") == action]
    ours = always([made[kind]])
    recorded = {path: kinds for path, kinds in always(examples).items() if not excused(path, ours)}
    assert set(recorded) - set(ours) == set()
    other = {path for path, kinds in recorded.items() if not ours[path] <= kinds | {"null"} and kinds != {"null"}}
    assert other == set()


def excused(path: str, ours: Mapping[str, set[str]]) -> bool:
    """Tell whether a recorded path need not be in our payload: below an empty list or a null, or an App's own."""
    empty = {name for name, kinds in ours.items() if kinds == {"list"} and f"{name}.[]" not in ours}
    nulls = {name for name, kinds in ours.items() if kinds == {"null"}}
    return ".permissions." in path or any(path.startswith(f"{name}.") for name in empty | nulls)


def test_the_fields_of_a_payload_are_those_of_the_state(made: dict[str, dict[str, Any]]) -> None:
    pull = made["pull_request opened"]["pull_request"]
    assert (pull["title"], pull["user"]["login"], pull["head"]["ref"]) == ("Break it", "pat", "feature")
    moved = made["pull_request synchronize"]
    assert (moved["before"], moved["after"]) == (pull["base"]["sha"], pull["head"]["sha"])
    run = made["workflow_run completed"]["workflow_run"]
    assert (run["conclusion"], [item["number"] for item in run["pull_requests"]]) == ("failure", [1])
    assert made["issue_comment edited"]["changes"] == {"body": {"from": "/fixlop"}}
    assert made["check_run requested_action"]["requested_action"] == {"identifier": "a"}
    assert made["check_suite completed"]["check_suite"]["conclusion"] == "action_required"
    pushed = made["push"]
    assert (pushed["after"], pushed["commits"][0]["modified"]) == (pull["head"]["sha"], ["app.py"])
    assert "sender" not in made["workflow"]["schedule"]
    assert made["workflow"]["dispatch"]["inputs"] == {"branch": "x"}


def test_a_workflow_sees_no_installation_and_an_app_does(made: dict[str, dict[str, Any]]) -> None:
    assert made["push"]["installation"]["id"] > 0
    with FakeGitHub() as github:
        shop = github.repository("octo/shop")
        assert "installation" not in github.payloads.push(shop, "main")


def test_fixloop_understands_the_events_that_the_fake_makes_up(made: dict[str, dict[str, Any]]) -> None:
    understood = {
        kind: type(parse_event(kind.partition(" ")[0], made[kind]))
        for kind in RECORDED_KINDS
        if kind != "check_run completed"
    }
    assert understood["pull_request opened"] is PullRequestTrigger
    assert understood["workflow_run completed"] is CiFailureTrigger
    assert understood["push"] is Ignored
    with FakeGitHub() as github:
        shop = github.repository("octo/shop")
        shop.commit("feature", {"app.py": "x"})
        comment = shop.comment(shop.open_pull("feature").number, "/fixloop", author="pat")
        event = github.payloads.issue_comment(shop, comment)
        assert isinstance(parse_event("issue_comment", event), CommentTrigger)


def test_a_delivery_is_signed_and_can_be_sent_again() -> None:
    first = deliver("push", {"ref": "refs/heads/main"}, secret="s3cret", delivery_id="d-1")
    again = deliver("push", {"ref": "refs/heads/main"}, secret="s3cret", delivery_id="d-1")
    digest = hmac.new(b"s3cret", first.body, hashlib.sha256).hexdigest()
    assert first == again
    assert first.headers["x-hub-signature-256"] == f"sha256={digest}"
    assert (first.headers["x-github-event"], first.headers["x-github-delivery"]) == ("push", "d-1")
