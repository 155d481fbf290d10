"""What several adapters' tests share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.adapters.service_database import Database, open_database


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """Open the service's database in SQLite; the tests for PostgreSQL have another."""
    with open_database("", tmp_path, SystemClock()) as opened:
        yield opened
