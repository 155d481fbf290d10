"""A repository's files as detection sees them, and which folders are projects of their own."""

import json
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

FOREIGN = (
    ".git", ".hg", ".nox", ".tox", ".venv", ".yarn", "__fixtures__", "__pycache__", "fixtures", "node_modules",
    "site-packages", "test-data", "test_data", "testdata", "third_party", "vendor", "venv",
)  # fmt: skip
"""Folders whose files are not the project's own code, or are broken on purpose."""

NO_PROJECTS = frozenset({"__tests__", "demo", "demos", "example", "examples", "samples", "templates", "test", "tests"})
"""Folders where a manifest belongs to somebody's illustration, not to a project to validate."""

MAX_TABLE = 2_000_000


@dataclass(frozen=True)
class Snapshot:
    """`files` are the tracked and the untracked, unignored paths, POSIX, relative to the worktree."""

    files: Sequence[str]
    read: Callable[[str], str | None]
    """Text of a file, None if there is none to be read."""

    @cached_property
    def own(self) -> tuple[str, ...]:
        """Return the files outside of foreign folders, sorted."""
        foreign = frozenset(FOREIGN)
        by_folder = {around: foreign.isdisjoint(around.split("/")) for around in set(map(folder, self.files))}
        return tuple(sorted(path for path in self.files if by_folder[folder(path)]))

    @cached_property
    def folders(self) -> Mapping[str, frozenset[str]]:
        """Return the folders that hold an own file of each name: ten ecosystems look for theirs."""
        found: dict[str, set[str]] = {}
        for path in self.own:
            around, _, name = path.rpartition("/")
            found.setdefault(name, set()).add(around or ".")
        return {name: frozenset(folders) for name, folders in found.items()}

    @cached_property
    def _own_set(self) -> frozenset[str]:
        return frozenset(self.own)

    def has(self, path: str) -> bool:
        """Return whether the path is one of the project's own files."""
        return path in self._own_set

    def text(self, path: str) -> str:
        """Return the text of a file of the repository's own, empty if there is none."""
        return (self.read(path) or "") if self.has(path) else ""

    def toml(self, path: str) -> Mapping[str, object]:
        """Return a TOML file's table, empty for none or a broken one."""
        try:
            return tomllib.loads(self.text(path)[:MAX_TABLE])
        except (tomllib.TOMLDecodeError, RecursionError):
            return {}

    def json(self, path: str) -> Mapping[str, object]:
        """Return a JSON file's object, empty for none or a broken one."""
        try:
            found = json.loads(self.text(path)[:MAX_TABLE])
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def sections(self, path: str) -> frozenset[str]:
        """Return the section names of an INI file."""
        lines = (line.strip() for line in self.text(path).splitlines())
        return frozenset(line[1:-1].strip() for line in lines if line.startswith("[") and line.endswith("]"))


def table(value: object, *keys: str) -> Mapping[str, object]:
    """Return the table under a path of keys, empty where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def folder(path: str) -> str:
    """Return the folder of a file, `.` for the top."""
    return path.rpartition("/")[0] or "."


def join(project: str, name: str) -> str:
    """Return the worktree's path of a project's file."""
    return name if project == "." else f"{project}/{name}"


def project_folders(snapshot: Snapshot, manifests: Iterable[str]) -> tuple[str, ...]:
    """Return the folders that hold one of the manifests, outermost first."""
    found = {place for name in manifests for place in snapshot.folders.get(name, ())}
    return tuple(sorted((f for f in found if not NO_PROJECTS & set(f.split("/"))), key=lambda f: (f.count("/"), f)))


def by_project(paths: Iterable[str], projects: Sequence[str]) -> dict[str, list[str]]:
    """Return each project's own files, relative to it: a file belongs to the innermost project around it."""
    found: dict[str, list[str]] = {project: [] for project in projects}
    owners: dict[str, str | None] = {}  # most files share their folder with others
    for path in paths if found else ():
        around = folder(path)
        if around not in owners:
            owners[around] = next((f for f in _upwards(path) if f in found), None)
        owner = owners[around]
        if owner is not None:
            found[owner].append(path if owner == "." else path[len(owner) + 1 :])
    return found


def ancestors(project: str) -> tuple[str, ...]:
    """Return the folders around a project, innermost first, down to `.`; nothing for `.` itself."""
    return _upwards(project) if project != "." else ()


def roots(files: Sequence[str], foreign: Sequence[str]) -> tuple[str, ...]:
    """Return the fewest folders and files that hold all of `files` and nothing of the `foreign` folders."""
    # The top is never named as a whole: much of what lies there is no code, and ignored by git.
    blocked = {".", *(f for path in foreign for f in (path, *ancestors(path)))}
    found = {next(f for f in reversed((path, *_upwards(path))) if f not in blocked) for path in files}
    return tuple(sorted(f"./{f}" if f.startswith("-") else f for f in found))


def _upwards(path: str) -> tuple[str, ...]:
    parts = path.split("/")
    return (*("/".join(parts[:end]) for end in range(len(parts) - 1, 0, -1)), ".")
