"""From a GitHub event to a trigger; the Action and a webhook service share it."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from fixloop_bot.core.commands import parse_commands
from fixloop_bot.core.event_payloads import (
    MAX_MESSAGE,
    Field,
    MalformedError,
    to_actor,
    to_origin,
    to_pull_request,
    to_pull_request_numbers,
    to_repository_or_none,
)
from fixloop_bot.core.render.dashboard_issue import DASHBOARD_START, ticked
from fixloop_bot.core.targets import to_target
from fixloop_bot.core.unused_events import UNUSED_EVENTS
from fixloop_bot.model.event import (
    CHECK_RUN_NAME,
    COMMENT_MARKER,
    Button,
    ButtonTrigger,
    CiFailureTrigger,
    CommentTrigger,
    DispatchTrigger,
    Ignored,
    Origin,
    PullRequestTrigger,
    RepositoryRef,
    ScheduleTrigger,
    TickTrigger,
    Trigger,
)

PULL_REQUEST_ACTIONS: Final = ("opened", "reopened", "synchronize", "ready_for_review")
FAILURES: Final = ("failure", "timed_out")
"""Conclusions that a change of code may mend; `startup_failure` and `action_required` are the workflow's matter."""

MAX_ISSUE: Final = 300_000
"""Characters; GitHub takes 65,536 of an issue, and larger ones have been seen."""

_WORD = re.compile(r"[^a-z_]")

Parser = Callable[[Field, Origin], Trigger | Ignored]


def parse_event(name: str, payload: Mapping[str, Any], *, repository: RepositoryRef | None = None) -> Trigger | Ignored:
    """Return what an event asks for, or why it asks for nothing. Never raises, whatever the payload holds.

    `name` is that of the `X-GitHub-Event` header or of GITHUB_EVENT_NAME; `repository` serves events whose payload
    names none, as old schedules do.
    """
    parser = _PARSERS.get(name)
    if parser is None:
        return Ignored(UNUSED_EVENTS.get(name, f"fixloop does not act on `{_word(name)}` events"))
    try:
        field = Field(payload)
        return parser(field, to_origin(field, repository))
    except MalformedError as error:
        return Ignored(f"the `{name}` payload cannot be used: {error}")


def _word(text: object) -> str:
    return _WORD.sub("", str(text)[:40]) or "unnamed"


def _action(payload: Field) -> str:
    return payload.at("action").text_or()


def _unused_action(payload: Field, kind: str) -> Ignored:
    return Ignored(f"fixloop does not act when {_article(kind)} {kind} is `{_word(_action(payload))}`")


def _article(kind: str) -> str:
    return "an" if kind[0] in "aeiou" else "a"


def _pull_request(payload: Field, origin: Origin) -> Trigger | Ignored:
    if _action(payload) not in PULL_REQUEST_ACTIONS:
        return _unused_action(payload, "pull request")
    pull_request = to_pull_request(payload.at("pull_request"))
    if pull_request.draft:
        return Ignored("the pull request is a draft; fixloop starts when it is ready for review, or at a command")
    if not pull_request.is_open:
        return Ignored("the pull request is closed")
    return PullRequestTrigger(origin=origin, action=_action(payload), pull_request=pull_request)


def _no_failure(payload: Field, run: Field, kind: str) -> Ignored | None:
    if _action(payload) != "completed":
        return _unused_action(payload, kind)
    conclusion = run.at("conclusion").text_or("none")
    if conclusion not in FAILURES:
        return Ignored(f"the {kind} did not fail; its conclusion is `{_word(conclusion)}`")
    return None


def _workflow_run(payload: Field, origin: Origin) -> Trigger | Ignored:
    run = payload.at("workflow_run")
    if ignored := _no_failure(payload, run, "workflow run"):
        return ignored
    path = run.at("path") or payload.at("workflow", "path")
    return CiFailureTrigger(
        origin=origin,
        head_sha=run.at("head_sha").sha(),
        head_branch=run.at("head_branch").name_or(),
        head_repository=to_repository_or_none(run.at("head_repository")),
        conclusion=run.at("conclusion").text(),
        pull_requests=to_pull_request_numbers(run.at("pull_requests"), origin.repository),
        workflow_run_id=run.at("id").number(),
        workflow_path=path.name_or().partition("@")[0],
        workflow_name=run.at("name").text_or(),
        head_message=_message(run),
    )


