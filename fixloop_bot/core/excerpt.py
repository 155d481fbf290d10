"""What a person and the agent see of an output: at most 100 lines, with the failure in them."""

import re
from collections.abc import Iterable, Sequence

from fixloop_bot.core.errorlines import error_lines
from fixloop_bot.model.diagnostic import Diagnostic, Level

LIMIT = 100
"""Lines."""
MAX_LINE = 400
"""Characters of a line."""
_ABOVE = 4
_BELOW = 6
_END = 20
_MAX_ANCHORS = 2_000
_MAX_TOLD = 60
"""Diagnostics that are looked for."""
_WORD = re.compile(r"\w+")


def excerpt(text: str, diagnostics: Sequence[Diagnostic], *, limit: int = LIMIT) -> str:
    """Return at most `limit` lines: the end, and the lines around each diagnostic or what looks like an error.

    What was left out is told in between; long lines are cut to `MAX_LINE` characters.
    """
    lines = [_cut(line.rstrip()) for line in text.rstrip("\n").split("\n")]
    if len(lines) <= limit:
        return "\n".join(lines)
    chosen = _choose(lines, [*_anchors(lines, diagnostics), *_looks(text)], limit)
    return "\n".join(_joined(lines, sorted(chosen), limit))


def _cut(line: str) -> str:
    return line if len(line) <= MAX_LINE else f"{line[: MAX_LINE - 1]}\u2026"


def _looks(text: str) -> Iterable[int]:
    return (index for index, _ in zip(error_lines(text), range(_MAX_ANCHORS), strict=False))


def _choose(lines: Sequence[str], anchors: Iterable[int], limit: int) -> set[int]:
    """Take the end first, then a window around each anchor in order of rank, then more of the end, while there is room.

    A gap costs a line, so that a part of the limit is held back for telling what was left out.
    """
    room = limit * 4 // 5
    chosen = set(range(max(len(lines) - min(_END, room), 0), len(lines)))
    for anchor in anchors:
        window = set(range(max(anchor - _ABOVE, 0), min(anchor + _BELOW + 1, len(lines))))
        if len(chosen | window) > room:
            break
        chosen |= window
    above = (index for index in range(len(lines) - 1, -1, -1) if index not in chosen)
    return chosen | {index for index, _ in zip(above, range(room - len(chosen)), strict=False)}


def _joined(lines: Sequence[str], chosen: Sequence[int], limit: int) -> list[str]:
    shown: list[str] = []
    last = -1
    for index in chosen:
        if index > last + 1:
            shown.append(f"\u2026 {index - last - 1:,} lines left out \u2026")
        shown.append(lines[index])
        last = index
    return shown if len(shown) <= limit else [*shown[: limit - _END - 1], "\u2026", *shown[-_END:]]


def _anchors(lines: Sequence[str], diagnostics: Sequence[Diagnostic]) -> list[int]:
    """Return for each diagnostic, errors first, the lines that tell it."""
    ranked = sorted(diagnostics, key=lambda item: list(Level).index(item.level))[:_MAX_TOLD]
    whole = "\n".join(lines)
    found = (whole.find(needle) for item in ranked for needle in _needles(item))
    return list(dict.fromkeys(whole.count("\n", 0, at) for at in found if at >= 0))


def _needles(item: Diagnostic) -> list[str]:
    """Return strings whose first occurrence in the output is where this diagnostic is told."""
    first = item.message.split("\n", 1)[0].strip()[:80]
    place = f"{item.path.rpartition('/')[2]}:{item.line}" if item.path and item.line else ""
    return [needle for needle in (first, place) if len(_WORD.findall(needle)) > 1]
