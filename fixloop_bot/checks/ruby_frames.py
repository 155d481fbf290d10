"""Places in Ruby's backtraces, as Ruby itself and all its test runners print them."""

import re
from collections.abc import Iterable

from fixloop_bot.checks import text
from fixloop_bot.checks.paths import in_repository
from fixloop_bot.checks.tool import ToolOutput

_FRAME = re.compile(r"^[ \t]*(?:# |from )?([^\s:#][^:\n]*):(\d{1,8})(?::in [`'].*)?$")
_INSTALLED = ("/gems/", "vendor/bundle/", "vendor/ruby/")
"""Parts of paths of installed packages, which may lie inside the worktree."""

Place = tuple[str, int | None]


def is_frame(line: str) -> bool:
    """Return whether the line is nothing but one frame of a backtrace."""
    return _FRAME.match(line) is not None


def places(output: ToolOutput, lines: Iterable[str]) -> list[Place]:
    """Return path and line of the frames that are the repository's own files, in the order of the backtrace."""
    return [place for line in lines if (place := place_of(output, line))]


def place_of(output: ToolOutput, line: str) -> Place | None:
    """Return path and line of one frame, None if it is none or not in one of the repository's own files."""
    frame = _FRAME.match(line)
    if not frame or any(part in frame[1] for part in _INSTALLED):
        return None
    path = in_repository(output, frame[1])
    return (path, text.number(frame[2])) if path else None


def line_in(found: Iterable[Place], path: str | None) -> int | None:
    """Return the line of the first place in this file."""
    return next((line for where, line in found if where == path), None)
