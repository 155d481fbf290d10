"""A state folder on a disk that is full, for real: one honest line, the worktree as it was. Needs root to mount."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.workspace import FAULTY_LINE, OFF_BY_ONE, RIGHT_LINE, Workspace
from tests.fakes.model_server import ModelServer, edit, finish, turn

REPAIR = turn(edit("app/pages.py", FAULTY_LINE, RIGHT_LINE), finish("done"))


@pytest.fixture
def small_disk(workspace: Workspace) -> Iterator[Path]:
    """The state folder as a file system of its own."""
    workspace.state.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(workspace.state)], check=True)
    try:
        yield workspace.state
    finally:
        subprocess.run(["umount", str(workspace.state)], check=True)


@pytest.mark.parametrize("free_kb", [0, 1000, 2100, 2200, 2300, 2400, 2500, 2600])
def test_wherever_the_disk_fills_up_the_end_is_honest(workspace: Workspace, small_disk: Path, free_kb: int) -> None:
    start = workspace.commit(OFF_BY_ONE)
    (small_disk / "ballast").write_bytes(b"x" * 1024 * (6 * 1024 - free_kb))
    with ModelServer([REPAIR] * 3) as server:
        workspace.with_model(server.url)
        done = workspace.run()
    assert done.line.startswith(("BLOCKED: ", "DONE: ")), done.stderr
    assert done.code == (0 if done.line.startswith("DONE") else 4), done.stderr
    assert "Traceback" not in done.stderr
    assert workspace.status == ""
    if done.code == 4:
        assert any(word in done.line for word in ("No space left", "disk is full", "disk I/O error"))
        assert workspace.subjects(start) in ([], ["fix-loop: test clean (iteration 1)"]), "as it was, or better"
