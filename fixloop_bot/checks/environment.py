"""Lines by which tools tell that the environment, not the code, is at fault; each anchored at the tool's own words."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import re2

from fixloop_bot.checks import text
from fixloop_bot.checks.environment_line import SETUP, EnvironmentLine
from fixloop_bot.checks.environment_machine import MACHINE
from fixloop_bot.checks.environment_packages import PACKAGES
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.environment import Lack, Weight

LINES: tuple[EnvironmentLine, ...] = (*PACKAGES, *MACHINE)
_FATAL_HEADER = re.compile(r"^[^\s:][^:\n]*:\d+(?::\d+)?: fatal error: ([^:\n]+): No such file or directory$")
_MAX_LACKS = 20
_MAX_SHOWN = 1_000
"""Characters of a line that are looked at."""


def lacks(output: ToolOutput) -> tuple[Lack, ...]:
    """Return what the output says that its environment lacks, at most 20, in order and without repetition."""
    found: dict[Lack, None] = {}
    for lack in _lacks(text.lines(output.text), output.exists):
        found[lack] = None
        if len(found) >= _MAX_LACKS:
            break
    return tuple(found)


def _lacks(lines: list[str], exists: Callable[[str], bool]) -> Iterator[Lack]:
    known = _known()
    for index, line in enumerate(lines):
        shown = line[:_MAX_SHOWN].encode("utf-8", errors="replace")
        for number in sorted(known.Match(shown) or ()):
            yield _lack(LINES[number], shown)
        header = _FATAL_HEADER.match(line) if "fatal error: " in line else None
        if header and f"#include <{header[1]}>" in "".join(lines[index + 1 : index + 2]) and not exists(header[1]):
            yield Lack(f"the header {header[1]}; {SETUP}", Weight.DECISIVE)


def _lack(known: EnvironmentLine, line: bytes) -> Lack:
    """Return what the line lacks; of groups that stand for each other, the one that is there."""
    found = _compiled(known.pattern).match(line)
    groups = [group.decode("utf-8", errors="replace") for group in found.groups() if group] if found else []
    return Lack(known.words.format(*groups, *[""] * 4), known.weight, known.told)


@cache
def _known() -> Any:  # noqa: ANN401 - re2 has no types
    """Return all patterns as one automaton: a line costs the same whatever their number."""
    known = re2.Set.MatchSet(_options())
    for line in LINES:
        known.Add(line.pattern)
    known.Compile()
    return known


@cache
def _compiled(pattern: str) -> Any:  # noqa: ANN401 - re2 has no types
    return re2.compile(pattern.encode(), _options())


def _options() -> Any:  # noqa: ANN401 - re2 has no types
    options = re2.Options()
    options.log_errors = False
    options.max_mem = 64 << 20
    return options
