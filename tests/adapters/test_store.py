"""The database: made once by many, moved up, refused when newer or corrupt, and honest about costs."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from fixloop_bot.adapters.store import StoreError, migrations, open_store

RUN: dict[str, object] = {
    "run_id": "r1", "worktree": "/w", "branch": "main", "story_id": "S-1", "status": "RUNNING", "terminal_state": None,
    "start_commit": "c0", "head": "c0", "iterations": 0, "cost_usd": 0.0, "started_at": "2026-01-01T00:00:00Z",
    "ended_at": None,
}  # fmt: skip
ITERATION: dict[str, object] = {
    "run_id": "r1", "story_id": "S-1", "iteration": 1, "model": "sonnet", "input_tokens": 100, "output_tokens": 20,
    "cache_tokens": 7, "cost_usd": 0.04, "error_hash": "ab", "failing_layer": "test", "outcome": "done",
    "created_at": "2026-01-01T00:00:00Z",
}  # fmt: skip
ATTEMPT: dict[str, object] = {
    "run_id": "r1", "iteration": 1, "branch": "main", "layer": "test", "start_commit": "c0", "failure_mode": "x",
    "hypothesis": "h", "score_before": 0.5, "score_after": 1.0, "productive": 1, "verdict": "clean", "commit_id": "c1",
    "created_at": "2026-01-01T00:00:00Z",
}  # fmt: skip


def rows(path: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "state dir" / "run-state.db"


def test_the_columns_are_the_published_ones(database: Path) -> None:
    open_store(database).close()
    columns = [(name, rank) for _, name, _, _, _, rank in rows(database, "PRAGMA table_info(fix_iterations)")]
    assert [name for name, _ in columns] == [
        "run_id", "story_id", "iteration", "model", "input_tokens", "output_tokens", "cache_tokens", "cost_usd",
        "error_hash", "failing_layer", "outcome", "created_at",
    ]  # fmt: skip
    assert [name for name, rank in columns if rank] == ["run_id", "iteration"]
    assert rows(database, "PRAGMA journal_mode") == [("wal",)]


def test_costs_sum_by_story_and_an_unknown_cost_is_not_nothing(database: Path) -> None:
    with open_store(database) as store:
        for run, number, cost in (("r1", 1, 0.04), ("r1", 2, None), ("r2", 1, 0.06)):
            row = {**ITERATION, "run_id": run, "iteration": number, "cost_usd": cost}
            store.put({"runs": {**RUN, "run_id": run}, "fix_iterations": row})
    assert rows(database, "SELECT * FROM story_costs") == [("S-1", 2, 3, 300, 60, 21, 0.1, 1)]


def test_writing_a_row_again_leaves_one(database: Path) -> None:
    with open_store(database) as store:
        for outcome in ("failed", "done", "done"):
            store.put({"runs": RUN, "fix_iterations": {**ITERATION, "outcome": outcome}, "attempts": ATTEMPT})
    assert rows(database, "SELECT outcome FROM fix_iterations") == [("done",)]


def test_all_rows_or_none(database: Path) -> None:
    with open_store(database) as store, pytest.raises(sqlite3.IntegrityError):
        store.put({"runs": RUN, "fix_iterations": {**ITERATION, "outcome": "splendid"}})
    assert rows(database, "SELECT * FROM runs") == []


def test_an_attempt_needs_its_run(database: Path) -> None:
    with open_store(database) as store, pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
        store.put({"attempts": ATTEMPT})


def test_the_unfinished_run_of_a_worktree_is_the_newest_without_an_end(database: Path) -> None:
    with open_store(database) as store:
        assert store.unfinished_run("/w") is None
        for number, end in ((1, None), (2, None), (3, "Succeeded")):
            started = f"2026-01-0{number}T00:00:00Z"
            store.put({"runs": {**RUN, "run_id": f"r{number}", "terminal_state": end, "started_at": started}})
        store.put({"runs": {**RUN, "run_id": "elsewhere", "worktree": "/other", "started_at": "2026-09-01T00:00:00Z"}})
        assert store.unfinished_run("/w") == "r2"


@pytest.mark.parametrize(
    ("branch", "head", "runs"),
    [
        pytest.param("main", "c0", ["r1", "r2"], id="runs that began at this commit"),
        pytest.param("main", "f1", ["r1", "r2", "r3"], id="and at a commit that one of them made"),
        pytest.param("main", "f2", ["r1", "r2", "r3"], id="and at what was made on top of that"),
        pytest.param("main", "p1", [], id="a person's commit is a new target"),
        pytest.param("other", "c0", [], id="another branch is another target"),
    ],
)
def test_attempts_on_a_target_are_those_since_a_person_s_commit(
    database: Path, branch: str, head: str, runs: list[str]
) -> None:
    with open_store(database) as store:
        for run, began, ended in (("r1", "c0", "c0"), ("r2", "c0", "f1"), ("r3", "f1", "f2"), ("r4", "p9", "p9")):
            run_row = {**RUN, "run_id": run, "start_commit": began, "head": ended, "started_at": f"2026-01-0{run[1]}"}
            store.put({"runs": run_row, "attempts": {**ATTEMPT, "run_id": run, "start_commit": began}})
        assert [attempt.run_id for attempt in store.attempts_on(branch, head)] == runs


def test_a_name_that_is_no_utf8_is_kept_visibly(database: Path) -> None:
    with open_store(database) as store:
        store.put({"runs": {**RUN, "worktree": "/w\udce9"}})
        assert store.unfinished_run("/w\udce9") == "r1"


def test_a_newer_database_is_refused_and_left_alone(database: Path) -> None:
    open_store(database).close()
    newer = migrations()[-1].number + 1
    rows(database, f"PRAGMA user_version = {newer}")
    with pytest.raises(StoreError, match=f"schema {newer}, written by a newer fixloop"):
        open_store(database)
    assert rows(database, "PRAGMA user_version") == [(newer,)]


def damaged(content: bytes) -> bytes:
    return content[:4096] + b"\xa5" * (len(content) - 4096)


@pytest.mark.parametrize("damage", [lambda _: b"no database at all" * 100, damaged, lambda c: c[:5000]])
def test_a_corrupt_database_is_refused_and_left_alone(database: Path, damage: "type[bytes]") -> None:
    with open_store(database) as store:
        store.put({"runs": RUN})
    broken = damage(database.read_bytes())
    database.write_bytes(broken)
    with pytest.raises(StoreError, match="is corrupt"):
        open_store(database)
    assert database.read_bytes() == broken


def test_many_processes_may_open_it_first_and_write_at_once(database: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from fixloop_bot.adapters.store import open_store\n"
        "from tests.adapters.test_store import RUN\n"
        "with open_store(Path(sys.argv[1])) as store:\n"
        "    for n in range(20): store.put({'runs': {**RUN, 'run_id': f'{sys.argv[2]}-{n}'}})"
    )
    root = Path(__file__).parents[2]
    running = [subprocess.Popen([sys.executable, "-c", script, str(database), name], cwd=root) for name in "abcd"]
    assert [process.wait() for process in running] == [0, 0, 0, 0]
    assert rows(database, "SELECT COUNT(*) FROM runs") == [(80,)]


def test_a_migration_that_was_cut_off_is_done_again(database: Path) -> None:
    database.parent.mkdir()
    script = (
        "import os, sqlite3, sys; from fixloop_bot.adapters.store import migrations, transaction\n"
        "connection = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "with transaction(connection):\n"
        "    connection.execute('CREATE TABLE runs (x)')\n"
        "    os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", script, str(database)], check=False).returncode == 9
    with open_store(database) as store:
        store.put({"runs": RUN})
        assert store.unfinished_run("/w") == "r1"
