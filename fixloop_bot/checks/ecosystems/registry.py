"""All ecosystems, and what they find in a repository together."""

import shlex
from collections.abc import Callable, Iterator

from fixloop_bot.checks.ecosystems import c, dotnet, go, java, node, php, python, ruby, rust, shell
from fixloop_bot.checks.ecosystems.found import Found
from fixloop_bot.checks.ecosystems.snapshot import Snapshot
from fixloop_bot.checks.ecosystems.targets import superseded, target_checks
from fixloop_bot.model.command import Check, PassedOver, Plan, ProjectRoot

ECOSYSTEMS: dict[str, Callable[[Snapshot], tuple[Found, ...]]] = {
    "python": python.detect,
    "node": node.detect,
    "go": go.detect,
    "rust": rust.detect,
    "c": c.detect,
    "shell": shell.detect,
    "php": php.detect,
    "ruby": ruby.detect,
    "java": java.detect,
    "dotnet": dotnet.detect,
}


def detect(snapshot: Snapshot) -> Plan:
    """Return what the repository's files say about its validation; layers without a check are not yet explained."""
    by_name = {name: detector(snapshot) for name, detector in ECOSYSTEMS.items()}
    found = [project for projects in by_name.values() for project in projects]
    folders = tuple({project.path for project in found})
    checks = [one for project in found for one in project.checks]
    checks += target_checks(snapshot, folders, checks)
    return Plan(
        project_type="+".join(name for name, projects in by_name.items() if projects) or "unknown",
        checks=tuple(sorted(checks, key=_order)),
        fixers=tuple(fixer for project in found for fixer in project.fixers),
        projects=tuple(sorted((_root(project) for project in found), key=lambda root: (root.path, root.ecosystem))),
        passed_over=tuple(_passed_over(snapshot, found, folders, checks)),
    )


def _order(check: Check) -> int:
    return check.layer.rank


def _root(found: Found) -> ProjectRoot:
    inside = f"cd {shlex.quote(found.path)} && " if found.setup and found.path != "." else ""
    return ProjectRoot(ecosystem=found.ecosystem, path=found.path, setup=inside + found.setup)


def _passed_over(
    snapshot: Snapshot, found: list[Found], folders: tuple[str, ...], checks: list[Check]
) -> Iterator[PassedOver]:
    yield from (one for project in found for one in project.passed_over)
    yield from superseded(snapshot, folders, checks)
