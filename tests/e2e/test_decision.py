"""A question to a person: frozen, answered later or elsewhere, and done exactly as it was decided."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.test_resume import SILENCE
from tests.e2e.workspace import PYTEST, Finished, Workspace, finished, git
from tests.fakes.model_server import ModelServer, edit, finish, turn
from tests.fakes.until import ended, until

PRICED = {
    "app/__init__.py": "",
    "app/prices.py": '"""Prices."""\n\n\ndef price(pages: int) -> int:\n    """Return it."""\n    return pages * 10\n',
    "tests/test_prices.py": "from app.prices import price\n\n\ndef test_price() -> None:\n    assert price(2) == 20\n"
    "\n\ndef test_type() -> None:\n    assert isinstance(price(1), int)\n",
    "pyproject.toml": PYTEST,
}
RAISED = {"app/prices.py": PRICED["app/prices.py"].replace("* 10", "* 12")}
EXPECTS_24 = edit("tests/test_prices.py", "price(2) == 20", "price(2) == 24")
ASKS = turn(
    EXPECTS_24,
    finish("need_decision", question="Is 12 a page right?", option_a="expect 24", option_b="keep 10 a page"),
)
KEEPS_10 = turn(edit("app/prices.py", "* 12", "* 10"), finish("done", hypothesis="the price was to stay"))
PATCH = "-    assert price(2) == 20\n+    assert price(2) == 24\n"


def stale(workspace: Workspace, **more: str) -> str:
    """Make a repository whose head means to change what a test asserts."""
    workspace.commit({**PRICED, **more})
    return workspace.commit(RAISED, "Raise the price to 12 cents a page")


def asked(workspace: Workspace, *more: str) -> str:
    """Run until the question, and return the run's id."""
    with ModelServer([ASKS]) as server:
        workspace.with_model(server.url)
        done = workspace.run(*more)
    assert done.code == 3, done.stdout + done.stderr
    return str(workspace.saved()["run_id"])


def answer(workspace: Workspace, command: str, *words: str, root: Path | None = None) -> Finished:
    """Answer in a shell."""
    paths = ["--worktree-path", str(root or workspace.root), "--state-dir", str(workspace.state)]
    return finished([*workspace.arguments()[:3], command, *words, *paths], env=workspace.environment())


def test_a_stale_test_is_a_question_whose_option_a_is_done_exactly(workspace: Workspace) -> None:
    start = stale(workspace)
    run = asked(workspace)
    assert (workspace.head, workspace.status) == (start, "")
    question = workspace.saved()["end"]["question"]
    assert (question["kind"], question["base"]) == ("stale-test", start)
    assert PATCH in question["patch"]
    assert question["verdicts"] == ["test stale: tests/test_prices.py::test_price"], question["verdicts"]
    done = answer(workspace, "decide", run, "A")
    assert done.code == 0, done.stdout + done.stderr
    assert done.line.startswith("DONE: All validation layers passed. Iterations: 1. ")
    assert workspace.subjects(start) == ["fix-loop: test clean (decision)"]
    assert git(workspace.root, "diff", "--full-index", start, "HEAD") == question["patch"].rstrip("\n")
    (record,) = workspace.records()
    assert (record["productive"], record["test_verdicts"]) == (False, question["verdicts"])
    allowed = [line for line in workspace.terminal()["evidence"] if line.startswith("but for tests/test_prices.py")]
    assert len(allowed) == 1
    again = answer(workspace, "verify", run)
    assert again.code == 0, again.stdout + again.stderr
    assert "but for what the record says was allowed: tests/test_prices.py" in again.stdout


def test_option_b_goes_on_with_the_agent_and_a_second_question_about_the_same_ends_it(workspace: Workspace) -> None:
    start = stale(workspace)
    run = asked(workspace)
    with ModelServer([ASKS]) as server:
        workspace.with_model(server.url)
        again = answer(workspace, "decide", run, "b", "the price", "stays")
    assert again.code == 4, again.stdout + again.stderr
    assert "Decided: B: keep 10 a page\\nthe price stays" in server.requests[0].text
    assert "asks again what was decided already" in again.line
    assert workspace.terminal()["state"] == "FailedBlocked"
    assert workspace.head == start
    assert answer(workspace, "decide", run, "A").code == 4  # it has ended


