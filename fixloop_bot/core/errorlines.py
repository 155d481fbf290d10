"""Lines that look like errors, for outputs that no parser understands."""

import re
from collections.abc import Iterator

from fixloop_bot.core.normalise import MAX_LINE

_ERROR = re.compile(
    r"\b(?:error|fatal|panic(?:ked)?|exception|failed|failure|abort(?:ed)?|undefined reference|cannot find|not found)\b"
    r"|\b[A-Z]\w{0,60}(?:Error|Exception)\b|^not ok |^\s*(?:FAIL|ERR!|E {3})",
    re.IGNORECASE,
)
_NONE = re.compile(r"\b(?:0|no) (?:errors?|failures?|failed)\b|\b(?:errors?|failures?|failed)[:=] ?0\b", re.IGNORECASE)
_MAX_COUNTED = 100_000


def error_lines(text: str) -> Iterator[int]:
    r"""Yield the indices (0-based, at `\n`) of the lines that look like errors."""
    for index, line in enumerate(text.split("\n")):
        shown = line[:MAX_LINE]
        if _ERROR.search(shown) and not _NONE.search(shown):
            yield index


def count_error_lines(text: str) -> int:
    """Return how many distinct lines look like errors, at least 1."""
    lines = text.split("\n")
    found = {lines[index].strip()[:MAX_LINE] for index, _ in zip(error_lines(text), range(_MAX_COUNTED), strict=False)}
    return max(len(found), 1)
