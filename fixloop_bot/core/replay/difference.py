"""Two tellings of one thing, field by field."""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from fixloop_bot.core.status_line import one_line

SHOWN = 80
"""Characters of a value that are told."""


def different(found: Any, expected: Any, *, place: str, other: str) -> Iterator[str]:  # noqa: ANN401 - any two of one kind
    """Yield a clause for each field in which two values of one dataclass differ."""
    for field in fields(found):
        here, there = getattr(found, field.name), getattr(expected, field.name)
        if here != there:
            yield f"{place}: {field.name} is {shown(here)}, by {other} {shown(there)}"


def shown(value: object) -> str:
    """Return a value in a few characters."""
    return one_line(value if isinstance(value, str) else repr(value), limit=SHOWN) or "empty"
