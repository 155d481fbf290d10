"""Which lines a diff is about, read from its hunks' heads; what stands in the hunks is never taken for a head."""

import re
from collections.abc import Iterator
from itertools import islice

from fixloop_bot.model.context import ChangedLines

_HUNK = re.compile(r"@@ -\d{1,9}(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_NEW = "+++ b/"
MOST_LINES = 5_000
"""Changed lines taken from one file."""


def changed_after(diff: str) -> ChangedLines:
    """Return the lines of the new side that a diff without context (`git diff -U0`) adds or stands around.

    Where lines are only gone, those before and after the gap are meant. Left out are files that are no text, deleted
    ones, and those whose names git quotes.
    """
    found: dict[str, set[int]] = {}
    path = ""
    lines = iter(diff.split("\n"))
    for line in lines:
        if line.startswith("diff --git "):
            path = ""
        elif line.startswith(_NEW):
            path = line.removeprefix(_NEW).removesuffix("\t")  # git marks the end of a name that has blanks
        elif hunk := _HUNK.match(line):
            removed, start, added = int(hunk[1] or 1), int(hunk[2]), int(hunk[3] or 1)
            _pass_over(lines, removed + added)
            if path:
                found.setdefault(path, set()).update(islice(_places(start, added), MOST_LINES))
    return {one: frozenset(numbers) for one, numbers in found.items()}


def _pass_over(lines: Iterator[str], number: int) -> None:
    """Take so many changed lines; that one has no newline at its end, git says in a line of its own."""
    while number > 0:
        line = next(lines, None)
        if line is None:
            return
        number -= not line.startswith("\\")


def _places(start: int, added: int) -> Iterator[int]:
    return iter(range(start, start + added) if added else (start, start + 1))
