"""From payloads to triggers: recorded ones, made ones, garbage."""

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixloop_bot.core.events import parse_event
from fixloop_bot.core.render.dashboard_issue import DASHBOARD_START
from fixloop_bot.model.comment_command import RunCommand
from fixloop_bot.model.event import (
    Actor,
    Button,
    ButtonTrigger,
    CiFailureTrigger,
    CommentTrigger,
    DispatchTrigger,
    Ignored,
    PullRequestTrigger,
    RepositoryRef,
    ScheduleTrigger,
    Target,
    TickTrigger,
)
from tests.core.github_events import (
    BOT,
    FORK,
    HEAD,
    NOON_S,
    REPOSITORY,
    Payload,
    button_event,
    check_suite_event,
    comment_event,
    dispatch_event,
    listed,
    pull_request,
    pull_request_event,
    recorded,
    tick_event,
    workflow_run_event,
)

ACTED_ON = {
    ("pull_request", "opened"): 4,
    ("pull_request", "reopened"): 2,
    ("pull_request", "ready_for_review"): 3,
    ("pull_request", "synchronize"): 1,
}
"""How many of the recorded webhooks start something, by event and action."""

WHY_NOT = {
    "check_run": ("check run is", "is not fixloop's"),
    "check_suite": ("did not fail", "check suite is"),
    "installation": ("keeps by itself",),
    "installation_repositories": ("keeps by itself",),
    "issue_comment": ("on an issue", "comment is `deleted`", "edited comments are not obeyed"),
    "ping": ("connected",),
    "pull_request": ("when a pull request is",),
    "push": ("a push alone starts nothing",),
    "status": ("no log to work from",),
    "workflow_job": ("whole workflow run",),
    "workflow_run": ("did not fail", "workflow run is"),
}


def test_every_recorded_webhook_is_understood_or_ignored_with_its_reason() -> None:
    started, seen = Counter[tuple[str, str]](), 0
    for name, payload in recorded():
        seen += 1
        parsed = parse_event(name, payload)
        if isinstance(parsed, Ignored):
            assert any(words in parsed.reason for words in WHY_NOT[name]), (name, parsed.reason)
        else:
            started[name, payload["action"]] += 1
    assert seen == 94
    assert started == ACTED_ON


def test_a_recorded_pull_request_keeps_the_fields_in_use() -> None:
    payload = next(p for name, p in recorded() if name == "pull_request" and p["action"] == "synchronize")
    parsed = parse_event("pull_request", payload)
    assert isinstance(parsed, PullRequestTrigger)
    assert parsed.origin.repository == RepositoryRef(
        full_name="Codertocat/Hello-World", id=186853002, default_branch="master"
    )
    assert parsed.origin.installation_id == 1
    assert parsed.origin.sender == Actor(login="Codertocat", id=21031067)
    assert parsed.pull_request.number == 2
    assert parsed.pull_request.head_sha == "ec26c3e57ca3a959ca5aad62de7213c562f8c821"
    assert (parsed.pull_request.head_branch, parsed.pull_request.base_branch) == ("changes", "master")
    assert not parsed.pull_request.from_fork


@pytest.mark.parametrize("name", ["workflow_run", "check_suite"])
def test_a_recorded_success_turned_into_a_failure_starts_something_except_from_actions_itself(name: str) -> None:
    for event, payload in recorded():
        if event == name and payload["action"] == "completed":
            payload[name]["conclusion"] = "failure"
            app = payload[name].get("app", {}).get("slug")
            assert isinstance(parse_event(name, payload), Ignored if app == "github-actions" else CiFailureTrigger)


def test_a_failed_workflow_run_carries_all_that_finds_its_pull_request_and_log() -> None:
    parsed = parse_event("workflow_run", workflow_run_event())
    assert isinstance(parsed, CiFailureTrigger)
    assert (parsed.workflow_run_id, parsed.head_sha, parsed.head_branch) == (501, HEAD, "feature")
    assert parsed.head_repository == RepositoryRef(full_name="octo/shop", id=10, default_branch="main")
    assert (parsed.pull_requests, parsed.workflow_path) == ((7,), ".github/workflows/ci.yml")
    assert parsed.head_message == "Sell fruit"


