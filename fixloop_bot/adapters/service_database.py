"""The bot service's database: SQLite in the state folder, or PostgreSQL; the same statements on both."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from importlib import resources
from pathlib import Path
from threading import Lock
from typing import Final, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from tenacity import Retrying, retry_if_exception, stop_after_delay, wait_random_exponential

from fixloop_bot.adapters.store import StoreError, open_store
from fixloop_bot.ports import Clock

PATIENCE_S: Final = 300.0
"""How long a database that is away is waited for, where nobody waits for the answer."""

_LOCK: Final = 0x66697870
"""The advisory lock that a writing transaction holds in PostgreSQL: any number that nobody else uses."""

_TYPES: Final = {
    "sqlite": {"{number}": "INTEGER PRIMARY KEY", "{bytes}": "BLOB"},
    "postgresql": {"{number}": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "{bytes}": "BYTEA"},
}
_CLOCK: Final = text("SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) AS DOUBLE PRECISION)")

AWAY: Final = (DBAPIError, PoolTimeoutError)
"""What is raised where the database does not answer in time, or refuses."""

_COMES_BACK: Final = ("25006", "25P03", "57P01", "57P02", "57P03")
"""PostgreSQL's codes for a server that is about to change its place: read-only, cut off, shutting down, starting."""

_POSTGRES: Final = {
    "application_name": "fixloop",
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
    "options": "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3"
    " -c idle_in_transaction_session_timeout=15000 -c lock_timeout=20000",
}
"""Both sides find out in seconds that the other's machine is gone: its locks keep all others waiting."""

T = TypeVar("T")


class Database:
    """An open, migrated database; any thread may use it."""

    def __init__(self, engine: Engine, clock: Clock, path: Path | None) -> None:
        """Take over an engine; `path` is SQLite's file."""
        self.engine = engine
        self.path = path
        self.clock = clock
        self._turn = Lock() if path else nullcontext()
        """SQLite lets writers that wait sleep longer and longer; of one process they queue here instead."""

    @property
    def shared(self) -> bool:
        """Return whether workers on other machines may use it."""
        return self.path is None

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Hold the service's one write lock, so that what is read inside stays true; roll back on any error."""
        with self._turn, self.engine.begin() as connection:
            if self.shared:
                connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
            yield connection

    def write(self, work: Callable[[Connection], T], *, patience: float = PATIENCE_S) -> T:
        """Do `work` in a transaction, again where the database goes away meanwhile; it may then have happened already.

        Raises `OperationalError` or `InterfaceError` after `patience` seconds.
        """
        for attempt in _retrying(patience):
            with attempt, self.transaction() as connection:
                return work(connection)
        raise AssertionError("tenacity returns or raises")

    def read(self, work: Callable[[Connection], T], *, patience: float = PATIENCE_S) -> T:
        """Do `work`, which only reads and waits for no lock; raises as `write` does."""
        for attempt in _retrying(patience):
            with attempt, self.engine.connect().execution_options(reading=True) as connection:
                return work(connection)
        raise AssertionError("tenacity returns or raises")

    def now(self, connection: Connection) -> float:
        """Return seconds since the epoch by the clock that all workers share."""
        return float(connection.execute(_CLOCK).scalar_one()) if self.shared else self.clock.now()


def _retrying(patience: float) -> Retrying:
    return Retrying(
        retry=retry_if_exception(_may_come_back),
        wait=wait_random_exponential(multiplier=0.1, max=2),
        stop=stop_after_delay(patience),
        reraise=True,
    )


def _may_come_back(error: BaseException) -> bool:
    if isinstance(error, OperationalError | InterfaceError | PoolTimeoutError):
        return True
    if not isinstance(error, DBAPIError):
        return False
    return error.connection_invalidated or getattr(error.orig, "sqlstate", "") in _COMES_BACK


@contextmanager
def open_database(url: str, folder: Path, clock: Clock, *, patience: float = PATIENCE_S) -> Iterator[Database]:
    """Open the database of `url`, for an empty one that of the state folder, brought to the newest schema.

    Raises `StoreError` for one that cannot be used; its message holds no password.
    """
    if not url:
        open_store(folder / "run-state.db").close()
    engine, path = _engine(url, folder)
    database = Database(engine, clock, path)
    try:
        database.write(_migrate, patience=patience)
        yield database
    except (OperationalError, InterfaceError) as error:
        raise StoreError(f"the service's database cannot be used: {_reason(error)}") from None
    finally:
        engine.dispose()


def _engine(url: str, folder: Path) -> tuple[Engine, Path | None]:
    if not url:
        path = folder / "run-state.db"
        engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": 10.0})
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine, path
    try:
        parts = make_url(url)
    except ArgumentError:
        raise StoreError("FIXLOOP_DATABASE_URL is no address of a database") from None
    if parts.get_backend_name() != "postgresql":
        raise StoreError("FIXLOOP_DATABASE_URL must begin with postgresql://, or be empty for SQLite")
    parts = parts.set(drivername="postgresql+psycopg")
    pool = {"pool_pre_ping": True, "pool_size": 5, "max_overflow": 10, "pool_timeout": 5}
    return create_engine(parts, connect_args=_POSTGRES, **pool), None


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # transactions begin where SQLAlchemy says so
    for setting in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {setting}")


def _begin_sqlite(connection: Connection) -> None:
    reading = connection.get_execution_options().get("reading")
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")


def _migrate(connection: Connection) -> None:
    connection.execute(text("CREATE TABLE IF NOT EXISTS service_schema (version INTEGER NOT NULL)"))
    version = int(connection.execute(text("SELECT COALESCE(MAX(version), 0) FROM service_schema")).scalar_one())
    steps = service_migrations(connection.dialect.name)
    if version > len(steps):
        raise StoreError(
            f"The service's database has schema {version}, of a newer fixloop; this one knows {len(steps)}."
        )
    for number, statements in enumerate(steps[version:], version + 1):
        for statement in statements:
            connection.exec_driver_sql(statement)
        connection.execute(text("INSERT INTO service_schema VALUES (:version)"), {"version": number})


def service_migrations(dialect: str) -> tuple[tuple[str, ...], ...]:
    """Return the statements of each step of the schema, from `migrations/service/NNNN_name.sql`."""
    folder = resources.files("fixloop_bot.adapters") / "migrations" / "service"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name)
    return tuple(_statements(file.read_text(encoding="utf-8"), dialect) for file in files)


def _statements(script: str, dialect: str) -> tuple[str, ...]:
    for word, meaning in _TYPES[dialect].items():
        script = script.replace(word, meaning)
    lines = [line for line in script.splitlines() if not line.startswith("--")]
    return tuple(one.strip() for one in "\n".join(lines).split(";") if one.strip())


def _reason(error: DBAPIError) -> str:
    """Return what the driver said, without the statement and its values."""
    return str(error.orig).strip().splitlines()[0][:300] if str(error.orig).strip() else type(error.orig).__name__
