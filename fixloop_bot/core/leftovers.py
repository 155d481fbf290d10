"""Which untracked files count as part of the tree, and which are its environment."""

from collections import Counter
from collections.abc import Sequence

ENVIRONMENT_DIRECTORIES = frozenset(
    (".venv", "venv", "env", "node_modules", ".tox", ".nox", "vendor", "__pycache__", ".git", ".eggs")
)
"""Installed dependencies and caches: the gate needs them, whether or not git ignores them."""

AT_START_LIMIT = 1000
"""Names of untracked files that a run remembers; beyond that it remembers the folders that they are in."""

_EVERYTHING = "./"


def leftovers(untracked: Sequence[str]) -> tuple[str, ...]:
    """Return the untracked paths that could make a check pass or fail though they are in no commit."""
    return tuple(path for path in untracked if not ENVIRONMENT_DIRECTORIES.intersection(path.split("/")))


def at_start(untracked: Sequence[str]) -> tuple[str, ...]:
    """Return the leftovers to remember as the person's, at most `AT_START_LIMIT` entries, sorted.

    Where there are more, folders with `/` at their end stand for all that lies in them, those with the most files
    first; `./` stands for everything.
    """
    paths = leftovers(untracked)
    counts = Counter(path.partition("/")[0] for path in paths if "/" in path)
    folders: set[str] = set()
    left = len(paths)
    for folder, count in counts.most_common():
        if left <= AT_START_LIMIT:
            break
        folders.add(folder)
        left += 1 - count
    if left > AT_START_LIMIT:
        return (_EVERYTHING,)
    kept = (path for path in paths if "/" not in path or path.partition("/")[0] not in folders)
    return tuple(sorted([*(f"{folder}/" for folder in folders), *kept]))


def litter(untracked: Sequence[str], at_start: Sequence[str]) -> tuple[str, ...]:
    """Return the leftovers that were not there at the start: the checks made them.

    Whatever lies in a folder that `at_start` names with a `/` at its end counts as the person's.
    """
    if _EVERYTHING in at_start:
        return ()
    person = set(at_start)
    return tuple(path for path in leftovers(untracked) if path not in person and not _below(path, person))


def _below(path: str, folders: set[str]) -> bool:
    end = path.find("/")
    while end >= 0:
        if path[: end + 1] in folders:
            return True
        end = path.find("/", end + 1)
    return False
