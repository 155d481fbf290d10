"""The fixture that every story begins with."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from tests.e2e.workspace import Workspace

# As in an activated environment: a version manager's wrappers would take a second of every command.
os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"

# No test measures time: a busy machine would fail an example that is none.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """An empty workspace in a folder whose name has a space."""
    folder = tmp_path / "a folder"
    folder.mkdir()
    return Workspace(folder)
