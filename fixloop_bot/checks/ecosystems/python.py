"""Python: compileall always, everything else where the project configures it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from fixloop_bot.checks.ecosystems.found import Found, Origin, check, lint_fixer
from fixloop_bot.checks.ecosystems.python_tests import test_checks
from fixloop_bot.checks.ecosystems.snapshot import (
    FOREIGN,
    Snapshot,
    ancestors,
    by_project,
    join,
    project_folders,
    roots,
    table,
)
from fixloop_bot.model.command import SCRATCH, Check, Fixer
from fixloop_bot.model.layer import Layer

MANIFESTS = ("pyproject.toml", "setup.py", "setup.cfg")
FOREIGN_PATTERN = rf"(^|/)(\.[^/]+|{'|'.join(name for name in FOREIGN if not name.startswith('.'))})/"
"""Hidden and foreign folders below a folder that is named on the command line."""
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


def detect(snapshot: Snapshot) -> tuple[Found, ...]:
    """Return every Python project of a repository, outermost first."""
    return tuple(_found(snapshot, project) for project in _projects(snapshot))


def _projects(snapshot: Snapshot) -> Iterator[PythonProject]:
    folders = tuple(dict.fromkeys((".", *project_folders(snapshot, MANIFESTS))))
    owned = by_project(snapshot.own, folders)
    real = [path for path, files in owned.items() if any(f.endswith(".py") for f in files)]
    nested: dict[str, list[str]] = {path: [] for path in real}
    for path in real:
        for around in ancestors(path):
            nested.get(around, []).append(path if around == "." else path[len(around) + 1 :])
    for path in real:
        inside = tuple(nested[path])
        yield PythonProject(path=path, files=tuple(owned[path]), nested=inside)


def _found(snapshot: Snapshot, project: PythonProject) -> Found:
    return Found(
        ecosystem="python",
        path=project.path,
        checks=(
            _compileall(project),
            *_type_checks(snapshot, project),
            *_linters(snapshot, project),
            *test_checks(snapshot, project.path, project.files, project.scope),
        ),
        fixers=tuple(_fixers(snapshot, project)),
    )


def _compileall(project: PythonProject) -> Check:
    # A folder on the command line takes in what git ignores below it, hence the pattern.
    command = ("python", "-m", "compileall", "-q", "-f", "-x", FOREIGN_PATTERN, *project.roots)
    found = check(Layer.COMPILE, command, Origin(project.path, "default for Python"))
    return replace(found, env={"PYTHONPYCACHEPREFIX": f"{SCRATCH}/pycache"})


def _type_checks(snapshot: Snapshot, project: PythonProject) -> Iterator[Check]:
    where = _configured(snapshot, project.path, "mypy", files=("mypy.ini", ".mypy.ini"), sections=("mypy",))
    if where:
        scope = () if _mypy_names_files(snapshot, project.path) else project.scope
        yield check(Layer.COMPILE, ("mypy", *scope), Origin(project.path, where))
    for tool, files in (("pyright", ("pyrightconfig.json",)), ("basedpyright", ())):
        where = _configured(snapshot, project.path, tool, files=files)
        if where:
            yield check(Layer.COMPILE, (tool,), Origin(project.path, where))


def _mypy_names_files(snapshot: Snapshot, path: str) -> bool:
    names = {"files", "packages", "modules"}
    if names & set(table(snapshot.toml(join(path, "pyproject.toml")), "tool", "mypy")):
        return True
    texts = (snapshot.text(join(path, name)) for name in ("mypy.ini", ".mypy.ini", "setup.cfg"))
    return any(line.partition("=")[0].strip() in names for text in texts for line in text.splitlines())


def _linters(snapshot: Snapshot, project: PythonProject) -> Iterator[Check]:
    where = _ruff(snapshot, project.path)
    if where:
        yield check(Layer.LINT, ("ruff", "check", "."), Origin(project.path, where))
    where = _ruff_format(snapshot, project.path)
    if where:
        yield check(Layer.LINT, ("ruff", "format", "--check", "."), Origin(project.path, where))
    where = _configured(snapshot, project.path, "flake8", files=(".flake8",), sections=("flake8",))
    if where:
        yield check(Layer.LINT, ("flake8", *project.scope), Origin(project.path, where))
    where = _configured(snapshot, project.path, "black")
    if where:
        yield check(Layer.LINT, ("black", "--check", *project.scope), Origin(project.path, where))


def _fixers(snapshot: Snapshot, project: PythonProject) -> Iterator[Fixer]:
    where = _ruff(snapshot, project.path)
    if where:
        yield lint_fixer(("ruff", "check", "--fix", "."), Origin(project.path, where))
    where = _ruff_format(snapshot, project.path)
    if where:
        yield lint_fixer(("ruff", "format", "."), Origin(project.path, where))
    where = _configured(snapshot, project.path, "black")
    if where:
        yield lint_fixer(("black", "--quiet", *project.scope), Origin(project.path, where))


def _ruff(snapshot: Snapshot, path: str) -> str:
    """Return where ruff is configured; empty where it is not, or a project around it covers this one."""
    if any(_ruff_here(snapshot, around) for around in ancestors(path)):
        return ""
    return _ruff_here(snapshot, path)


def _ruff_here(snapshot: Snapshot, path: str) -> str:
    here = _configured(snapshot, path, "ruff", files=("ruff.toml", ".ruff.toml"))
    hooks = join(path, ".pre-commit-config.yaml")
    return here or (hooks if "ruff-pre-commit" in snapshot.text(hooks) else "")


def _ruff_format(snapshot: Snapshot, path: str) -> str:
    """Return where ruff's formatter is configured or used; empty where it is not."""
    if not _ruff(snapshot, path):
        return ""
    if "format" in table(snapshot.toml(join(path, "pyproject.toml")), "tool", "ruff"):
        return "pyproject.toml [tool.ruff.format]"
    for name in ("ruff.toml", ".ruff.toml"):
        if "format" in snapshot.toml(join(path, name)):
            return f"{name} [format]"
    hooks = join(path, ".pre-commit-config.yaml")
    return hooks if "id: ruff-format" in snapshot.text(hooks) else ""


def _configured(
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
