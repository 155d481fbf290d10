"""What detection finds: checks and fixers of one project."""

import shlex
from dataclasses import dataclass

from fixloop_bot.checks.registry import recognise
from fixloop_bot.model.command import Check, Fixer, PassedOver
from fixloop_bot.model.layer import Layer

TIMEOUT_S = {Layer.TEST: 1800.0}
"""Wall-clock limits that differ from the default of 600 s."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a project's commands come from."""

    project: str
    """POSIX, relative to the worktree."""
    source: str
    """In words: `package.json scripts.lint`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One project of one ecosystem."""

    ecosystem: str
    path: str
    checks: tuple[Check, ...] = ()
    fixers: tuple[Fixer, ...] = ()
    setup: str = ""
    """Shell line that would install the project's dependencies, run in its folder: suggested, never run unasked."""
    passed_over: tuple[PassedOver, ...] = ()
    """What looks like a check of the project and is none."""


def check(layer: Layer, command: tuple[str, ...], origin: Origin, *, script: str = "") -> Check:
    """Return a check; `script` is the text to recognise the tool by, where the command itself does not show it."""
    return Check(
        layer=layer,
        command=command,
        tool=recognise(script or shlex.join(command)),
        project=origin.project,
        source=origin.source,
        composed=not script,
        timeout_s=TIMEOUT_S.get(layer, 600.0),
    )


def lint_fixer(command: tuple[str, ...], origin: Origin) -> Fixer:
    """Return a fixer of the lint layer."""
    return Fixer(layer=Layer.LINT, command=command, project=origin.project, source=origin.source)
