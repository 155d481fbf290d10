"""A patch as GitHub's suggested changes."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """One review comment on the head's side of the diff (`RIGHT`) that a person can commit with a button."""

    path: str
    start_line: int | None
    """First line; None where it is about one line only, as GitHub wants it."""
    line: int
    """Last line."""
    body: str


@dataclass(frozen=True, slots=True)
class Suggestions:
    """What of a patch can be suggested, and the rest of it, a unified diff or empty."""

    items: tuple[Suggestion, ...]
    rest: str