def test_option_b_repairs_the_code(workspace: Workspace) -> None:
    start = stale(workspace)
    run = asked(workspace, "--max-retries", "1")
    with ModelServer([KEEPS_10]) as server:
        workspace.with_model(server.url)
        done = answer(workspace, "decide", run, "B")
    assert done.code == 0, done.stdout + done.stderr
    assert workspace.subjects(start) == ["fix-loop: test clean (iteration 2)"]
    assert git(workspace.root, "diff", "--name-only", start, "HEAD") == "app/prices.py"


def test_the_base_branch_may_allow_it_and_then_only_expectations_change(workspace: Workspace) -> None:
    start = stale(workspace, **{".fixloop.yml": "tests: {allow-stale-updates: true}\n"})
    with ModelServer([ASKS]) as server:
        workspace.with_model(server.url)
        done = workspace.run("--max-retries", "1")
    assert done.code == 0, done.stdout + done.stderr
    assert workspace.subjects(start) == ["fix-loop: test clean (decision)"]
    assert any("allowed by tests.allow-stale-updates" in line for line in workspace.terminal()["evidence"])
    (record,) = workspace.records()
    assert record["test_verdicts"] == ["test stale: tests/test_prices.py::test_price"]


def test_what_is_allowed_covers_no_other_file(workspace: Workspace) -> None:
    start = stale(workspace, **{".fixloop.yml": "tests: {allow-stale-updates: true}\n"})
    cheats = edit(
        "app/prices.py", '"""Prices."""\n', '"""Prices."""\n\nimport sys\n\nCHECKED = "pytest" in sys.modules\n'
    )
    asks = turn(cheats, EXPECTS_24, finish("need_decision", question="12?", option_a="expect 24", option_b="10 a page"))
    with ModelServer([asks]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert (done.code, workspace.head) == (3, start), done.stdout + done.stderr
    assert "other files would change with it" in done.stderr


def test_a_run_is_resumed_where_it_was_left_or_not_at_all(workspace: Workspace) -> None:
    stale(workspace)
    run = asked(workspace)
    head = workspace.commit({"notes.md": "mine\n"})
    done = answer(workspace, "decide", run, "B")
    assert (done.code, workspace.head) == (4, head), done.stdout + done.stderr
    assert "or start a new run" in done.line
    assert len(list(workspace.state.glob("runs/*"))) == 1


def test_what_is_allowed_is_never_to_take_a_test_away(workspace: Workspace) -> None:
    stale(workspace, **{".fixloop.yml": "tests: {allow-stale-updates: true}\n"})
    removes = edit("tests/test_prices.py", "    assert price(2) == 20\n", "    assert price(2)\n")
    asks = turn(removes, finish("need_decision", question="12?", option_a="expect less", option_b="10"))
    with ModelServer([asks]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 3, done.stdout + done.stderr
    assert "more than a value would change" in done.stderr


def test_the_answer_may_come_on_another_machine_that_has_only_the_state_folder(
    workspace: Workspace, tmp_path: Path
) -> None:
    start = stale(workspace, **{"app/names.py": '"""Names."""\n\n\ndef full(a: str) -> str\n    return a\n'})
    mends = turn(edit("app/names.py", "-> str\n", "-> str:\n"), finish("done", hypothesis="a colon is missing"))
    with ModelServer([mends, ASKS]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 3, done.stdout + done.stderr
    run = str(workspace.saved()["run_id"])
    other = tmp_path / "another machine"
    git(tmp_path, "clone", "--quiet", "--no-local", str(workspace.root), str(other))
    git(other, "reset", "--quiet", "--hard", start)
    git(other, "reflog", "expire", "--expire=now", "--all")
    git(other, "update-ref", "-d", "refs/remotes/origin/main")
    git(other, "gc", "--quiet", "--prune=now")
    shutil.rmtree(workspace.root)
    answered = answer(workspace, "decide", run, "A", root=other)
    assert answered.code == 0, answered.stdout + answered.stderr
    subjects = git(other, "log", "--reverse", "--format=%s", f"{start}..HEAD").splitlines()
    assert subjects == ["fix-loop: compile clean (iteration 1)", "fix-loop: test clean (decision)"]


MARKED = {
    **PRICED,
    "tests/test_prices.py": "import pytest\n\n"
    + PRICED["tests/test_prices.py"].replace("def test_type", "@pytest.mark.slow\ndef test_type"),
    "pyproject.toml": '[tool.pytest.ini_options]\naddopts = "--strict-markers"\n',
}
REGISTERS = turn(
    edit("pyproject.toml", 'addopts = "--strict-markers"\n', 'addopts = "--strict-markers"\nmarkers = ["slow"]\n'),
    finish("need_decision", question="Register the mark?", option_a="register slow", option_b="leave it"),
)


def test_a_protected_file_changes_by_approval_of_exactly_the_diff_that_was_shown(workspace: Workspace) -> None:
    start = workspace.commit(MARKED)
    with ModelServer([REGISTERS]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 3, done.stdout + done.stderr
    saved = workspace.saved()
    run = str(saved["run_id"])
    assert (saved["phase"], saved["end"]["question"]["kind"]) == ("approval-wait", "approval")
    assert f"fixloop approve {run}" in done.stderr
    wrong = answer(workspace, "decide", run, "A")
    assert (wrong.code, "waits for approve or deny" in wrong.line) == (4, True)
    approved = answer(workspace, "approve", run)
    assert approved.code == 0, approved.stdout + approved.stderr
    assert git(workspace.root, "diff", "--name-only", start, "HEAD") == "pyproject.toml"


def test_a_denial_lets_the_agent_try_another_way_once(workspace: Workspace) -> None:
    start = workspace.commit(MARKED)
    with ModelServer([REGISTERS]) as server:
        workspace.with_model(server.url)
        workspace.run()
    run = str(workspace.saved()["run_id"])
    with ModelServer([REGISTERS]) as server:
        workspace.with_model(server.url)
        denied = answer(workspace, "deny", run, "no configuration, please")
    assert "Decided: denied" in server.requests[0].text
    assert "no configuration, please" in server.requests[0].text
    assert (denied.code, workspace.terminal()["state"], workspace.head) == (4, "FailedBlocked", start), denied.stderr


@pytest.mark.parametrize("command", ["stop", "resume"])
def test_a_run_that_waits_is_ended_by_stop_and_told_again_by_resume(workspace: Workspace, command: str) -> None:
    stale(workspace)
    run = asked(workspace)
    done = answer(workspace, command, run)
    if command == "resume":
        assert (done.code, done.line[:14]) == (3, "NEED_DECISION:")
        return
    assert (done.code, workspace.terminal()["state"]) == (4, "AbortedByHuman")
    assert answer(workspace, "decide", run, "A").code == 4


def test_a_running_run_is_asked_to_stop_and_goes_on_later(workspace: Workspace) -> None:
    start = stale(workspace)
    with ModelServer([SILENCE]) as server:
        workspace.with_model(server.url)
        pipes: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
        started = subprocess.Popen(workspace.arguments(), env=workspace.environment(), text=True, cwd="/", **pipes)
        with ended(started) as run:
            until(lambda: len(server.requests) == 1, run)
            told = answer(workspace, "stop")
            _stdout, stderr = run.communicate(timeout=120)
    assert (told.code, run.returncode) == (0, 130), told.stdout + told.stderr + stderr
    assert f"(process {run.pid}) to stop" in told.stdout
    assert (workspace.head, workspace.status) == (start, "")
    with ModelServer([KEEPS_10]) as server:
        workspace.with_model(server.url)
        done = answer(workspace, "resume", str(workspace.saved()["run_id"]))
    assert done.code == 0, done.stdout + done.stderr