def test_a_forks_failed_run_is_kept_without_a_pull_request() -> None:
    parsed = parse_event("workflow_run", workflow_run_event(pull_requests=[], head_repository=FORK))
    assert isinstance(parsed, CiFailureTrigger)
    assert parsed.pull_requests == ()
    assert parsed.head_repository is not None
    assert parsed.head_repository.id == FORK["id"]


def test_pull_requests_of_other_repositories_in_the_list_do_not_count() -> None:
    parsed = parse_event("workflow_run", workflow_run_event(pull_requests=[listed(3, FORK), listed(7), listed(7)]))
    assert isinstance(parsed, CiFailureTrigger)
    assert parsed.pull_requests == (7,)


def test_the_path_of_a_workflow_loses_its_ref() -> None:
    parsed = parse_event("workflow_run", workflow_run_event(path=".github/workflows/ci.yml@refs/heads/main"))
    assert isinstance(parsed, CiFailureTrigger)
    assert parsed.workflow_path == ".github/workflows/ci.yml"


def test_a_failed_check_suite_names_its_app() -> None:
    parsed = parse_event("check_suite", check_suite_event("timed_out"))
    assert isinstance(parsed, CiFailureTrigger)
    assert (parsed.check_suite_id, parsed.app_id, parsed.workflow_run_id) == (601, 33, None)


def test_a_command_in_a_new_comment() -> None:
    parsed = parse_event("issue_comment", comment_event("/fixloop"))
    assert isinstance(parsed, CommentTrigger)
    assert (parsed.number, parsed.comment_id, parsed.created_at) == (7, 301, NOON_S)
    assert parsed.commands == (RunCommand(),)
    assert parsed.origin.installation_id == 5


@pytest.mark.parametrize("button", list(Button))
def test_each_button_is_known_by_its_identifier(button: Button) -> None:
    parsed = parse_event("check_run", button_event(str(button)))
    assert isinstance(parsed, ButtonTrigger)
    assert parsed.button is button
    assert parsed.external_id == "20261130T120000-0a1b2c3d"
    assert len(button) <= 20


def test_githubs_own_re_run_button_asks_for_a_run() -> None:
    parsed = parse_event("check_run", button_event(action="rerequested"))
    assert isinstance(parsed, ButtonTrigger)
    assert parsed.button is Button.RUN


def test_a_schedule_of_old_has_no_repository_and_takes_the_edges() -> None:
    here = RepositoryRef(full_name="octo/shop", id=10)
    parsed = parse_event("schedule", {"schedule": "0 5 * * 1"}, repository=here)
    assert isinstance(parsed, ScheduleTrigger)
    assert (parsed.origin.repository, parsed.origin.sender, parsed.schedule) == (here, None, "0 5 * * 1")
    assert isinstance(parse_event("schedule", {"schedule": "0 5 * * 1"}), Ignored)


@pytest.mark.parametrize(
    ("inputs", "target"),
    [
        (None, Target()),
        ({}, Target()),
        ({"pull-request": "", "branch": ""}, Target()),
        ({"pull_request": "12"}, Target(pull_request=12)),
        ({"branch": "release/1"}, Target(branch="release/1")),
    ],
    ids=["inputs are null", "no inputs", "empty means unset", "a pull request", "a branch"],
)
def test_a_dispatch_has_a_target_or_none(inputs: Payload | None, target: Target) -> None:
    parsed = parse_event("workflow_dispatch", dispatch_event(inputs))
    assert isinstance(parsed, DispatchTrigger)
    assert parsed.target == target


