"""What the loop does next: a closed union."""

from dataclasses import dataclass

from fixloop_bot.model.agent import ModelAlias
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.state import End


@dataclass(frozen=True, slots=True)
class Detect:
    """Run the pyramid for the first time."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """Run the layer's failing checks again, on the head and on the merge base, before any money is spent on them."""

    layer: Layer


@dataclass(frozen=True, slots=True)
class Triage:
    """Ask the cheapest model whose fault it is, environment or code, where no rule says anything."""

    layer: Layer


@dataclass(frozen=True, slots=True)
class FixFree:
    """Let the project's own fixers repair the layer."""

    layer: Layer


@dataclass(frozen=True, slots=True)
class Repair:
    """Start attempt `iteration`."""

    iteration: int
    model: ModelAlias
    replan: bool


@dataclass(frozen=True, slots=True)
class Verify:
    """Revalidate from the lowest layer and judge the pending attempt."""


@dataclass(frozen=True, slots=True)
class Escalate:
    """Change to the stronger model; happens once."""

    reason: str


@dataclass(frozen=True, slots=True)
class Gate:
    """Run the termination gate."""


@dataclass(frozen=True, slots=True)
class TakeAnswer:
    """Do what a person decided."""


@dataclass(frozen=True, slots=True)
class Stop:
    """End the run, or let it wait for a person."""

    end: End


Decision = TakeAnswer | Detect | Attribute | Triage | FixFree | Repair | Verify | Escalate | Gate | Stop
