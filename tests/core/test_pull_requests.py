"""Which pull request a failing commit belongs to."""

from dataclasses import replace

import pytest

from fixloop_bot.core.event_payloads import Field, to_pull_request
from fixloop_bot.core.events import parse_event
from fixloop_bot.core.pull_requests import choose
from fixloop_bot.model.event import ButtonTrigger, CiFailureTrigger, PullRequest
from fixloop_bot.model.ticket import Absent
from tests.core.github_events import (
    FORK,
    Payload,
    button_event,
    check_suite_event,
    listed,
    pull_request,
    workflow_run_event,
)

OURS = to_pull_request(Field(pull_request()))
FORKED = to_pull_request(Field(pull_request(head=FORK, number=8)))
MOVED = "c" * 40


def failure(name: str, payload: Payload) -> CiFailureTrigger | ButtonTrigger:
    parsed = parse_event(name, payload)
    assert isinstance(parsed, CiFailureTrigger | ButtonTrigger)
    return parsed


NUMBERED = failure("workflow_run", workflow_run_event())
OF_FORK = failure("workflow_run", workflow_run_event(pull_requests=[], head_repository=FORK))
UNNUMBERED = failure("workflow_run", workflow_run_event(pull_requests=[]))
SUITE = failure("check_suite", check_suite_event(pull_requests=[], head_branch=None))
TWO = failure("workflow_run", workflow_run_event(pull_requests=[listed(7), listed(9)]))
BUTTON = failure("check_run", button_event())


@pytest.mark.parametrize(
    ("candidates", "trigger", "number"),
    [
        ([FORKED, OURS], NUMBERED, 7),
        ([replace(OURS, head_sha=MOVED)], NUMBERED, 7),
        ([replace(OURS, head_sha=MOVED)], BUTTON, 7),
        ([OURS, FORKED], OF_FORK, 8),
        ([FORKED, OURS], UNNUMBERED, 7),
        ([FORKED], SUITE, 8),
        ([replace(OURS, number=9), replace(OURS, draft=True)], TWO, 9),
        ([replace(OURS, number=9), OURS], TWO, 7),
        ([replace(OURS, head_sha=MOVED), replace(OURS, number=9)], TWO, 9),
    ],
    ids=[
        "by its number",
        "by its number though the head moved, for a better reason later",
        "a button by its number though the head moved",
        "a fork's by its repository",
        "ours by its repository",
        "a suite's by its commit alone",
        "ready before draft",
        "the oldest of two",
        "the one that still has the commit",
    ],
)
def test_found(candidates: list[PullRequest], trigger: CiFailureTrigger | ButtonTrigger, number: int) -> None:
    found = choose(candidates, trigger)
    assert isinstance(found, PullRequest)
    assert found.number == number


@pytest.mark.parametrize(
    ("candidates", "trigger"),
    [
        ([], NUMBERED),
        ([replace(OURS, number=3)], NUMBERED),
        ([replace(OURS, base_repository_id=20)], NUMBERED),
        ([FORKED], UNNUMBERED),
        ([OURS], OF_FORK),
        ([replace(FORKED, head_sha=MOVED)], OF_FORK),
        ([replace(FORKED, is_open=False)], OF_FORK),
        ([replace(FORKED, head_branch="other")], OF_FORK),
        ([replace(FORKED, head_repository=None)], OF_FORK),
    ],
    ids=[
        "there is none",
        "another number",
        "in another repository",
        "a fork's for ours",
        "ours for a fork's",
        "another commit",
        "closed",
        "another branch",
        "a deleted fork, which may be anybody's",
    ],
)
def test_not_found(candidates: list[PullRequest], trigger: CiFailureTrigger | ButtonTrigger) -> None:
    assert choose(candidates, trigger) == Absent()
