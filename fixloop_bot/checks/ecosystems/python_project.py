"""The Python projects of a repository, and where each configures a tool."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fixloop_bot.checks.ecosystems.snapshot import Snapshot, ancestors, by_project, join, project_folders, roots, table

MANIFESTS = ("pyproject.toml", "setup.py", "setup.cfg")
MAX_ROOTS = 200
"""More arguments than this make no readable command: the whole folder instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonProject:
    """One Python project and its own files, relative to it."""

    path: str
    files: tuple[str, ...]
    nested: tuple[str, ...] = ()
    """Projects inside it, relative to it."""

    @property
    def roots(self) -> tuple[str, ...]:
        """Return the folders and files to name on a command line."""
        found = roots([f for f in self.files if f.endswith(".py")], self.nested)
        return found if len(found) <= MAX_ROOTS else (".",)

    @property
    def scope(self) -> tuple[str, ...]:
        """Return what a tool that looks for files itself is to be given."""
        return self.roots if self.nested else (".",)


def python_projects(snapshot: Snapshot) -> Iterator[PythonProject]:
    """Yield every folder with a manifest and Python files, and the top folder if it has any, outermost first."""
    folders = tuple(dict.fromkeys((".", *project_folders(snapshot, MANIFESTS))))
    owned = by_project(snapshot.own, folders)
    real = [path for path, files in owned.items() if any(f.endswith(".py") for f in files)]
    nested: dict[str, list[str]] = {path: [] for path in real}
    for path in real:
        for around in ancestors(path):
            nested.get(around, []).append(path if around == "." else path[len(around) + 1 :])
    for path in real:
        yield PythonProject(path=path, files=tuple(owned[path]), nested=tuple(nested[path]))


def configured(
    snapshot: Snapshot, path: str, tool: str, *, files: Sequence[str] = (), sections: Sequence[str] = ()
) -> str:
    """Return where a project configures a tool, empty where it does not."""
    for name in files:
        if snapshot.has(join(path, name)):
            return name
    if tool in table(snapshot.toml(join(path, "pyproject.toml")), "tool"):
        return f"pyproject.toml [tool.{tool}]"
    for section in sections:
        for name in ("setup.cfg", "tox.ini"):
            if section in snapshot.sections(join(path, name)):
                return f"{name} [{section}]"
    return ""
