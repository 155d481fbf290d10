"""Workspaces: which packages are members, and which of a root's commands already run for all of them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from fixloop_bot.checks.ecosystems.found import Found
from fixloop_bot.checks.ecosystems.node_package import Package
from fixloop_bot.checks.ecosystems.snapshot import ancestors
from fixloop_bot.model.command import Check, PassedOver
from fixloop_bot.model.layer import Layer

RECURSES = re.compile(
    r"(?:^|\s)(?:--workspaces|-ws|-r|--recursive|--filter\S*|-F|--parallel)(?:\s|=|$)"
    r"|\b(?:turbo|nx|lerna|wsrun|moon|rush|lage|ultra)\b|\byarn workspaces\b"
    r"|\bworkspaces foreach\b|\btsc (?:-b|--build)\b"
)
"""Options and programs that run something in each member."""
MAX_SCRIPT = 10_000
WALKS = frozenset({"eslint", "prettier", "biome", "jest", "vitest", "node-test"})
"""Tools that look into all folders below theirs."""


def without_doubles(found: Mapping[str, Found], packages: Mapping[str, Package]) -> Iterator[Found]:
    """Yield each package without the checks that the workspace around it runs for all its members."""
    roots = {path: package for path, package in packages.items() if package.workspaces}
    for path, one in found.items():
        around = [root for root in ancestors(path) if root in roots and is_member(path, roots[root])]
        covering = {
            check.layer: check for root in around for check in found[root].checks if _covers(check, roots[root])
        }
        yield _without(one, covering, member=bool(around)) if around else one


def is_member(path: str, workspace: Package) -> bool:
    """Return whether the folder is a member of the workspace, by its patterns."""
    inside = path if workspace.path == "." else path.removeprefix(f"{workspace.path}/")
    wanted = [pattern for pattern in workspace.workspaces if not pattern.startswith("!")]
    without = [pattern[1:] for pattern in workspace.workspaces if pattern.startswith("!")]
    return _matches(inside, wanted) and not _matches(inside, without)


def _matches(path: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(path, pattern.removeprefix("./").strip("/")) for pattern in patterns)


def _covers(check: Check, root: Package) -> bool:
    """Return whether a check of the root runs for the members as well: it recurses, or its tool walks down."""
    _, is_script, name = check.source.partition("package.json scripts.")
    text = root.resolved(name) if is_script else " ".join(check.command)
    return check.tool in WALKS or RECURSES.search(text[:MAX_SCRIPT]) is not None


def _without(one: Found, covering: Mapping[Layer, Check], *, member: bool) -> Found:
    doubled = [check for check in one.checks if check.layer in covering]
    passed_over = tuple(
        PassedOver(
            project=one.path,
            what=check.source,
            why=f"the workspace's {covering[check.layer].source} runs for its members",
            layer=check.layer,
        )
        for check in doubled
    )
    return replace(
        one,
        checks=tuple(check for check in one.checks if check not in doubled),
        fixers=() if Layer.LINT in covering else one.fixers,
        setup="" if member else one.setup,  # the root's installs the members'
        passed_over=(*one.passed_over, *passed_over),
    )
