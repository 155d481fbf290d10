"""Where the lines of a file stand in a patch: review comments name them by line or by position."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spot:
    """A line that a patch shows; `position` counts from the line below the first `@@`, later `@@` lines included."""

    line: int
    position: int
    hunk: str
    """The hunk from its header down to the line."""


def spots(patch: str, side: str) -> list[Spot]:
    """Return the lines of one side (`LEFT` the old file, `RIGHT` the new one) that a patch shows."""
    found: list[Spot] = []
    hunk: list[str] = []
    number = 0
    for position, text in enumerate(patch.split("\n")):
        if text.startswith("@@ "):
            hunk = []
            number = _start(text, side)
        hunk.append(text)
        if not text.startswith(("@@ ", "\\", "-" if side == "RIGHT" else "+")):
            found.append(Spot(number, position, "\n".join(hunk)))
            number += 1
    return found


def _start(header: str, side: str) -> int:
    return int(header.split(" ")[2 if side == "RIGHT" else 1][1:].partition(",")[0])
