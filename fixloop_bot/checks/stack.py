"""JavaScript stack frames, as all its test runners print them."""

import re
from collections.abc import Iterable

from fixloop_bot.checks import text
from fixloop_bot.checks.paths import in_repository
from fixloop_bot.checks.tool import ToolOutput

_FRAME = re.compile(r"(?:^|[\s(])(?:file://)?([\w@+~./-][^\s():\n]*\.[A-Za-z]\w{0,9}):(\d{1,8}):(\d{1,8})\)?$")
_IN_PARENTHESES = re.compile(r"\((?:file://)?(/[^()\n]{1,1024}\.[A-Za-z]\w{0,9}):(\d{1,8}):(\d{1,8})\)$")
"""An absolute path may hold blanks."""
_IS_FRAME = re.compile(r"^\s*(?:at |\u276f )\S")

Place = tuple[str, int | None, int | None]


def is_frame(line: str) -> bool:
    """Return whether the line is a frame of a stack trace."""
    return _IS_FRAME.match(line) is not None


def places(output: ToolOutput, lines: Iterable[str]) -> list[Place]:
    """Return path, line and column of the frames inside the repository, innermost first."""
    found: list[Place] = []
    for line in lines:
        shown = line.rstrip()[: text.MAX_LINE]
        frame = _IN_PARENTHESES.search(shown) or _FRAME.search(shown)
        path = in_repository(output, frame[1]) if frame and "node_modules/" not in frame[1] else None
        if frame and path:
            found.append((path, text.number(frame[2]), text.number(frame[3])))
    return found


def before_stack(message: str) -> str:
    """Return what a thrown value's text says before its first frame."""
    lines = message.split("\n", text.MAX_LINES)
    end = next((n for n, line in enumerate(lines) if is_frame(line)), len(lines))
    return text.message(lines[:end])


def line_in(found: Iterable[Place], path: str | None) -> tuple[int | None, int | None]:
    """Return line and column of the first frame in this file."""
    return next(((line, column) for where, line, column in found if where == path), (None, None))
