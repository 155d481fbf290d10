"""Whose checks failed, what their logs say, and who may push where."""

import pytest

from fixloop_bot.adapters.github.job_logs import KEPT
from fixloop_bot.model.forge import ExternalId, FailedCheck, JobLog, PushAllowed, PushRefused, Standing
from fixloop_bot.model.sweep import Checks
from fixloop_bot.ports.forge import Forge
from tests.adapters.github.scene import WORKFLOW, Scene


def test_logs_are_fetched_without_the_credential_and_only_of_failed_jobs(stage: Scene, forge: Forge) -> None:
    jobs = [("lint", "success", "fine\n"), ("test", "failure", "E   SyntaxError: é\n"), ("slow", "timed_out", "…")]
    run = stage.shop.workflow_run(stage.head, jobs=jobs)
    assert forge.failed_job_logs([run.id, run.id, 77]) == (
        JobLog(name="test", conclusion="failure", text="E   SyntaxError: é\n"),
        JobLog(name="slow", conclusion="timed_out", text="…"),
    )
    fetched = [one for one in stage.github.requests if one.path.startswith("/_logs/")]
    assert len(fetched) == 2
    assert all("authorization" not in one.headers for one in fetched)


def test_of_a_long_log_the_end_is_kept(stage: Scene, forge: Forge) -> None:
    run = stage.shop.workflow_run(stage.head, jobs=[("test", "failure", "x" * 3 * KEPT + "the end")])
    (log,) = forge.failed_job_logs([run.id])
    assert (len(log.text), log.text[-8:], log.cut) == (KEPT, "xthe end", True)


def test_at_most_ten_logs_are_fetched(stage: Scene, forge: Forge) -> None:
    run = stage.shop.workflow_run(stage.head, jobs=[(f"job {at}", "failure", "no\n") for at in range(14)])
    assert [one.name for one in forge.failed_job_logs([run.id])] == [f"job {at}" for at in range(10)]


def test_a_log_that_is_gone_is_left_out(stage: Scene, forge: Forge) -> None:
    run = stage.shop.workflow_run(stage.head, jobs=[("old", "failure", "a"), ("new", "failure", "b")])
    stage.github.conditions.fail(status=410, message="Gone", path="*/logs")
    assert [one.name for one in forge.failed_job_logs([run.id])] == ["new"]


def test_a_failed_checks_output_is_read(stage: Scene, forge: Forge) -> None:
    linter = stage.shop.check_run("linter", stage.head, app=stage.github.app("linter"))
    linter.title, linter.summary, linter.text = "2 errors", "see below", "app.py:2"
    stage.shop.conclude(linter, "failure")
    other = stage.shop.check_run("other", stage.head, app=stage.github.app("other"))
    stage.shop.conclude(other, "failure")
    expected = FailedCheck(name="linter", conclusion="failure", title="2 errors", summary="see below", text="app.py:2")
    assert forge.failed_checks(stage.head, [linter.suite.id]) == (expected,)


def _own_check_run(stage: Scene, conclusion: str) -> None:
    own = stage.shop.check_run("fixloop", stage.head, app=stage.github.actions_app)
    own.external_id = ExternalId(run_id="run-1").to_text()
    if conclusion:
        stage.shop.conclude(own, conclusion)


def test_without_checks_nothing_is_known(stage: Scene, forge: Forge) -> None:
    assert forge.standing(stage.head) == Standing(checks=Checks.NONE, active_at=None)
    assert not forge.ci_started(stage.head)


@pytest.mark.parametrize(
    ("job", "status", "expected"),
    [
        ("success", "success", Checks.PASSING),
        ("failure", "success", Checks.FAILING),
        ("success", "error", Checks.FAILING),
        ("success", "pending", Checks.PENDING),
        ("skipped", "success", Checks.PASSING),
    ],
)
def test_checks_and_statuses_count_together(
    stage: Scene, forge: Forge, job: str, status: str, expected: Checks
) -> None:
    stage.shop.workflow_run(stage.head, jobs=[("test", job, "")])
    stage.shop.set_status(stage.head, "failure", context="legacy")
    stage.shop.set_status(stage.head, status, context="legacy")
    assert forge.standing(stage.head).checks is expected


@pytest.mark.parametrize(
    ("conclusion", "running", "tried"),
    [("", True, False), ("action_required", True, False), ("failure", False, True)],
    ids=["under way", "waits for a decision", "ended"],
)
def test_own_check_runs_are_told_apart(
    stage: Scene, forge: Forge, conclusion: str, *, running: bool, tried: bool
) -> None:
    _own_check_run(stage, conclusion)
    found = forge.standing(stage.head)
    assert (found.checks, found.running, found.tried) == (Checks.NONE, running, tried)


def test_ci_has_started_when_somebody_elses_check_is_there_but_not_by_fixloops_own_workflow(stage: Scene) -> None:
    with stage.forge(workflow_path=WORKFLOW) as forge:
        stage.shop.workflow_run(stage.head, jobs=[("fixloop / run", "failure", "")], path=WORKFLOW)
        _own_check_run(stage, "")
        assert not forge.ci_started(stage.head)
        assert forge.standing(stage.head).checks is Checks.NONE
        stage.shop.workflow_run(stage.head, status="queued")
        assert forge.ci_started(stage.head)


def test_a_push_into_the_own_repository_is_allowed(stage: Scene, forge: Forge) -> None:
    assert forge.push_access(stage.pull_request(forge)) == PushAllowed()


@pytest.mark.parametrize(
    ("person", "modify", "expected"),
    [
        (False, True, "this repository alone"),
        (True, False, "does not allow edits"),
        (True, True, ""),
    ],
    ids=["a workflow's token reaches no fork", "the author does not want it", "a maintainer may"],
)
def test_a_push_into_a_fork(stage: Scene, *, person: bool, modify: bool, expected: str) -> None:
    stage.github.user("zoe")
    fork = stage.shop.fork("zoe")
    fork.levels["pat"] = "read"
    fork.commit("fix", {"app.py": "fork\n"}, author="zoe")
    pull = stage.shop.open_pull("fix", source=fork, author="zoe", maintainer_can_modify=modify)
    with stage.forge(stage.github.user_token("pat") if person else None) as forge:
        access = forge.push_access(stage.pull_request(forge, pull.number))
    assert (access == PushAllowed()) if not expected else isinstance(access, PushRefused) and expected in access.reason
