"""Fixtures of the stories."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.github_stage import GREEN, Hub
from tests.fakes.github import FakeGitHub


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    """GitHub with one repository and three people."""
    with FakeGitHub() as github:
        yield open_hub(github, tmp_path)


def open_hub(github: FakeGitHub, folder: Path) -> Hub:
    """Return a shop whose checks pass, with Pat who may write and Rita who may read."""
    github.user("pat", permission="write")
    github.user("rita", permission="read")
    return Hub(github, github.repository("octo/shop", files=GREEN), folder)
