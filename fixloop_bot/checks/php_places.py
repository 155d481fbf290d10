"""Places as PHP and its test runners print them: `path:line` alone on a line."""

import re
from collections.abc import Iterable

from fixloop_bot.checks import text
from fixloop_bot.checks.paths import in_repository
from fixloop_bot.checks.tool import ToolOutput

_PLACE = re.compile(r"^[ \t]*(?:at )?([^\s:][^:\n]*\.(?:php|phpt|inc|phtml)):(\d{1,8})$")
_AT_END = re.compile(r"^ in (\S[^\n]*?)(?::| on line )(\d{1,8})$")
_INSTALLED = re.compile(r"(?:^|/)vendor/")

Place = tuple[str, int | None]


def is_place(line: str) -> bool:
    """Return whether the line is nothing but one place."""
    return _PLACE.match(line) is not None


def places(output: ToolOutput, lines: Iterable[str]) -> list[Place]:
    """Return path and line of those that are the repository's own files, in the order in which they stand."""
    found = []
    for line in lines:
        shown = _PLACE.match(line)
        path = in_repository(output, shown[1]) if shown else None
        if shown and path and not _INSTALLED.search(path):
            found.append((path, text.number(shown[2])))
    return found


def part_place(said: str) -> tuple[str, str, str] | None:
    """Part a message from the place that ends it, `… in path:line` or `… in path on line N`; None where none does."""
    at = said.rfind(" in ")
    found = _AT_END.match(said[at:]) if at >= 0 else None
    return (said[:at], found[1], found[2]) if found else None


def own_file(found: Iterable[Place]) -> Place | tuple[None, None]:
    """Return the place in the test's own file: the outermost frame names the file, the first in it the line."""
    known = list(found)
    if not known:
        return None, None
    path = known[-1][0]
    return next(place for place in known if place[0] == path)
