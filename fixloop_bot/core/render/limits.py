"""GitHub's limits, and how a report gets below them: the least important part goes first.

GitHub speaks of characters and has been seen to count otherwise; UTF-8 bytes are never fewer than UTF-16 units or code
points, so that what fits in bytes fits in all three.
"""

from collections.abc import Sequence
from dataclasses import dataclass

COMMENT = 65_000
"""Bytes of a comment or issue body; GitHub's own limit is 65,536 characters."""
CHECK_OUTPUT = 65_000
"""Bytes of a check run's `summary`, and of its `text`; GitHub's own limit is 65,535 characters each."""
FROZEN_PATCH = 20_000
"""Bytes of a diff that a person can let be done on a page: it stands there whole, or cannot be answered there."""
JOB_SUMMARY = 1_000_000
"""Bytes; GitHub's own limit is 1 MiB a step, and what is larger is lost whole."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report, and what it may become when the report is too long."""

    text: str
    shorter: tuple[tuple[int, str], ...] = ()
    """(rank, text) in falling length: the lower the rank, the sooner it is taken. Without any it always stays."""


def size(text: str) -> int:
    """Return the text's length in the strictest of GitHub's counts."""
    return len(text.encode("utf-8", "surrogatepass"))


def cut(text: str, limit: int) -> str:
    """Return at most `limit` UTF-16 units, which no character is split for, with an ellipsis where it was cut."""
    if len(text.encode("utf-16-le", "surrogatepass")) <= limit * 2:
        return text
    kept = text[:limit].encode("utf-16-le", "surrogatepass")[: (limit - 1) * 2]
    return kept.decode("utf-16-le", "ignore").rstrip() + "\u2026"


def fit(sections: Sequence[Section], limit: int) -> str:
    """Return the sections joined by blank lines, shortened in the order of their ranks until they fit."""
    texts = [section.text for section in sections]
    steps = sorted(
        ((rank, index, shorter) for index, section in enumerate(sections) for rank, shorter in section.shorter),
        key=lambda step: step[:2],
    )
    for _, index, shorter in steps:
        if size(_joined(texts)) <= limit:
            break
        texts[index] = shorter
    return _joined(texts)


def _joined(texts: Sequence[str]) -> str:
    return "\n\n".join(text for text in texts if text) + "\n"
