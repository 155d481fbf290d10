"""Python: compileall always, everything else where the project configures it."""

from collections.abc import Iterator
from dataclasses import replace

from fixloop_bot.checks.ecosystems.found import Found, Origin, check
from fixloop_bot.checks.ecosystems.python_lint import lint_checks, lint_fixers
from fixloop_bot.checks.ecosystems.python_project import PythonProject, configured, python_projects
from fixloop_bot.checks.ecosystems.python_setup import python_setup
from fixloop_bot.checks.ecosystems.python_tests import test_checks
from fixloop_bot.checks.ecosystems.snapshot import FOREIGN, Snapshot, join, table
from fixloop_bot.model.command import SCRATCH, Check
from fixloop_bot.model.layer import Layer

FOREIGN_PATTERN = rf"(^|/)(\.[^/]+|{'|'.join(name for name in FOREIGN if not name.startswith('.'))})/"
"""Hidden and foreign folders below a folder that is named on the command line."""


def detect(snapshot: Snapshot) -> tuple[Found, ...]:
    """Return every Python project of a repository, outermost first."""
    return tuple(_found(snapshot, project) for project in python_projects(snapshot))


def _found(snapshot: Snapshot, project: PythonProject) -> Found:
    return Found(
        ecosystem="python",
        path=project.path,
        checks=(
            _compileall(project),
            *_type_checks(snapshot, project),
            *lint_checks(snapshot, project),
            *test_checks(snapshot, project.path, project.files, project.scope),
        ),
        fixers=tuple(lint_fixers(snapshot, project)),
        setup=python_setup(snapshot, project.path),
    )


def _compileall(project: PythonProject) -> Check:
    # A folder on the command line takes in what git ignores below it, hence the pattern.
    command = ("python", "-m", "compileall", "-q", "-f", "-x", FOREIGN_PATTERN, *project.roots)
    found = check(Layer.COMPILE, command, Origin(project.path, "default for Python"))
    return replace(found, env={"PYTHONPYCACHEPREFIX": f"{SCRATCH}/pycache"})


def _type_checks(snapshot: Snapshot, project: PythonProject) -> Iterator[Check]:
    where = configured(snapshot, project.path, "mypy", files=("mypy.ini", ".mypy.ini"), sections=("mypy",))
    if where:
        scope = () if _mypy_names_files(snapshot, project.path) else project.scope
        yield check(Layer.COMPILE, ("mypy", *scope), Origin(project.path, where))
    for tool, files in (("pyright", ("pyrightconfig.json",)), ("basedpyright", ())):
        where = configured(snapshot, project.path, tool, files=files)
        if where:
            yield check(Layer.COMPILE, (tool,), Origin(project.path, where))


def _mypy_names_files(snapshot: Snapshot, path: str) -> bool:
    names = {"files", "packages", "modules"}
    if names & set(table(snapshot.toml(join(path, "pyproject.toml")), "tool", "mypy")):
        return True
    texts = (snapshot.text(join(path, name)) for name in ("mypy.ini", ".mypy.ini", "setup.cfg"))
    return any(line.partition("=")[0].strip() in names for text in texts for line in text.splitlines())
