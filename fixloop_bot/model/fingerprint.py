"""The identity of a failure."""

from dataclasses import dataclass
from enum import StrEnum


class Tier(StrEnum):
    """How good the ground is that a fingerprint stands on, best first."""

    STRUCTURED = "structured"
    PARSED = "parsed"
    TEXT = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """What one diagnostic, or the text beside them all, adds to the identity."""

    item: str = ""
    """As in `Fingerprint.items`; empty for text."""
    rule: str = ""
    source: str = ""
    """The line of code, where the message says nothing."""
    said: tuple[str, ...] = ()
    """The message's lines, or the text's in sorted order: masked, what is known to be noise taken out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """SHA-256 identities of one layer's failure."""

    tier: Tier
    fine: str
    """Hex digest; equal for the same failure, whenever, wherever and on whatever line it happens."""
    coarse: str
    """Hex digest over the layer and the sorted multiset of (path, rule or test id)."""
    items: tuple[str, ...] = ()
    """The multiset behind `coarse`, sorted: what strict sub-multiset means progress."""
    details: tuple[Detail, ...] = ()
    """What `fine` stands on, so that two runs can be compared; empty where that is too large to be kept."""