@pytest.mark.parametrize(
    ("name", "payload", "reason"),
    [
        ("pull_request", pull_request_event(pull_request=pull_request(draft=True)), "draft"),
        ("pull_request", pull_request_event(pull_request=pull_request(state="closed")), "closed"),
        ("pull_request", pull_request_event("labeled"), "when a pull request is `labeled`"),
        ("workflow_run", workflow_run_event("success"), "its conclusion is `success`"),
        ("workflow_run", workflow_run_event("cancelled"), "its conclusion is `cancelled`"),
        ("workflow_run", workflow_run_event("startup_failure"), "its conclusion is `startup_failure`"),
        ("workflow_run", workflow_run_event(None), "its conclusion is `none`"),
        ("check_suite", check_suite_event(app={"id": 1, "slug": "github-actions"}), "workflow run's own event"),
        ("issue_comment", comment_event("nice work"), "no command"),
        ("issue_comment", comment_event("> /fixloop"), "no command"),
        ("issue_comment", comment_event(action="edited"), "edited comments are not obeyed"),
        ("issue_comment", comment_event(user=BOT), "a bot wrote the comment"),
        ("issue_comment", comment_event("<!-- fixloop:report -->\n\n/fixloop"), "fixloop's own"),
        ("check_run", button_event("lgtm"), "not one of fixloop's"),
        ("check_run", button_event(name="build"), "the check run is not fixloop's"),
        ("check_run", button_event(action="completed"), "when a check run is `completed`"),
        ("workflow_dispatch", dispatch_event({"pull-request": "x"}), "not a number"),
        ("merge_group", {}, "does not act on `merge_group` events"),
        ("<b>\n::error::", {}, "does not act on `berror` events"),
        ("pull_request_review_comment", {}, "not from reviews"),
    ],
    ids=[
        "a draft waits",
        "a closed pull request",
        "a label",
        "a success",
        "a cancelled run",
        "a workflow file that is wrong",
        "an old payload without conclusion",
        "a check suite of GitHub Actions, which workflow_run tells too",
        "a comment without a command",
        "a quoted command",
        "an edited comment",
        "a bot's comment",
        "fixloop's own comment, by whoever's token",
        "another app's button",
        "a button of another check run",
        "a completed check run",
        "a dispatch with a target that is none",
        "an event nobody asked for",
        "an event name that is an attack",
        "a command in a review",
    ],
)
def test_what_is_ignored_has_a_reason(name: str, payload: Payload, reason: str) -> None:
    parsed = parse_event(name, payload)
    assert isinstance(parsed, Ignored)
    assert reason in parsed.reason


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"repository": {**REPOSITORY, "full_name": "../.."}}, "repository.full_name"),
        ({"repository": {**REPOSITORY, "full_name": "octo/shop/../../user"}}, "repository.full_name"),
        ({"repository": {**REPOSITORY, "id": True}}, "repository.id"),
        ({"repository": None}, "repository.full_name"),
        ({"sender": {"login": "alice\n", "id": 1}}, "sender.login"),
        ({"sender": {"login": "alice", "id": 2**70}}, "sender.id"),
        ({"installation": {"id": -1}}, "installation.id"),
        ({"pull_request": []}, "pull_request.number"),
        ({"pull_request": pull_request(number="7")}, "pull_request.number"),
        ({"pull_request": pull_request(head={"id": 1})}, "pull_request.head.repo.full_name"),
        ({"pull_request": pull_request() | {"head": {"sha": "HEAD", "ref": "x"}}}, "pull_request.head.sha"),
        ({"pull_request": pull_request() | {"head": {"sha": HEAD, "ref": "--upload-pack=x"}}}, "pull_request.head.ref"),
    ],
    ids=[
        "a repository that climbs",
        "a repository with more parts",
        "a boolean for an id",
        "no repository",
        "a login with a line break",
        "an id beyond all ids",
        "a negative installation",
        "a list for a table",
        "a text for a number",
        "a head repository without a name",
        "a commit that is none",
        "a branch that is an option",
    ],
)
def test_a_forged_field_is_named_and_nothing_starts(change: Payload, field: str) -> None:
    parsed = parse_event("pull_request", pull_request_event() | change)
    assert isinstance(parsed, Ignored)
    assert f"`{field}` is not" in parsed.reason


def test_a_deleted_fork_still_makes_a_trigger() -> None:
    parsed = parse_event("pull_request", pull_request_event(pull_request=pull_request(head=None)))
    assert isinstance(parsed, PullRequestTrigger)
    assert parsed.pull_request.head_repository is None
    assert parsed.pull_request.from_fork


