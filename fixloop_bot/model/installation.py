"""Where the GitHub App is installed, and whether it may act there."""

from dataclasses import dataclass
from enum import StrEnum


class Standing(StrEnum):
    """Whether an installation may be worked for."""

    ACTIVE = "active"
    SUSPENDED = "suspended"
    """By its owner or by GitHub; no token is made."""
    DELETED = "deleted"
    """For good: its number is given to no other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallationChange:
    """How an installation stands after something happened to it."""

    installation_id: int
    account: str
    """Login of the person or organisation that has it."""
    standing: Standing
    changed_at: float
    """Seconds since the epoch, by GitHub's clock: deliveries come in any order, and the latest change counts."""
    removed: tuple[str, ...] = ()
    """`owner/name` of repositories that it does not reach any more."""
