"""The database is read while others write it, and where nobody does; never made, moved or littered."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from fixloop_bot.adapters.store import open_store
from fixloop_bot.adapters.store_reader import StoreUnreadableError, read_rows, read_worktrees
from tests.adapters.test_store import ATTEMPT, ITERATION, RUN


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "state? #1" / "run-state.db"
    with open_store(path) as store:
        store.put({"runs": RUN, "fix_iterations": ITERATION, "attempts": ATTEMPT})
        store.put({"runs": {**RUN, "run_id": "r2", "worktree": "/other"}})
    return path


def test_a_run_s_rows_are_read_and_nothing_is_left(database: Path) -> None:
    before = sorted(database.parent.iterdir())
    assert read_worktrees(database) == {"r1": "/w", "r2": "/other"}
    rows = read_rows(database, "r1")
    assert rows == {"runs": (RUN,), "fix_iterations": (ITERATION,), "attempts": (ATTEMPT,)}
    assert read_rows(database, "r3") == {"runs": (), "fix_iterations": (), "attempts": ()}
    assert sorted(database.parent.iterdir()) == before


def test_what_a_writer_has_just_written_is_seen(database: Path) -> None:
    with open_store(database) as store:
        store.put({"runs": {**RUN, "run_id": "r3", "worktree": "/new"}})
        assert database.with_name("run-state.db-wal").exists()
        assert read_worktrees(database)["r3"] == "/new"


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    assert read_worktrees(tmp_path / "none.db") == {}
    with pytest.raises(StoreUnreadableError, match=r"none\.db is not there"):
        read_rows(tmp_path / "none.db", "r1")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_database_is_told_of(tmp_path: Path) -> None:
    path = tmp_path / "run-state.db"
    path.write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreUnreadableError, match="cannot be read"):
        read_rows(path, "r1")


def test_an_older_database_is_read_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "run-state.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE runs (run_id TEXT, worktree TEXT)")
        connection.execute("INSERT INTO runs VALUES ('r1', '/w')")
    assert read_worktrees(path) == {"r1": "/w"}
    with pytest.raises(StoreUnreadableError, match="fix_iterations"):
        read_rows(path, "r1")
