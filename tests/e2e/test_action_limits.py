"""GitHub's limits and moods: batches, pages, refusals, slowness; the report comes through once and whole."""

from collections.abc import Callable

import pytest

from fixloop_bot.core.render.marker import MARKER_START
from tests.e2e.github_stage import REPAIR, Hub
from tests.e2e.workspace import PYTEST
from tests.fakes.github import FakeGitHub
from tests.fakes.model_server import ModelServer

LINTED = f"{PYTEST}\n[tool.ruff]\n"


def test_130_annotations_come_in_batches(hub: Hub) -> None:
    undefined = "".join(f"name_{number} = missing_{number}\n" for number in range(130))
    pull = hub.break_it(files={"app/names.py": undefined, "pyproject.toml": LINTED})
    step = hub.on_pull(pull)
    assert step.outputs["status"] == "BLOCKED", step.done.stdout + step.done.stderr
    assert len(hub.check.annotations) == 130
    assert len({annotation["start_line"] for annotation in hub.check.annotations}) == 130
    assert (hub.check.status, hub.check.conclusion) == ("completed", "failure")


def test_the_report_is_found_among_many_comments_and_edited(hub: Hub) -> None:
    pull = hub.break_it()
    for number in range(230):
        hub.shop.comment(pull.number, f"remark {number}", author="mona")
    hub.on_pull(pull)
    for number in range(20):
        hub.shop.comment(pull.number, f"{MARKER_START} not fixloop's, number {number}", author="rita")
    hub.on_comment(pull, "/fixloop --max-retries 1")
    (own,) = [one for one in hub.shop.comments_on(pull.number) if one.app and one.body.startswith(MARKER_START)]
    runs = {run.external_id for run in hub.shop.check_runs.values() if run.name == "fixloop"}
    assert len(runs) == 2
    assert len({body.partition("run=")[2].partition(" ")[0] for body in own.bodies}) == 2, "both runs tell there"


def limited(github: FakeGitHub) -> None:
    """Let GitHub's secondary limit strike twice."""
    github.conditions.limit_writes(after=1, retry_after=1)
    github.conditions.limit_writes(after=2, retry_after=1)


def out_of_order(github: FakeGitHub) -> None:
    """Let a request of every kind that the report needs fail once."""
    for method, path in (
        ("POST", "*/check-runs"),
        ("PATCH", "*/check-runs/*"),
        ("POST", "*/comments"),
        ("PATCH", "*/issues/comments/*"),
        ("GET", "*/comments"),
    ):
        github.conditions.fail(status=502, method=method, path=path)


def too_long(github: FakeGitHub) -> None:
    """Let GitHub find the comment too long, twice."""
    said = "Validation Failed: body is too long (maximum is 65536 characters)"
    github.conditions.fail(status=422, message=said, method="PATCH", path="*/issues/comments/*", times=2)


def without_reactions(github: FakeGitHub) -> None:
    """Let reactions be out of order for good."""
    github.conditions.fail(status=403, message="no", method="POST", path="*/reactions", times=9)


@pytest.mark.parametrize("trouble", [limited, out_of_order, too_long, without_reactions])
def test_trouble_with_github_on_the_way_loses_nothing(hub: Hub, trouble: Callable[[FakeGitHub], None]) -> None:
    pull = hub.break_it()
    trouble(hub.github)
    step = hub.on_comment(pull, "/fixloop")
    assert step.done.code == 0, step.done.stdout + step.done.stderr
    assert "BLOCKED" in hub.report(pull)
    (check,) = [run for run in hub.shop.check_runs.values() if run.name == "fixloop"]
    assert (check.status, check.conclusion) == ("completed", "failure")


def test_a_locked_conversation_still_gets_its_repair_and_check_run(hub: Hub) -> None:
    pull = hub.break_it()
    hub.github.conditions.fail(status=403, message="locked", method="POST", path="*/issues/*/comments", times=99)
    with ModelServer([REPAIR]) as model:
        step = hub.on_pull(pull, model=model)
    assert step.outputs["status"] == "DONE", step.done.stdout + step.done.stderr
    assert step.outputs["commits"] == hub.shop.head("feature")
    assert hub.check.conclusion == "success"


def test_github_out_of_order_during_the_delivery_leaves_the_patch(hub: Hub) -> None:
    pull = hub.break_it()
    hub.github.conditions.fail(status=503, method="GET", path="*/branches/feature", times=99, retry_after=1)
    with ModelServer([REPAIR]) as model:
        step = hub.on_pull(pull, model=model)
    assert step.done.code == 0, step.done.stdout + step.done.stderr
    assert "GitHub failed while the repair was delivered" in hub.report(pull)
    assert hub.check.conclusion == "action_required"
    assert hub.github.pushes == []
