"""Everything here needs more of the machine than Python, git and Node, or more time than a unit of work."""

from pathlib import Path

import pytest

LONGEST = ("test_kills_postgres.py", "test_kills_sqlite.py", "test_image.py", "test_fresh_clone.py")
"""They begin first, so that nothing waits for them in the end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what lies in this folder, so that `make test` leaves it to `make test-system`; the longest files first."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.system)
    items.sort(key=lambda item: LONGEST.index(item.path.name) if item.path.name in LONGEST else len(LONGEST))
