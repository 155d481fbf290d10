"""All ecosystems, and what they find in a repository together."""

from collections.abc import Callable

from fixloop_bot.checks.ecosystems import c, dotnet, go, java, node, php, python, ruby, rust, shell
from fixloop_bot.checks.ecosystems.found import Found
from fixloop_bot.checks.ecosystems.snapshot import Snapshot
from fixloop_bot.checks.ecosystems.targets import target_checks
from fixloop_bot.model.command import Check, Fixer, Plan
from fixloop_bot.model.layer import Layer

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
LAYERS = (Layer.COMPILE, Layer.LINT, Layer.TEST)


def detect(snapshot: Snapshot) -> Plan:
    """Return what the repository's files say about its validation; layers without a check are not yet explained."""
    found = {name: detector(snapshot) for name, detector in ECOSYSTEMS.items()}
    names = [name for name, projects in found.items() if projects]
    checks = [one for projects in found.values() for project in projects for one in project.checks]
    known = {one.layer for one in checks}
    checks += target_checks(snapshot, [layer for layer in LAYERS if layer not in known])
    return Plan(
        project_type="+".join(names) or "unknown",
        checks=tuple(sorted(checks, key=_order)),
        fixers=_fixers(found),
    )


def _order(check: Check) -> int:
    return check.layer.rank


def _fixers(found: dict[str, tuple[Found, ...]]) -> tuple[Fixer, ...]:
    return tuple(fixer for projects in found.values() for project in projects for fixer in project.fixers)
