"""What Maven and Gradle projects have in common: their wrappers and the layout of their sources."""

import re
from collections.abc import Iterable

from fixloop_bot.checks.ecosystems.snapshot import Snapshot, ancestors, join

SOURCES = (".java", ".kt", ".scala", ".groovy")
_TESTS = re.compile(r"(?:^|/)src/(?:\w{0,40}[tT]est\w{0,40}|it)/")


def wrapper(snapshot: Snapshot, path: str, script: str, properties: str) -> str:
    """Return how a project calls the wrapper in its folder or the nearest around it; empty where there is none."""
    for up, around in enumerate((path, *ancestors(path))):
        if snapshot.has(join(around, script)) and snapshot.has(join(around, properties)):
            return f"{'../' * up or './'}{script}"
    return ""


def has_sources(files: Iterable[str]) -> bool:
    """Return whether there is anything to compile."""
    return any(path.endswith(SOURCES) for path in files)


def has_tests(files: Iterable[str]) -> bool:
    """Return whether a source lies among the tests."""
    return any(path.endswith(SOURCES) and _TESTS.search(path) for path in files)
