"""However a step ends, nothing says `in progress` afterwards, and what is said is true."""

import os
import signal
from pathlib import Path

import pytest

from tests.e2e.github_stage import BREAK, REPAIR, Hub
from tests.e2e.workspace import KEY, PYTEST
from tests.fakes.github import read_outputs
from tests.fakes.model_server import Fault, ModelServer
from tests.fakes.until import until

SLEEPER = (
    "import os, pathlib, time\n\n\ndef test_slow() -> None:\n"
    "    pathlib.Path({pid!r}).write_text(str(os.getpid()))\n    time.sleep(300)\n"
)


def silent() -> ModelServer:
    """Return a model that takes the call and never answers."""
    return ModelServer([Fault(kind="silence")])


def told_as_stopped(hub: Hub, report: str) -> None:
    """Check that comment and check run say that the run was stopped, and nothing else."""
    assert (hub.check.status, hub.check.conclusion) == ("completed", "cancelled")
    assert "stopped" in report
    assert "status=RUNNING" not in report


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_a_cancelled_job_says_so_while_the_model_is_silent(hub: Hub, number: signal.Signals) -> None:
    pull = hub.break_it()
    with silent() as model, hub.running(pull, model=model) as (process, environment):
        until(lambda: bool(model.requests), process)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130, out + err
    told_as_stopped(hub, hub.report(pull))
    outputs = read_outputs(environment)
    assert (outputs["status"], outputs["terminal-state"]) == ("BLOCKED", "AbortedByHuman")
    assert hub.github.pushes == []


def test_a_cancelled_job_takes_its_tests_along(hub: Hub, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    pull = hub.break_it(files={"tests/test_slow.py": SLEEPER.format(pid=str(pid))})
    with hub.running(pull, sandbox="off") as (process, _):  # in it, the test could not tell where it runs
        until(lambda: pid.exists() and bool(pid.read_text()), process)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130, out + err
    told_as_stopped(hub, hub.report(pull))
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


def test_a_person_s_stop_ends_the_run_in_another_job(hub: Hub) -> None:
    pull = hub.break_it()
    with silent() as model, hub.running(pull, model=model, watch_every="0.2") as (process, _):
        until(lambda: bool(model.requests), process)
        stop = hub.on_comment(pull, "/fixloop stop")
        assert "asked run" in stop.done.stdout, stop.done.stdout + stop.done.stderr
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130, out + err
    told_as_stopped(hub, hub.report(pull))


def test_a_stop_after_the_first_clean_layer_offers_it_as_a_patch(hub: Hub) -> None:
    config = BREAK | {"pyproject.toml": f"{PYTEST}\n[tool.ruff]\n"}
    pull = hub.break_it(files=config | {"app/names.py": '"""Names."""\n\nimport os\n'})
    with silent() as model, hub.running(pull, model=model) as (process, environment):
        until(lambda: bool(model.requests), process)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130, out + err
    report = hub.report(pull)
    assert "the run was stopped before the push" in report
    assert "-import os" in report
    assert read_outputs(environment)["commits"] == ""
    assert hub.github.pushes == []


def test_a_fault_of_fixloop_is_neutral_and_fails_the_step_alone(hub: Hub) -> None:
    pull = hub.break_it()
    with ModelServer([]) as model:
        step = hub.on_pull(pull, model=model, before=lambda workspace: (workspace / ".fixloop-state").write_text("no"))
    assert step.done.code == 1, step.done.stdout + step.done.stderr
    assert (hub.check.status, hub.check.conclusion) == ("completed", "neutral")
    assert "fault" in hub.report(pull).lower()
    assert "NotADirectoryError" in hub.report(pull)
    assert step.outputs["status"] == ""


def test_a_state_folder_that_is_a_link_is_not_followed(hub: Hub, tmp_path: Path) -> None:
    pull = hub.break_it()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    step = hub.on_pull(pull, before=lambda workspace: (workspace / ".fixloop-state").symlink_to(elsewhere))
    assert step.done.code == 2, step.done.stdout + step.done.stderr
    assert list(elsewhere.iterdir()) == []


def test_no_secret_is_in_anything_that_a_run_leaves(hub: Hub) -> None:
    spy = "import os\n\n\ndef test_env() -> None:\n    print(dict(os.environ))\n    assert False\n"
    pull = hub.break_it(files={"tests/test_env.py": spy, **BREAK})
    token = hub.github.actions_token(hub.shop)
    with ModelServer([REPAIR] * 3) as model:
        step = hub.on_pull(pull, model=model, token=token)
    assert step.done.code == 0, step.done.stdout + step.done.stderr
    told = [step.done.stdout, step.done.stderr, step.summary, hub.report(pull), str(step.outputs)]
    told += [str(hub.check.summary), str(hub.check.text), *(request.text for request in model.requests)]
    state = Path(step.environment["GITHUB_WORKSPACE"]) / step.outputs["state-dir"]
    kept = [path for path in state.rglob("*") if path.is_file()]
    assert {"RUNLOG.md", "run-state.db", "terminal.json", "state.json"} <= {path.name for path in kept}
    for secret in (KEY, token):
        assert not [text for text in told if secret in text]
        assert not [path for path in kept if secret.encode() in path.read_bytes()]
