"""The service's database and place, opened for one of its processes."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.adapters.service_database import PATIENCE_S, Database, open_database
from fixloop_bot.adapters.store import StoreError
from fixloop_bot.adapters.worker_lock import FileLock, SessionLock, WorkerLock
from fixloop_bot.entrypoints.service_place import ServicePlace
from fixloop_bot.entrypoints.service_settings import ServiceSettings
from fixloop_bot.entrypoints.settings import SettingsError, known_secrets


@contextmanager
def opened(place: ServicePlace, settings: ServiceSettings, *, patience: float = PATIENCE_S) -> Iterator[Database]:
    """Open the database that the settings name. Raises `SettingsError` for one that cannot be used."""
    try:
        place.make()
        url = settings.database_url.get_secret_value()
        with open_database(url, place.records, SystemClock(), patience=patience) as database:
            yield database
    except StoreError as error:
        raise SettingsError(str(error)) from None


def to_lock(place: ServicePlace, database: Database) -> WorkerLock:
    """Return the kind of lock with which the workers of this database show that they live."""
    return SessionLock(database.engine) if database.shared else FileLock(place.workers)


def service_secrets(env: Mapping[str, str], settings: ServiceSettings) -> tuple[str, ...]:
    """Return what no process of the service may show."""
    url = settings.database_url.get_secret_value()
    own = (settings.webhook_secret.get_secret_value(), settings.private_key(), url, _password(url))
    return tuple(dict.fromkeys([*known_secrets(env), *(secret for secret in own if secret)]))


def _password(url: str) -> str:
    try:
        return str(make_url(url).password or "") if url else ""
    except ArgumentError:
        return ""
