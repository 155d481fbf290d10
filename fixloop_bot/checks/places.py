"""Places that lines of any output name: `file:line[:column]` and its like, of files that the repository has."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fixloop_bot.checks import text
from fixloop_bot.checks.paths import in_repository
from fixloop_bot.checks.tool import ToolOutput

_NAMED = r"(?:[\w@+~./-]{0,300}\.[A-Za-z]\w{0,9}|(?:[\w./-]{0,200}/)?(?:Make|Docker|Rake|Gem|Just|make|just)file)"
_COLONS = re.compile(rf"(?<![\w@+~./-])({_NAMED}):(\d{{1,8}})(?::(\d{{1,8}}))?(?![\w.])")
_PARENTHESES = re.compile(rf"(?<![\w@+~./-])({_NAMED})\((\d{{1,8}})(?:,(\d{{1,8}}))?\)")
_QUOTED = re.compile(r'(?:File|file|at) "([^"\n]{1,1000})", line (\d{1,8})()')
_ON_LINE = re.compile(rf"(?<![\w@+~./-])({_NAMED})(?: on|,)? line (\d{{1,8}})()")
_LINKED = re.compile(rf"(?<![\w@+~./-])({_NAMED}):\(\.[\w.]{{1,80}}\+0x[0-9a-f]{{1,16}}\)()()")
_PATTERNS = (_LINKED, _QUOTED, _COLONS, _PARENTHESES, _ON_LINE)
_MAX_HITS = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One place that a line names."""

    index: int
    """Of the line, 0-based."""
    path: str
    line: int | None
    column: int | None
    before: str
    after: str


def places(output: ToolOutput, lines: Sequence[str]) -> Iterator[Hit]:
    """Yield the first place of each line that is a file in the repository, at most `_MAX_HITS` of them."""
    hits = (hit for index, line in enumerate(lines) if (hit := _hit(output, index, line)))
    yield from (hit for hit, _ in zip(hits, range(_MAX_HITS), strict=False))


def _hit(output: ToolOutput, index: int, line: str) -> Hit | None:
    for pattern in _PATTERNS:
        for found in pattern.finditer(line):
            name, number, column = (*(part for part in found.groups() if part is not None), "")[:3]
            path = in_repository(output, name)
            if path:
                return Hit(
                    index=index,
                    path=path,
                    line=text.number(number),
                    column=text.number(column),
                    before=line[: found.start()],
                    after=line[found.end() :],
                )
    return None