@pytest.mark.parametrize(
    ("title", "kept"),
    [
        pytest.param("Raise prices", "Raise prices", id="a title"),
        pytest.param("x" * 100_000, "x" * 300, id="a title without end"),
        pytest.param("a\ud800", "a?", id="half a character"),
        pytest.param(None, "", id="none"),
        pytest.param(["no", "text"], "", id="a list"),
    ],
)
def test_no_title_keeps_a_pull_request_from_being_repaired(title: object, kept: str) -> None:
    event = pull_request_event(pull_request={**pull_request(), "title": title})
    parsed = parse_event("pull_request", event)
    assert isinstance(parsed, PullRequestTrigger), parsed
    assert parsed.pull_request.title == kept


def boxes(**marks: str) -> str:
    """Return a dashboard with a box for each branch."""
    rows = [f"- [{mark}] <!-- fixloop:run={name} --> `{name}`: its checks fail" for name, mark in marks.items()]
    return "\n".join([DASHBOARD_START, "### fixloop sweep", *rows])


def test_a_box_that_an_edit_ticked_names_its_branch() -> None:
    parsed = parse_event("issues", tick_event(boxes(one="x", two="x", six=" "), boxes(one=" ", two="x", six=" ")))
    assert isinstance(parsed, TickTrigger)
    assert (parsed.number, parsed.branches) == (9, ("one",))


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (tick_event(boxes(one="x"), boxes(one="x")), "no box was ticked"),
        (tick_event(boxes(one=" "), boxes(one="x")), "no box was ticked"),
        (tick_event(boxes(one="x"), None), "the edit did not touch the dashboard's text"),
        (tick_event("my bug\n" + boxes(one="x"), boxes(one=" ")), "the issue is not a sweep's dashboard"),
        (tick_event(boxes(one="x"), boxes(one=" "), sender=BOT), "a box counts when a person ticks it"),
        (tick_event(boxes(one="x"), boxes(one=" "), action="opened"), "does not act when an issue is `opened`"),
        (tick_event("x" * 400_000, ""), "`issue.body` is not a text of at most 300,000 characters"),
    ],
    ids=[
        "ticked before",
        "a tick taken back",
        "an edit of the title",
        "another issue",
        "a bot",
        "a new issue with ticked boxes",
        "a text beyond all sizes",
    ],
)
def test_other_edits_of_issues_start_nothing(event: Payload, reason: str) -> None:
    parsed = parse_event("issues", event)
    assert isinstance(parsed, Ignored)
    assert reason in parsed.reason


NAMES = (
    "issues",
    "pull_request",
    "workflow_run",
    "check_suite",
    "issue_comment",
    "check_run",
    "schedule",
    "workflow_dispatch",
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
WHOLE = (
    pull_request_event(),
    workflow_run_event(),
    check_suite_event(),
    comment_event(),
    button_event(),
    tick_event(boxes(one="x"), boxes(one=" ")),
    {**dispatch_event(), "schedule": "0 5 * * 1"},
)


@given(name=st.sampled_from(NAMES) | st.text(max_size=20), payload=st.dictionaries(st.text(max_size=12), JSON))
def test_no_json_raises(name: str, payload: Payload) -> None:
    parse_event(name, payload)


@given(data=st.data(), name=st.sampled_from(NAMES), value=JSON)
def test_no_value_in_any_place_of_a_whole_payload_raises(data: st.DataObject, name: str, value: object) -> None:
    payload = json.loads(json.dumps(data.draw(st.sampled_from(WHOLE))))
    table: Any = payload
    while True:
        key = data.draw(st.sampled_from(sorted(table)))
        if not (isinstance(table[key], dict) and table[key] and data.draw(st.booleans())):
            break
        table = table[key]
    table[key] = value
    parsed = parse_event(name, payload)
    assert not isinstance(parsed, Ignored) or parsed.reason


@pytest.mark.parametrize("payload", [None, [], "x", 7], ids=["null", "a list", "a text", "a number"])
def test_a_payload_that_is_no_table_is_ignored(payload: Any) -> None:
    assert isinstance(parse_event("pull_request", payload), Ignored)
