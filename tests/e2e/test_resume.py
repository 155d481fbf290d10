"""A run that is killed goes on: nothing is paid twice, nothing is lost."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.e2e.workspace import FAULTY_LINE, OFF_BY_ONE, RIGHT_LINE, Workspace, git
from tests.fakes.model_server import Fault, ModelServer, edit, finish, read, turn

REPAIR = turn(edit("app/pages.py", FAULTY_LINE, RIGHT_LINE), finish("done", hypothesis="off by one"))
TWO_FAULTS = {
    **OFF_BY_ONE,
    "app/sums.py": '"""Sums."""\n\n\ndef add(a: int, b: int) -> int:\n    """Return the sum."""\n    return a - b\n',
    "tests/test_sums.py": "from app.sums import add\n\n\ndef test_add() -> None:\n    assert add(2, 2) == 4\n",
}
SUM_REPAIR = turn(edit("app/sums.py", "    return a - b\n", "    return a + b\n"), finish("done", hypothesis="a sign"))
SILENCE = Fault(kind="silence")


def kill_when(workspace: Workspace, condition: Callable[[], bool]) -> None:
    """Start the run, and kill it without warning as soon as the condition holds."""
    process = subprocess.Popen(
        workspace.arguments(),
        env=workspace.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd="/",
    )
    descendants: list[psutil.Process] = []
    deadline = time.monotonic() + 120
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline, "the moment never came"
        time.sleep(0.02)
    descendants = psutil.Process(process.pid).children(recursive=True)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    _gone, alive = psutil.wait_procs(descendants, timeout=20)
    assert not alive, "processes of the killed run live on"


def phase(workspace: Workspace) -> tuple[str, int]:
    """Return the phase of the saved state and its finished attempts."""
    saved = list(workspace.state.glob("runs/*/state.json"))
    if not saved:
        return "", 0
    state: dict[str, Any] = json.loads(saved[0].read_text())
    return str(state["phase"]), len(state["attempts"])


def receipts(workspace: Workspace) -> list[dict[str, Any]]:
    (path,) = workspace.state.glob("receipts/*.jsonl")
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_killed_in_the_second_attempt_it_goes_on_from_the_first(workspace: Workspace) -> None:
    start = workspace.commit(TWO_FAULTS)
    with ModelServer([REPAIR, SILENCE]) as server:
        workspace.with_model(server.url)
        kill_when(workspace, lambda: len(server.requests) == 2 and phase(workspace) == ("fix", 1))
    with ModelServer([SUM_REPAIR]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 0, done.stdout + done.stderr
    assert "Iterations: 2." in done.line
    assert len(server.requests) == 1
    assert workspace.subjects(start) == ["fix-loop: test clean (iteration 2)"]
    assert git(workspace.root, "diff", "--name-only", start).split() == ["app/pages.py", "app/sums.py"]
    paid = [receipt["key"] for receipt in receipts(workspace) if receipt["outcome"] == "ok"]
    assert sorted(paid) == sorted(set(paid)) == ["1.1", "2.1"]
    assert [row["iteration"] for row in workspace.rows("select * from fix_iterations order by iteration")] == [1, 2]
    assert workspace.status == ""


def test_killed_between_two_calls_the_first_is_answered_from_the_journal(workspace: Workspace) -> None:
    start = workspace.commit(OFF_BY_ONE)
    with ModelServer([turn(read("app/pages.py")), SILENCE]) as server:
        workspace.with_model(server.url)
        kill_when(workspace, lambda: len(server.requests) == 2)
    with ModelServer([REPAIR]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 0, done.stdout + done.stderr
    assert len(server.requests) == 1
    assert "tool_result" in server.requests[0].text
    assert workspace.subjects(start) == ["fix-loop: test clean (iteration 1)"]
    (record,) = workspace.records()
    ok = [receipt for receipt in receipts(workspace) if receipt["outcome"] == "ok"]
    assert record["cost_usd"] == pytest.approx(sum(receipt["cost_usd"] for receipt in ok))


def test_killed_while_verifying_it_pays_nothing_again(workspace: Workspace) -> None:
    slow = "import os, pathlib, time\n\n\ndef test_slow() -> None:\n    time.sleep(float(os.environ['SLOW']))\n"
    config = "version: 1\nlayers:\n  test: {run: ['python -m pytest'], env: {SLOW: '0.2'}}\n"
    start = workspace.commit({**OFF_BY_ONE, "tests/test_slow.py": slow, ".fixloop.yml": config})
    with ModelServer([REPAIR]) as server:
        workspace.with_model(server.url)
        kill_when(workspace, lambda: phase(workspace)[0] == "verify")
    with ModelServer([]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 0, done.stdout + done.stderr
    assert server.requests == []
    assert workspace.subjects(start) == ["fix-loop: test clean (iteration 1)"]


def test_what_a_killed_attempt_had_written_is_salvaged(workspace: Workspace) -> None:
    workspace.commit(OFF_BY_ONE)
    half = turn(edit("app/pages.py", FAULTY_LINE, "    return pages[len(pages) - 3]\n"))
    with ModelServer([half, SILENCE]) as server:
        workspace.with_model(server.url)
        kill_when(workspace, lambda: len(server.requests) == 2)
    assert "- 3" in (workspace.root / "app/pages.py").read_text()
    with ModelServer([turn(finish("blocked", reason="I cannot"))]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.code == 4
    assert workspace.status == ""
    patches = [path.read_text() for path in workspace.state.glob("salvage/*/change.patch")]
    assert any("len(pages) - 3" in patch for patch in patches)


def test_a_person_who_commits_after_the_kill_gets_a_new_run(workspace: Workspace) -> None:
    workspace.commit(OFF_BY_ONE)
    with ModelServer([SILENCE]) as server:
        workspace.with_model(server.url)
        kill_when(workspace, lambda: len(server.requests) == 1)
    theirs = workspace.commit({"app/pages.py": OFF_BY_ONE["app/pages.py"].replace(FAULTY_LINE, RIGHT_LINE)})
    with ModelServer([]) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert (done.code, workspace.head) == (0, theirs)
    assert "Iterations: 0." in done.line
    ends = sorted(json.loads(path.read_text())["state"] for path in workspace.state.glob("runs/*/terminal.json"))
    assert ends == ["AbortedByHuman", "Succeeded"]


def test_two_runs_on_one_worktree_exclude_each_other(workspace: Workspace, tmp_path: Path) -> None:
    workspace.commit(OFF_BY_ONE)
    with ModelServer([SILENCE]) as server:
        workspace.with_model(server.url)
        first = subprocess.Popen(
            workspace.arguments(), env=workspace.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd="/"
        )
        try:
            while not server.requests:
                assert first.poll() is None
                time.sleep(0.02)
            second = workspace.run("--state-dir", str(tmp_path / "elsewhere"))
        finally:
            first.send_signal(signal.SIGTERM)
            first.communicate(timeout=60)
    assert second.code == 4
    assert second.line.startswith("BLOCKED: Another fixloop run holds this worktree")
    assert first.returncode == 130
    assert workspace.status == ""
