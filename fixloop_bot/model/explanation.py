"""What `fixloop validate --explain` tells: what would run, and what the repository's CI runs."""

from dataclasses import dataclass

from fixloop_bot.model.command import Plan
from fixloop_bot.model.layer import Layer


@dataclass(frozen=True, slots=True, kw_only=True)
class CiStep:
    """A step of a CI workflow that looks like a check: suggested to a person, never run."""

    file: str
    job: str
    run: str
    """The one line of the step's script that looks like it."""
    layer: Layer
    folder: str = "."
    """`working-directory`, as the workflow spells it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """The plan of a worktree with what a person needs to change it."""

    plan: Plan
    layers: tuple[Layer, ...]
    """Those that were asked for."""
    ci: tuple[CiStep, ...] = ()
    configured: bool = False
    """There is a `.fixloop.yml`."""
