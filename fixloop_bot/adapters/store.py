"""The SQLite database of runs and attempts.

Write-ahead logging lets readers and one writer work at once. `synchronous` is FULL: a few rows per attempt cost
milliseconds, and NORMAL may lose the last commits in a power cut, with them the account of money spent.
"""

import fcntl
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Self

_BUSY_TIMEOUT_S = 5.0

_PUT: Mapping[str, str] = {
    "runs": """INSERT OR REPLACE INTO runs VALUES (
        :run_id, :worktree, :branch, :story_id, :status, :terminal_state, :start_commit, :head, :iterations, :cost_usd,
        :started_at, :ended_at)""",
    "fix_iterations": """INSERT OR REPLACE INTO fix_iterations VALUES (
        :run_id, :story_id, :iteration, :model, :input_tokens, :output_tokens, :cache_tokens, :cost_usd, :error_hash,
        :failing_layer, :outcome, :created_at)""",
    "attempts": """INSERT OR REPLACE INTO attempts VALUES (
        :run_id, :iteration, :branch, :layer, :start_commit, :failure_mode, :hypothesis, :score_before, :score_after,
        :productive, :verdict, :commit_id, :created_at)""",
}
"""Table → statement that writes one row over the one with its key."""


_ATTEMPTS_ON = """
    WITH RECURSIVE heads (commit_id) AS (
        SELECT :head
        UNION
        SELECT runs.start_commit FROM runs JOIN heads ON runs.head = heads.commit_id WHERE runs.branch = :branch
    )
    SELECT attempts.run_id, attempts.iteration, attempts.layer, attempts.verdict, attempts.productive
    FROM attempts JOIN runs ON runs.run_id = attempts.run_id
    WHERE attempts.branch = :branch AND attempts.start_commit IN (SELECT commit_id FROM heads)
    ORDER BY runs.started_at, runs.rowid, attempts.iteration
"""


@dataclass(frozen=True, slots=True)
class EarlierAttempt:
    """A row of an attempt of an earlier run."""

    run_id: str
    iteration: int
    layer: str
    verdict: str
    productive: int
    """1 or 0."""


class StoreError(Exception):
    """A database that cannot be used: corrupt, or written by a newer fixloop; the message is for a person."""


class StoreWriteError(OSError):
    """The database cannot be written now: the disk is full or failing, or another process holds it."""


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema; `number` is what `PRAGMA user_version` says after it."""

    number: int
    sql: str


class Store:
    """An open database; close it, or use it in a `with` block."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Take over an open, migrated connection."""
        self._connection = connection

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def put(self, rows: Mapping[str, Mapping[str, object]]) -> None:
        """Write one row into each of the named tables, all or none; a row with the same key is replaced.

        Raises `StoreWriteError` when the database cannot be written (a full disk, a lock held for too long).
        """
        try:
            with transaction(self._connection):
                for table, row in rows.items():
                    self._connection.execute(_PUT[table], {name: _storable(value) for name, value in row.items()})
        except sqlite3.OperationalError as error:
            raise StoreWriteError(f"the run's database cannot be written: {error}") from error

    def unfinished_run(self, worktree: str) -> str | None:
        """Return the newest run on the worktree that has no terminal state yet (it was killed, or waits)."""
        found = self._connection.execute(
            "SELECT run_id FROM runs WHERE worktree = ? AND terminal_state IS NULL ORDER BY started_at DESC, rowid DESC"
            " LIMIT 1",
            (_storable(worktree),),
        ).fetchone()
        return str(found[0]) if found else None

    def attempts_on(self, branch: str, head: str) -> tuple[EarlierAttempt, ...]:
        """Return the attempts of all runs of the branch that came to `head` from the same commit of a person.

        A run that began at a commit and ended at another joins the two; a person's commit is where no run has ended.
        Oldest first.
        """
        found = self._connection.execute(_ATTEMPTS_ON, {"branch": _storable(branch), "head": _storable(head)})
        return tuple(EarlierAttempt(*row) for row in found.fetchall())


def open_store(path: Path) -> Store:
    """Open the database, made or brought to the newest schema as needed; several processes may do so at once.

    Raises `StoreError` for a corrupt database or one of a newer version, which are left as they are.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _opening(path):
        connection = sqlite3.connect(path, timeout=_BUSY_TIMEOUT_S, isolation_level=None)
        try:
            _prepare(connection, path)
        except sqlite3.OperationalError as error:
            connection.close()
            raise StoreWriteError(f"the run's database cannot be written: {error}") from error
        except BaseException:
            connection.close()
            raise
    return Store(connection)


def migrations() -> tuple[Migration, ...]:
    """Return the steps of the schema in order, from `migrations/NNNN_name.sql`."""
    folder = resources.files("fixloop_bot.adapters") / "migrations"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name)
    return tuple(Migration(int(file.name[:4]), file.read_text(encoding="utf-8")) for file in files)


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Hold the write lock from the start, so that what is read inside stays true; roll back on any error."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    try:
        problem = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if problem != "ok":
            raise StoreError(f"The database {path} is corrupt ({problem}). Move it away to start anew.")
        for setting in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {setting}")
        _migrate(connection, path)
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as error:
        raise StoreError(f"The database {path} is corrupt ({error}). Move it away to start anew.") from error


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    steps = migrations()
    newest = steps[-1].number
    with transaction(connection):
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
        if version > newest:
            raise StoreError(
                f"The database {path} has schema {version}, written by a newer fixloop; this one knows {newest}."
            )
        for step in steps:
            if step.number > version:
                for statement in _statements(step.sql):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {step.number:d}")


def _statements(sql: str) -> Iterator[str]:
    """Yield the statements of a script one by one: `executescript` would commit the transaction around it."""
    pending = ""
    for line in sql.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            yield pending
            pending = ""


@contextmanager
def _opening(path: Path) -> Iterator[None]:
    """Let one process at a time open: the change to write-ahead logging does not wait for a busy database."""
    with path.with_name(f"{path.name}.opening").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _storable(value: object) -> object:
    """Return text as SQLite takes it: bytes of a file name that are no UTF-8 become visible escapes."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value
