"""What a run is told: events with logs, configuration of base and branch, inputs, another GitHub."""

from pathlib import Path

import pytest

from tests.e2e.conftest import open_hub
from tests.e2e.github_stage import BREAK, REPAIR, Hub
from tests.e2e.workspace import PYTEST
from tests.fakes.github import FakeGitHub
from tests.fakes.model_server import ModelServer

CLUE = "E       AssertionError: the clue of the job's log"


def long_log(clue: str) -> str:
    """Return a job's log of 300 kB that has the failure in its middle."""
    stamp = "2026-11-30T12:00:00.0000000Z "
    noise = [f"{stamp}collecting wheel number {number}" for number in range(3000)]
    told = [f"{stamp}tests/test_pages.py:5: AssertionError", f"{stamp}{clue}", f"{stamp}FAILED tests/test_pages.py"]
    return "\n".join([*noise, *told, *noise]) + "\n"


def test_the_failed_jobs_logs_are_the_first_diagnosis(hub: Hub) -> None:
    pull = hub.break_it()
    log = long_log(CLUE)
    assert len(log) > 300_000
    run = hub.shop.workflow_run(pull.head_sha, [("lint", "success", "ok\n"), ("test", "failure", log)])
    with ModelServer([REPAIR]) as model:
        step = hub.step("workflow_run", hub.github.payloads.workflow_run(hub.shop, run), model=model)
    assert step.outputs["status"] == "DONE", step.done.stdout + step.done.stderr
    assert "the clue of the job's log" in model.requests[0].text
    assert "2026-11-30T12:00" not in model.requests[0].text
    assert len(model.requests[0].text) < 100_000
    assert "DONE" in hub.report(pull)


def test_another_app_s_failed_check_is_the_first_diagnosis(hub: Hub) -> None:
    pull = hub.break_it()
    check = hub.shop.check_run("other", pull.head_sha, app=hub.github.app("other-ci"))
    failed = "tests/test_pages.py:5: AssertionError\nFAILED tests/test_pages.py::test_last - assert 2 == 3\n"
    check.title, check.summary, check.text = "1 failed", failed, CLUE
    hub.shop.conclude(check, "failure")
    payload = hub.github.payloads.check_suite(hub.shop, check.suite)
    with ModelServer([REPAIR]) as model:
        step = hub.step("check_suite", payload, model=model)
    assert step.outputs["status"] == "DONE", step.done.stdout + step.done.stderr
    assert "the clue of the job's log" in model.requests[0].text


def test_a_broken_configuration_on_the_base_branch_is_told_with_its_line(hub: Hub) -> None:
    hub.shop.commit("main", {".fixloop.yml": "version: 1\nrunnner: x\n"}, author="pat")
    pull = hub.break_it()
    step = hub.on_pull(pull)
    assert step.done.code == 2, step.done.stdout + step.done.stderr
    assert ".fixloop.yml:2" in hub.report(pull).replace("\\", "")
    assert "missing tool" not in hub.report(pull), "no tool is missing"
    assert (hub.check.status, hub.check.conclusion) == ("completed", "failure")


def test_a_branch_s_own_configuration_gains_nothing(hub: Hub) -> None:
    pull = hub.break_it(files={**BREAK, ".fixloop.yml": 'layers: {test: "true"}\nbudget: {run-usd: 1000}\n'})
    step = hub.on_pull(pull)
    assert step.outputs["status"] == "BLOCKED", step.done.stdout + step.done.stderr
    assert "test_last" in hub.report(pull).replace("\\", "")


def test_without_a_key_what_is_free_is_repaired_and_the_rest_says_what_is_missing(hub: Hub) -> None:
    linted = f"{PYTEST}\n[tool.ruff]\n"
    files = {**BREAK, "app/names.py": '"""Names."""\n\nimport os\n', "pyproject.toml": linted}
    pull = hub.break_it(files=files)
    start = pull.head_sha
    step = hub.on_pull(pull)
    assert step.outputs["status"] == "BLOCKED", step.done.stdout + step.done.stderr
    assert step.outputs["terminal-state"] == "FailedBlocked"
    assert hub.subjects("feature", start) == ["fix-loop: lint clean (free)"]
    assert step.outputs["commits"] == hub.shop.head("feature")
    assert "anthropic-api-key" in hub.report(pull) or "ANTHROPIC" in hub.report(pull)


@pytest.mark.parametrize("where", ["input", "configuration"])
def test_a_sandbox_that_cannot_be_had_runs_nothing(hub: Hub, where: str) -> None:
    rules = {"input": "network: false", "configuration": "level: 'off', network: false"}[where]
    hub.shop.commit("main", {".fixloop.yml": f"sandbox: {{{rules}}}\n"}, author="pat")
    pull = hub.break_it()
    with ModelServer([]) as model:
        step = hub.on_pull(pull, model=model, sandbox="off" if where == "input" else "")
    assert step.outputs["status"] == "BLOCKED", step.done.stdout + step.done.stderr
    assert "sandbox.network: false" in hub.report(pull).replace("\\", "")
    assert model.requests == []


@pytest.mark.parametrize(("provider", "variable"), [("bedrock", "AWS_REGION"), ("vertex", "CLOUD_ML_REGION")])
def test_a_cloud_without_its_region_says_what_to_set(hub: Hub, provider: str, variable: str) -> None:
    pull = hub.break_it()
    with ModelServer([]) as model:
        step = hub.on_pull(pull, model=model, model_provider=provider)
    assert step.outputs["status"] == "BLOCKED", step.done.stdout + step.done.stderr
    assert variable in hub.report(pull).replace("\\", "")
    assert model.requests == []


def test_github_enterprise_server(tmp_path: Path) -> None:
    with FakeGitHub(enterprise=True) as github:
        hub = open_hub(github, tmp_path)
        pull = hub.break_it()
        start = pull.head_sha
        with ModelServer([REPAIR]) as model:
            step = hub.on_pull(pull, model=model)
        assert step.outputs["status"] == "DONE", step.done.stdout + step.done.stderr
        assert hub.subjects("feature", start) == ["fix-loop: test clean (iteration 1)"]
        assert hub.check.conclusion == "success"
        assert github.site in hub.report(pull), "its addresses are the server's own"
