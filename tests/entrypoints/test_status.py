"""`fixloop status` finds the newest run of its worktree, sees whether it runs now, and takes no lock in looking."""

import json
import sys
from dataclasses import replace

import pytest

from fixloop_bot.adapters.lock import Held, RunLock, lock_worktree
from fixloop_bot.adapters.records import FileRecords
from fixloop_bot.adapters.state_folder import open_state_folder
from fixloop_bot.adapters.store import open_store
from fixloop_bot.model.state import LoopState
from tests.e2e.workspace import Finished, Workspace, finished

OPEN = LoopState(run_id="r1", branch="main", started_at=1.7e9)


@pytest.fixture
def shop(workspace: Workspace) -> Workspace:
    """A worktree with two runs that nobody ended, and one of another worktree that is newer."""
    workspace.commit({"a.txt": ""})
    folder = open_state_folder(workspace.state)
    with open_store(folder.database) as store:
        for state, where in (
            (OPEN, workspace.root),
            (replace(OPEN, run_id="r2", started_at=1.8e9), workspace.root),
            (replace(OPEN, run_id="r3", started_at=1.9e9), workspace.folder),
        ):
            FileRecords(folder, store, worktree=str(where), redact=str).save(state)
    return workspace


def status(shop: Workspace, *more: str) -> Finished:
    place = ["--worktree-path", str(shop.root), "--state-dir", str(shop.state)]
    return finished([sys.executable, "-m", "fixloop_bot", "status", *more, *place], env=shop.environment())


def locked(shop: Workspace, run_id: str) -> RunLock:
    lock = lock_worktree(str(shop.root / ".git"), run_id=run_id, since="2026-01-01T00:00:00Z")
    assert not isinstance(lock, Held)
    return lock


def test_the_newest_run_of_this_worktree_is_told_of(shop: Workspace) -> None:
    done = status(shop)
    assert done.code == 0, done
    assert done.stdout.startswith("Run r2 on main, started 2027-01-15T08:00:00Z: UNFINISHED.")
    assert f"fixloop resume r2 --state-dir '{shop.state}' --worktree-path '{shop.root}'" in done.stdout
    assert status(shop, "r1").stdout.startswith("Run r1 ")


def test_a_run_that_runs_now_is_said_to(shop: Workspace) -> None:
    with locked(shop, "r2") as lock:
        told = json.loads(status(shop, "--json").stdout)
        assert told["process"] is not None
        assert status(shop).stdout.startswith(f"It is running now, process {told['process']}.\n")
        assert json.loads(status(shop, "r1", "--json").stdout)["process"] is None
    assert lock.run_id == "r2"


def test_looking_takes_no_lock_and_minds_no_merge(shop: Workspace) -> None:
    (shop.root / ".git/MERGE_HEAD").write_text(shop.head)
    (shop.root / ".git/index.lock").touch()
    assert status(shop).code == 0
    assert not (shop.root / ".git/fixloop.lock").exists()


def test_a_run_that_is_not_there_is_bad_usage(shop: Workspace) -> None:
    done = status(shop, "r9")
    assert (done.code, done.stdout) == (2, "")
    assert "it has 3 others: fixloop runs --state-dir" in done.stderr
