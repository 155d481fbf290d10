"""What is published: the Action, the image's recipe, the workflows."""

from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
ACTIONS = ("action.yml", "host/action.yml")
WORKFLOWS = tuple(str(path.relative_to(ROOT)) for path in sorted((ROOT / ".github/workflows").glob("*.yml")))


def read(name: str) -> str:
    """Return a file of the repository."""
    return (ROOT / name).read_text(encoding="utf-8")


def load(name: str) -> Any:
    """Return a YAML file's content; `on:` is read as GitHub reads it, not as a truth value."""
    return yaml.load(read(name), Loader=_AsGitHub)


class _AsGitHub(yaml.SafeLoader):
    """Safe, and with `true` and `false` as the only truth values (YAML 1.2)."""


_AsGitHub.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool" or first in "tTfF"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
