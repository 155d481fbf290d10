"""Numbers that say how good is good enough, made easier to meet, wherever they stand."""

import re
from collections.abc import Callable, Iterator

from fixloop_bot.core.guard.review import Review, finding
from fixloop_bot.core.guard.source import LINE_LIMIT, Line, Pair
from fixloop_bot.model.guard import Finding, Severity

_FLOOR = re.compile(
    r"(?i)\b(fail[-_]?under|cov-fail-under|coverage[-_]?threshold|min(?:imum)?[-_]?coverage|min[-_]?score|"
    r"mutation[-_]?threshold|minimum_coverage_by_file)\b[\"'\s:=({]{1,6}(\d{1,6}(?:\.\d{1,6})?)"
)
_CEILING = re.compile(
    r"(?i)\b(max[-_]?(?:allowed[-_]?)?(?:warnings|errors|failures))\b[\"'\s:=({]{1,6}(\d{1,6}(?:\.\d{1,6})?)"
)
_STYLE = re.compile(
    r"(?i)\b(max[-_]?(?:complexity|line[-_]?length)|line[-_]?length)\b[\"'\s:=({]{1,6}(\d{1,6}(?:\.\d{1,6})?)"
)


def lowered_thresholds(review: Review) -> Iterator[Finding]:
    """Yield thresholds that a change lowers, and limits on warnings that it raises."""
    for pair in review.pairs:
        if not pair.new:
            yield from _moved(pair, _FLOOR, Severity.HIGH, easier=lambda old, new: new < old)
            yield from _moved(pair, _CEILING, Severity.HIGH, easier=lambda old, new: new > old)
            yield from _moved(pair, _STYLE, Severity.MEDIUM, easier=lambda old, new: new > old)


def _moved(
    pair: Pair, pattern: re.Pattern[str], severity: Severity, *, easier: Callable[[float, float], bool]
) -> Iterator[Finding]:
    before = {name: value for _, name, value in _values(pair.removed, pattern)}
    for line, name, value in _values(pair.added, pattern):
        if name in before and easier(before[name], value):
            message = f"{name} went from {before[name]:g} to {value:g}"
            yield finding("threshold-lowered", severity, pair.path, line, message)


def _values(lines: list[Line], pattern: re.Pattern[str]) -> Iterator[tuple[int, str, float]]:
    for line in lines:
        for match in pattern.finditer(line.bare[:LINE_LIMIT]):
            yield line.number, match[1].lower(), float(match[2])
