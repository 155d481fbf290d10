"""Tasks that a repository declares: what runs a layer of which nothing better is known, in each of its projects."""

import re
from collections.abc import Iterable, Iterator, Sequence

from fixloop_bot.checks.ecosystems.declared_tasks import Tasks, declared_tasks
from fixloop_bot.checks.ecosystems.found import Origin, check
from fixloop_bot.checks.ecosystems.snapshot import Snapshot, ancestors
from fixloop_bot.model.command import Check, PassedOver
from fixloop_bot.model.layer import Layer

NAMES = (
    (Layer.COMPILE, ("typecheck", "type-check", "types", "typing", "mypy", "compile", "build")),
    (Layer.LINT, ("lint", "linters", "style", "fmt-check", "format-check")),
    (Layer.TEST, ("test", "tests", "check", "unit")),
)
GROUPS = {
    Layer.COMPILE: ("types:check", "types:all", "lint:typing"),
    Layer.LINT: ("lint:check", "lint:all", "lint:style", "style:check"),
    Layer.TEST: ("test:test", "test:run", "tests:run"),
}
"""Names that hatch's environments and Task's namespaces usually give."""
MAKE_TARGET = re.compile(r"^([A-Za-z0-9_.-]+)[ \t]*::?(?!=)", re.MULTILINE)
PRE_COMMIT = ".pre-commit-config.yaml"
REPOS = re.compile(r"^repos:", re.MULTILINE)
ALL_HOOKS = ("pre-commit", "run", "--all-files")


class Coverage:
    """Which folders have a check of a layer, and which have one below them; adding and asking cost no search."""

    def __init__(self, checks: Iterable[Check]) -> None:
        """Begin with these checks."""
        self._at: set[tuple[Layer, str]] = set()
        self._above: set[tuple[Layer, str]] = set()
        for one in checks:
            self.add(one)

    def add(self, check: Check) -> None:
        """Count a check."""
        if (check.layer, check.project) not in self._at:
            self._at.add((check.layer, check.project))
            self._above.update((check.layer, path) for path in ancestors(check.project))

    def covers(self, layer: Layer, project: str) -> bool:
        """Return whether a check of the layer runs in the folder, in one around it, or in one below it."""
        around = (project, *ancestors(project))
        return (layer, project) in self._above or any((layer, path) in self._at for path in around)


def target_checks(snapshot: Snapshot, projects: Sequence[str], known: Sequence[Check]) -> tuple[Check, ...]:
    """Return a check for each layer that the top folder or a project names a task for and that nothing covers yet.

    A layer is covered where `known` has a check of it in the folder, in one around it, or in one below it.
    """
    coverage, found = Coverage(known), []
    for project in _outermost_first(projects):
        tasks = declared_tasks(snapshot, project)
        for layer, _ in NAMES if tasks else ():
            for one in () if coverage.covers(layer, project) else _first(layer, project, tasks):
                found.append(one)
                coverage.add(one)
    if _has_hooks(snapshot) and not coverage.covers(Layer.LINT, "."):
        found.append(check(Layer.LINT, ALL_HOOKS, Origin(".", PRE_COMMIT)))
    return tuple(found)


def superseded(snapshot: Snapshot, projects: Sequence[str], checks: Sequence[Check]) -> Iterator[PassedOver]:
    """Yield the tasks that name a layer and are not run, as something else runs it."""
    run = {(one.project, one.source) for one in checks}
    for project in _outermost_first(projects):
        tasks = declared_tasks(snapshot, project)
        for layer, _ in NAMES:
            for one in _first(layer, project, tasks):
                if (project, one.source) not in run:
                    why = "other commands are known to run this layer"
                    yield PassedOver(project=project, what=one.source, why=why, layer=layer)
    if _has_hooks(snapshot) and (".", PRE_COMMIT) not in run:
        yield PassedOver(project=".", what=PRE_COMMIT, why="linters are known without it", layer=Layer.LINT)


def _has_hooks(snapshot: Snapshot) -> bool:
    return REPOS.search(snapshot.text(PRE_COMMIT)) is not None


def _outermost_first(projects: Sequence[str]) -> list[str]:
    return sorted({".", *projects}, key=lambda path: (path != ".", path.count("/"), path))


def _first(layer: Layer, project: str, declared: Sequence[Tasks]) -> Iterator[Check]:
    for tasks in declared:
        for name in (*dict(NAMES)[layer], *GROUPS[layer]):
            if name in tasks.names:
                yield check(layer, (*tasks.command, tasks.names[name]), Origin(project, f"{tasks.source} {name}"))
                return
