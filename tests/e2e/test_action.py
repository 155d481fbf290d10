"""The Action, from an event to commits, comment, check run, annotations, summary and outputs."""

from pathlib import Path

import pytest

from tests.e2e.github_stage import REPAIR, Hub
from tests.fakes.model_server import ModelServer, finish, turn


def test_a_failing_pull_request_is_repaired_and_reported(hub: Hub) -> None:
    pull = hub.break_it()
    start = pull.head_sha
    with ModelServer([REPAIR]) as model:
        step = hub.on_pull(pull, model=model)
    assert step.done.code == 0, step.done.stdout + step.done.stderr
    assert hub.subjects("feature", start) == ["fix-loop: test clean (iteration 1)"]
    report = hub.report(pull)
    assert "DONE: all validation layers passed" in report
    assert hub.shop.head("feature")[:7] in report
    (check,) = [run for run in hub.shop.check_runs.values() if run.name == "fixloop"]
    assert (check.status, check.conclusion) == ("completed", "success")
    assert step.outputs["status"] == "DONE"
    assert step.outputs["terminal-state"] == "Succeeded"
    assert step.outputs["commits"] == hub.shop.head("feature")
    assert "DONE" in step.summary
    assert (Path(step.environment["GITHUB_WORKSPACE"]) / step.outputs["state-dir"] / "RUNLOG.md").exists()


def test_a_hopeless_pull_request_gets_a_failure_and_annotations_and_no_push(hub: Hub) -> None:
    pull = hub.break_it()
    start = pull.head_sha
    with ModelServer([turn(finish("done"))] * 3) as model:
        step = hub.on_pull(pull, model=model)
    assert step.done.code == 0, step.done.stdout + step.done.stderr
    assert hub.shop.head("feature") == start
    assert hub.github.pushes == []
    assert "BLOCKED: max-retries" in hub.report(pull)
    (check,) = [run for run in hub.shop.check_runs.values() if run.name == "fixloop"]
    assert (check.status, check.conclusion) == ("completed", "failure")
    assert [annotation["path"] for annotation in check.annotations] == ["tests/test_pages.py"]
    assert step.outputs["status"] == "BLOCKED"


def test_a_person_s_command_starts_a_run_and_gets_its_reactions(hub: Hub) -> None:
    pull = hub.break_it()
    with ModelServer([REPAIR]) as model:
        step = hub.on_comment(pull, "/fixloop --max-retries 2", model=model)
    assert step.outputs["status"] == "DONE", step.done.stdout + step.done.stderr
    comment = hub.shop.comments_on(pull.number)[0]
    assert [reaction.content for reaction in comment.reactions] == ["eyes", "rocket"]


@pytest.mark.parametrize(
    ("body", "author"),
    [
        pytest.param("/fixloop", "rita", id="from a reader"),
        pytest.param("> /fixloop", "pat", id="in a quote"),
        pytest.param("```\n/fixloop\n```", "pat", id="in a code block"),
        pytest.param("<!-- fixloop:report v=1 -->\n/fixloop", "github-actions[bot]", id="from fixloop itself"),
    ],
)
def test_what_is_no_command_of_a_person_with_permission_spends_nothing(hub: Hub, body: str, author: str) -> None:
    pull = hub.break_it()
    with ModelServer([]) as model:
        step = hub.on_comment(pull, body, author=author, model=model)
    assert step.done.code == 0, step.done.stdout + step.done.stderr
    assert model.requests == []
    assert hub.github.pushes == []
    assert not [run for run in hub.shop.check_runs.values() if run.name == "fixloop"]


def test_a_mistyped_command_gets_one_helpful_reply(hub: Hub) -> None:
    pull = hub.break_it()
    hub.on_comment(pull, "/fixloop rnu")
    replies = [one.body for one in hub.shop.comments_on(pull.number)[1:]]
    assert len(replies) == 1
    assert "/fixloop run" in replies[0]


def test_fixloop_does_not_react_to_its_own_push(hub: Hub) -> None:
    pull = hub.break_it()
    with ModelServer([REPAIR]) as model:
        hub.on_pull(pull, model=model)
        step = hub.step(
            "pull_request", hub.github.payloads.pull_request(pull, "synchronize", sender="pat"), model=model
        )
    assert step.done.code == 0, step.done.stderr
    assert "fixloop's own" in step.done.stdout
    assert len(model.requests) == 1
