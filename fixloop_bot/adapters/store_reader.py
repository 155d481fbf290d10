"""The database, only read: nothing is made, moved to a newer schema, or left beside it."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

_TABLES = ("runs", "fix_iterations", "attempts")

Row = Mapping[str, object]


class StoreUnreadableError(Exception):
    """The database is not there or cannot be read; the message is for a person."""


def read_worktrees(path: Path) -> Mapping[str, str]:
    """Return run → folder of its worktree; empty where the database does not tell."""
    try:
        with closing(_connect(path)) as connection:
            return {str(run): str(where) for run, where in connection.execute("SELECT run_id, worktree FROM runs")}
    except (StoreUnreadableError, sqlite3.Error):
        return {}


def read_rows(path: Path, run_id: str) -> Mapping[str, tuple[Row, ...]]:
    """Return table → the run's rows, by iteration. Raises `StoreUnreadableError`."""
    try:
        with closing(_connect(path)) as connection:
            connection.row_factory = sqlite3.Row
            return {table: _rows(connection, table, run_id) for table in _TABLES}
    except sqlite3.Error as error:
        raise StoreUnreadableError(f"{path.name} cannot be read: {error}") from error


def _rows(connection: sqlite3.Connection, table: str, run_id: str) -> tuple[Row, ...]:
    order = "rowid" if table == "runs" else "iteration"
    found = connection.execute(f"SELECT * FROM {table} WHERE run_id = ? ORDER BY {order}", (run_id,))  # noqa: S608 - names of ours
    return tuple(dict(row) for row in found)


def _connect(path: Path) -> sqlite3.Connection:
    """Open for reading. Without a log beside it nobody writes, and SQLite need not make files to share (URI filenames).

    Raises `StoreUnreadableError` for a file that is not there, as SQLite would make it in other modes.
    """
    if not path.is_file():
        raise StoreUnreadableError(f"{path.name} is not there")
    mode = "mode=ro" if path.with_name(f"{path.name}-wal").exists() else "immutable=1"
    return sqlite3.connect(f"file:{quote(str(path))}?{mode}", uri=True, timeout=5.0)
