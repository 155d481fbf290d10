"""The service's queue and budgets in PostgreSQL: the very tests of SQLite's."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.adapters.service_database import Database, open_database
from tests.adapters.conftest import ledger  # noqa: F401 - the fixture
from tests.adapters.test_installations import *  # noqa: F403 - the tests, and their other fixtures
from tests.adapters.test_job_queue import *  # noqa: F403 - as above
from tests.adapters.test_ledger import *  # noqa: F403 - as above
from tests.adapters.test_sweep_turns import *  # noqa: F403 - as above
from tests.system.postgres import Postgres, postgres

NAMES = count()


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    with postgres() as started:
        yield started


@pytest.fixture
def database(server: Postgres, tmp_path: Path) -> Iterator[Database]:
    with open_database(server.fresh(f"queue{next(NAMES)}"), tmp_path, SystemClock()) as opened:
        assert opened.shared
        yield opened
