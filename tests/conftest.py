"""The fixture that every story begins with."""

from pathlib import Path

import pytest

from tests.e2e.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """An empty workspace in a folder whose name has a space."""
    folder = tmp_path / "a folder"
    folder.mkdir()
    return Workspace(folder)
