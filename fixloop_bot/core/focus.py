"""Which of a plan's checks a change can have broken: what is looked at between two gates."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from fixloop_bot.model.command import Check, Plan
from fixloop_bot.model.layer import Layer

UNTOUCHED = "no project that the branch changes has a command for this layer; the gate runs it"


def focused(plan: Plan, changed: Sequence[str]) -> Plan:
    """Return the plan with the checks and fixers of the projects alone that the changed paths touch.

    `changed` are POSIX paths relative to the worktree. A path belongs to the innermost project around it; of each
    layer it keeps the checks of the innermost project around it that has any, as those of a workspace's root run for
    its members. Everything stays where no path is known, where one lies outside of every project, and where the
    repository has a runner of its own. Never a proof: a project may break another.
    """
    folders = {path.rpartition("/")[0] or "." for path in changed}
    own = (check for check in plan.checks if check.layer is not Layer.VISUAL)  # its pages may lie anywhere
    projects = {*(check.project for check in own), *(root.path for root in plan.projects)}
    if plan.runner or not folders or any(_innermost(folder, projects) is None for folder in folders):
        return plan
    kept = {layer: frozenset(_owners(layer, plan.checks, folders)) for layer in plan.layers}
    checks = tuple(check for check in plan.checks if check.project in kept[check.layer])
    if checks == plan.checks:
        return plan
    idle = {layer: UNTOUCHED for layer, owners in kept.items() if not owners}
    return replace(
        plan,
        checks=checks,
        fixers=tuple(fixer for fixer in plan.fixers if fixer.project in kept.get(fixer.layer, frozenset())),
        skipped={**plan.skipped, **idle},
    )


def _owners(layer: Layer, checks: Sequence[Check], folders: Collection[str]) -> Iterator[str]:
    projects = {check.project for check in checks if check.layer is layer}
    for folder in folders:
        owner = _innermost(folder, projects)
        if owner is not None:
            yield owner


def _innermost(folder: str, projects: Collection[str]) -> str | None:
    """Return the innermost of the projects that the folder is or lies in, None for none."""
    while folder not in projects:
        if folder == ".":
            return None
        folder = folder.rpartition("/")[0] or "."
    return folder
