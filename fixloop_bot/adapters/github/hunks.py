"""Which lines of a file a pull request's diff shows."""

import re
from typing import Final

_HUNK: Final = re.compile(r"@@ -\d{1,9}(?:,\d{1,9})? \+(\d{1,9})(?:,\d{1,9})? @@", re.ASCII)


def shown_lines(patch: str) -> frozenset[int]:
    """Return the line numbers of the head's side that a file's patch shows, added and unchanged ones."""
    shown: set[int] = set()
    number = 0
    for line in patch.split("\n"):
        if hunk := _HUNK.match(line):
            number = int(hunk[1])
        elif line.startswith((" ", "+")):
            shown.add(number)
            number += 1
    return frozenset(shown)
