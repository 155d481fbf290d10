"""Fixtures of the GitHub adapter's tests."""

from collections.abc import Iterator

import pytest

from fixloop_bot.ports.forge import Forge
from tests.adapters.github.scene import Scene, scene


@pytest.fixture
def stage() -> Iterator[Scene]:
    """A GitHub with a pull request."""
    with scene() as made:
        yield made


@pytest.fixture
def forge(stage: Scene) -> Iterator[Forge]:
    """fixloop's door with GITHUB_TOKEN."""
    with stage.forge() as made:
        yield made