def _check_suite(payload: Field, origin: Origin) -> Trigger | Ignored:
    suite = payload.at("check_suite")
    if ignored := _no_failure(payload, suite, "check suite"):
        return ignored
    if suite.at("app", "slug").text_or() == "github-actions":
        return Ignored(
            "a check suite of GitHub Actions; the workflow run's own event tells more about the same failure"
        )
    return CiFailureTrigger(
        origin=origin,
        head_sha=suite.at("head_sha").sha(),
        head_branch=suite.at("head_branch").name_or(),
        conclusion=suite.at("conclusion").text(),
        pull_requests=to_pull_request_numbers(suite.at("pull_requests"), origin.repository),
        check_suite_id=suite.at("id").number(),
        app_id=suite.at("app", "id").number_or_none(),
        head_message=_message(suite),
    )


def _message(run: Field) -> str | None:
    message = run.at("head_commit", "message")
    return message.text(limit=MAX_MESSAGE) if message else None


def _issue_comment(payload: Field, origin: Origin) -> Trigger | Ignored:
    if _action(payload) == "edited":
        return Ignored("edited comments are not obeyed; a command is written as a new comment")
    if _action(payload) != "created":
        return _unused_action(payload, "comment")
    issue, comment = payload.at("issue"), payload.at("comment")
    if not issue.at("pull_request"):
        return Ignored("the comment is on an issue, not on a pull request")
    author, body = to_actor(comment.at("user")), comment.at("body").text_or(limit=4 * MAX_MESSAGE)
    if body.startswith(COMMENT_MARKER):
        return Ignored("the comment is fixloop's own")
    if author.is_bot:
        return Ignored("a bot wrote the comment; commands are taken from people")
    commands = parse_commands(body)
    if not commands:
        return Ignored("the comment has no command at the start of a line")
    return CommentTrigger(
        origin=origin,
        number=issue.at("number").number(),
        comment_id=comment.at("id").number(),
        author=author,
        created_at=comment.at("created_at").time(),
        commands=commands,
    )


def _check_run(payload: Field, origin: Origin) -> Trigger | Ignored:
    run = payload.at("check_run")
    if _action(payload) not in ("requested_action", "rerequested"):
        return _unused_action(payload, "check run")
    if run.at("name").text_or() != CHECK_RUN_NAME:
        return Ignored("the check run is not fixloop's")
    button = _button(payload)
    if isinstance(button, Ignored):
        return button
    return ButtonTrigger(
        origin=origin,
        button=button,
        check_run_id=run.at("id").number(),
        external_id=run.at("external_id").text_or(),
        app_id=run.at("app", "id").number_or_none(),
        head_sha=run.at("head_sha").sha(),
        head_branch=run.at("check_suite", "head_branch").name_or(),
        pull_requests=to_pull_request_numbers(run.at("pull_requests"), origin.repository),
    )


def _button(payload: Field) -> Button | Ignored:
    """Return which button was pressed; GitHub's own "Re-run" on fixloop's check run asks for a run too."""
    if _action(payload) == "rerequested":
        return Button.RUN
    identifier = payload.at("requested_action", "identifier").text()
    return Button(identifier) if identifier in tuple(Button) else Ignored("the button is not one of fixloop's")


def _schedule(payload: Field, origin: Origin) -> Trigger | Ignored:
    return ScheduleTrigger(origin=origin, schedule=payload.at("schedule").text_or())


def _workflow_dispatch(payload: Field, origin: Origin) -> Trigger | Ignored:
    inputs = payload.at("inputs")
    given = inputs.value if isinstance(inputs.value, Mapping) else {}
    target = to_target(given)
    if isinstance(target, Ignored):
        return target
    return DispatchTrigger(origin=origin, ref=payload.at("ref").name_or(), target=target)


def _issues(payload: Field, origin: Origin) -> Trigger | Ignored:
    """Return what an edit of the dashboard ticked: a box that was ticked before asks for nothing."""
    if _action(payload) != "edited":
        return _unused_action(payload, "issue")
    body = payload.at("issue", "body").text_or(limit=MAX_ISSUE)
    if not body.startswith(DASHBOARD_START):
        return Ignored("the issue is not a sweep's dashboard")
    if origin.sender is None or origin.sender.is_bot:
        return Ignored("a box counts when a person ticks it")
    before = payload.at("changes", "body", "from")
    if not before:
        return Ignored("the edit did not touch the dashboard's text")
    known = ticked(before.text(limit=MAX_ISSUE))
    branches = tuple(branch for branch in ticked(body) if branch not in known)
    if not branches:
        return Ignored("no box was ticked")
    return TickTrigger(origin=origin, number=payload.at("issue", "number").number(), branches=branches)


_PARSERS: Mapping[str, Parser] = {
    "pull_request": _pull_request,
    "pull_request_target": _pull_request,
    "workflow_run": _workflow_run,
    "check_suite": _check_suite,
    "issue_comment": _issue_comment,
    "check_run": _check_run,
    "issues": _issues,
    "schedule": _schedule,
    "workflow_dispatch": _workflow_dispatch,
}

PARSED_EVENTS: Final = frozenset(_PARSERS)
