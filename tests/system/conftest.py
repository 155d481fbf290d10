"""Everything here needs more of the machine than Python, git and Node, or more time than a unit of work."""

from pathlib import Path

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what lies in this folder, so that `make test` leaves it to `make test-system`."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.system)
