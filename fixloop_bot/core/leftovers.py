"""Which untracked files count as part of the tree, and which are its environment."""

from collections.abc import Sequence

ENVIRONMENT_DIRECTORIES = frozenset(
    (".venv", "venv", "env", "node_modules", ".tox", ".nox", "vendor", "__pycache__", ".git", ".eggs")
)
"""Installed dependencies and caches: the gate needs them, whether or not git ignores them."""


def leftovers(untracked: Sequence[str]) -> tuple[str, ...]:
    """Return the untracked paths that could make a check pass or fail though they are in no commit."""
    return tuple(path for path in untracked if not ENVIRONMENT_DIRECTORIES.intersection(path.split("/")))


def litter(untracked: Sequence[str], at_start: Sequence[str]) -> tuple[str, ...]:
    """Return the leftovers that were not there at the start: the checks made them."""
    person = set(at_start)
    return tuple(path for path in leftovers(untracked) if path not in person)
