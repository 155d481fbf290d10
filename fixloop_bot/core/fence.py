"""Quoting foreign text so that no text can end its own quotation."""

import re
from collections.abc import Iterable

_BACKTICKS = re.compile(r"`{3,}")


def fence_for(texts: Iterable[str]) -> str:
    """Return a fence that is longer than any run of backticks in the texts."""
    longest = max((len(run) for text in texts for run in _BACKTICKS.findall(text)), default=2)
    return "`" * (longest + 1)


def fenced(text: str, fence: str) -> str:
    """Return the text between fences."""
    body = text.strip("\n")
    return f"{fence}\n{body}\n{fence}"
