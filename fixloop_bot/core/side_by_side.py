"""Which checks of a layer may run at the same time: those of projects that have nothing in common."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import groupby

from fixloop_bot.model.command import Check

MANIFESTS = re.compile(
    r"(?:Makefile|GNUmakefile|justfile|Gemfile|Rakefile|Procfile|\.\w+rc"
    r"|[^/]{1,100}\.(?:json|toml|cfg|ini|ya?ml|txt|xml|mod|work|gradle|kts|cmake|gemspec|podspec|\w{1,6}proj|props|targets"
    r"|rake|mk|sh|py|rb|js|cjs|mjs|ts|cts|mts))",
    re.IGNORECASE,
)
"""Files right in a project's folder that may say where its parts are."""
MOST_READ = 60
"""Files of a project: one with more is taken to lean on others."""
OUTWARDS = re.compile(r"\.\.(?:[\\/\"'\s;&|)]|$)|\bworkspace:|\brootProject\b|\bgit\s+rev-parse\b", re.MULTILINE)


def self_contained(
    checks: Sequence[Check], files: Collection[str], read: Callable[[str], str | None]
) -> frozenset[str]:
    """Return the projects that name nothing outside of their folders (`../core`, `workspace:`).

    Neither in their commands nor in the files right in those folders; it errs towards one after the other. `files` are
    the worktree's POSIX paths, `read` gives a file's text.
    """
    outwards = {check.project for check in checks if OUTWARDS.search(" ".join(check.command))}
    inside: dict[str, list[str]] = {check.project: [] for check in checks if check.project != "."}
    if len(inside) < 2:
        return frozenset()
    for path in files:
        folder, _, name = path.rpartition("/")
        if folder in inside and MANIFESTS.fullmatch(name):
            inside[folder].append(path)
    return frozenset(project for project, paths in inside.items() if not _leans(paths, read)) - outwards


def rounds(checks: Sequence[Check], self_contained: Collection[str]) -> Iterator[tuple[Check, ...]]:
    """Yield what runs at the same time, of a layer's checks in the order of the plan.

    Neighbours of self-contained projects, none of which lies in another's, go together: each project's first check,
    then each project's second. Every other check is alone, and what stands before or after it in the plan does so here.
    """
    apart = _apart({check.project for check in checks}) & frozenset(self_contained)
    for together, group in groupby(checks, key=lambda check: check.project in apart):
        if not together:
            yield from ((check,) for check in group)
            continue
        lanes: dict[str, list[Check]] = {}
        for check in group:
            lanes.setdefault(check.project, []).append(check)
        for step in range(max(len(lane) for lane in lanes.values())):
            yield tuple(lane[step] for lane in lanes.values() if step < len(lane))


def _apart(projects: Collection[str]) -> frozenset[str]:
    """Return the projects that neither lie in another one nor hold one."""
    around = {project: [one for one in _parents(project) if one in projects] for project in projects}
    holding = {one for found in around.values() for one in found}
    return frozenset(project for project, found in around.items() if not found and project not in holding)


def _parents(project: str) -> Iterator[str]:
    while project != ".":
        project = project.rpartition("/")[0] or "."
        yield project


def _leans(paths: Sequence[str], read: Callable[[str], str | None]) -> bool:
    if len(paths) > MOST_READ:
        return True
    return any(OUTWARDS.search(read(path) or "") for path in paths)
