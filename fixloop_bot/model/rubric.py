"""What a judge says of a change."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """One dimension of the rubric, scored."""

    dimension: str
    score: float
    """0..1."""
    reason: str
    path: str | None = None
    """The file that the judge names; whether it exists is not known."""
