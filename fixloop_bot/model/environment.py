"""What an output tells of the environment that it was made in."""

from dataclasses import dataclass
from enum import StrEnum


class Weight(StrEnum):
    """How much a line proves."""

    DECISIVE = "decisive"
    """It is the environment's fault even beside diagnostics that name a file."""
    ALONE = "alone"
    """It counts only where no diagnostic with a file or test was parsed."""
    EXPLAINING = "explaining"
    """It counts where it explains every error, be it a test's."""


@dataclass(frozen=True, slots=True)
class Lack:
    """Something that the environment lacks, in words that a person can act on."""

    words: str
    weight: Weight = Weight.ALONE
    told: tuple[str, ...] = ()
    """For `EXPLAINING`: an error whose message has one of these parts is explained."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unresolved:
    """A module, package or header that a tool could not find."""

    name: str
    """As the tool prints it."""
    in_repository: bool = False
    """A path or package of the repository itself: a fault of the code."""
    declared: bool = False
    """A manifest declares it, so that it is merely not installed."""
