"""GitHub's problem matchers: the JSON that `::add-matcher::` takes, and what lines mean by it.

The format is that of github.com/actions/toolkit, docs/problem-matchers.md. The expressions are a repository's own, so
they run on RE2, whose time is linear whatever they are.
"""

import json
import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import re2

from fixloop_bot.checks import text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind, Level
from fixloop_bot.model.fingerprint import Tier
from fixloop_bot.model.matcher import MatcherError, MatcherPattern, ProblemMatcher

_MAX_MATCHERS = 20
_MAX_PATTERNS = 10
_MAX_REGEXP = 2_000
_MAX_PROGRAM = 1 << 20
"""Bytes that one compiled expression may take: RE2 refuses what would need more."""
_MAX_LINES = 100_000
"""Of an output that matchers look at."""
_GROUPS: Mapping[str, str] = {
    "file": "file",
    "fromPath": "from_path",
    "line": "line",
    "column": "column",
    "severity": "severity",
    "code": "code",
    "message": "message",
}
_LEVELS: Mapping[str, Level] = {"error": Level.ERROR, "warning": Level.WARNING, "notice": Level.NOTE}

Told = Mapping[str, str]
"""What the lines so far have told, by the pattern's field."""


class _BadMatcherError(Exception):
    """The text is a clause for the person."""


def parse_matchers(document: str) -> tuple[ProblemMatcher, ...] | MatcherError:
    """Return the matchers of a file, or the first thing that is wrong with it."""
    try:
        value = json.loads(document)
    except (ValueError, RecursionError) as error:
        return MatcherError(f"is not JSON: {error}")
    given = value.get("problemMatcher") if isinstance(value, dict) else None
    if not isinstance(given, list) or not given:
        return MatcherError("has no list `problemMatcher`")
    if len(given) > _MAX_MATCHERS:
        return MatcherError(f"has more than {_MAX_MATCHERS} problem matchers")
    try:
        return tuple(_matcher(one, f"problemMatcher[{number}]") for number, one in enumerate(given))
    except _BadMatcherError as error:
        return MatcherError(str(error))


def _matcher(given: object, place: str) -> ProblemMatcher:
    if not isinstance(given, dict) or not isinstance(given.get("owner"), str) or not given["owner"].strip():
        raise _BadMatcherError(f"{place}: `owner` is missing")
    severity = given.get("severity", "")
    if not isinstance(severity, str) or severity.lower() not in {"", *_LEVELS}:
        raise _BadMatcherError(f"{place}: `severity` must be error, warning or notice")
    listed = given.get("pattern")
    if not isinstance(listed, list) or not 0 < len(listed) <= _MAX_PATTERNS:
        raise _BadMatcherError(f"{place}: `pattern` must be a list of 1 to {_MAX_PATTERNS} patterns")
    patterns = tuple(_pattern(one, f"{place}.pattern[{number}]") for number, one in enumerate(listed))
    _check_together(patterns, place)
    return ProblemMatcher(owner=given["owner"][:200], severity=severity, patterns=patterns)


def _pattern(given: object, place: str) -> MatcherPattern:
    if not isinstance(given, dict) or not isinstance(given.get("regexp"), str):
        raise _BadMatcherError(f"{place}: `regexp` is missing")
    loop = given.get("loop", False)
    if not isinstance(loop, bool):
        raise _BadMatcherError(f"{place}: `loop` must be true or false")
    try:
        groups: int = _compiled(given["regexp"]).groups
    except (re2.error, ValueError) as error:
        raise _BadMatcherError(f"{place}: `regexp` cannot be used: {_said(error)}") from None
    numbers = {name: _group(given, key, place, groups) for key, name in _GROUPS.items()}
    return MatcherPattern(regexp=given["regexp"], loop=loop, **numbers)


def _group(given: Mapping[str, Any], key: str, place: str, groups: int) -> int | None:
    number = given.get(key)
    if number is None:
        return None
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= groups:
        raise _BadMatcherError(f"{place}: `{key}` must be a group of its regexp, which has {groups}")
    return number


def _check_together(patterns: Sequence[MatcherPattern], place: str) -> None:
    told = [name for pattern in patterns for name in _GROUPS.values() if getattr(pattern, name) is not None]
    twice = sorted({name for name in told if told.count(name) > 1})
    if twice:
        raise _BadMatcherError(f"{place}: `{twice[0]}` is set by more than one pattern")
    if "message" not in told:
        raise _BadMatcherError(f"{place}: no pattern sets `message`")
    if any(pattern.loop for pattern in patterns[:-1]) or (len(patterns) == 1 and patterns[0].loop):
        raise _BadMatcherError(f"{place}: only the last of several patterns can have `loop`")
    if patterns[-1].loop and patterns[-1].message is None:
        raise _BadMatcherError(f"{place}: the pattern with `loop` must set `message`")


@cache
def _compiled(regexp: str) -> Any:  # noqa: ANN401 - re2 has no types
    """Return the compiled expression. Raises re2.error or ValueError for what RE2 does not take."""
    if len(regexp) > _MAX_REGEXP:
        raise ValueError(f"it is longer than {_MAX_REGEXP:,} characters")
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MAX_PROGRAM
    return re2.compile(regexp, options)


def _said(error: Exception) -> str:
    first = error.args[0] if error.args else ""
    return first.decode("utf-8", errors="replace") if isinstance(first, bytes) else str(first)


def read(matchers: Sequence[ProblemMatcher], output: ToolOutput) -> Parsed:
    """Read an output's lines by a repository's own matchers."""
    if not matchers:
        return Parsed()
    lines = [line.rstrip("\r") for line in text.lines(output.text)[:_MAX_LINES]]
    found = text.distinct(item for matcher in matchers for item in _matched(matcher, lines, output))
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT)


def _matched(matcher: ProblemMatcher, lines: Sequence[str], output: ToolOutput) -> Iterator[Diagnostic]:
    follower = _Follower(matcher.patterns)
    for line in lines:
        told = follower.next(line)
        if told is not None:
            yield _diagnostic(matcher, told, output)


@dataclass(slots=True)
class _Follower:
    """Follows a matcher's patterns from line to line."""

    patterns: tuple[MatcherPattern, ...]
    reached: list[Told | None] = field(init=False)
    """For each pattern but the last: what is told if the line before was its."""

    def __post_init__(self) -> None:
        self.reached = [None] * (len(self.patterns) - 1)

    def next(self, line: str) -> Told | None:
        """Return what is told once the last pattern matches, else None."""
        before: list[Told | None] = [{}, *self.reached]
        after = [_and(told, pattern, line) for told, pattern in zip(before, self.patterns, strict=True)]
        whole = after.pop()
        if whole is None:
            self.reached = after
            return None
        self.reached = [None] * len(after)
        if self.patterns[-1].loop:
            self.reached[-1] = before[-1]
        return whole


def _and(told: Told | None, pattern: MatcherPattern, line: str) -> Told | None:
    """Return what was told before and by this line, None where the line is not the pattern's."""
    if told is None:
        return None
    found = _compiled(pattern.regexp).search(line)
    if found is None:
        return None
    groups = ((name, getattr(pattern, name)) for name in _GROUPS.values())
    return {**told, **{name: found.group(number) or "" for name, number in groups if number is not None}}


def _diagnostic(matcher: ProblemMatcher, told: Told, output: ToolOutput) -> Diagnostic:
    file = told.get("file", "").strip()
    beside = told.get("from_path", "").strip()
    if file and beside and not file.startswith("/"):
        file = posixpath.join(posixpath.dirname(beside), file)
    severity = (told.get("severity") or matcher.severity or "error").strip().lower()
    return Diagnostic(
        path=locate(output, file) if file else None,
        line=text.number(told.get("line")) or None,
        column=text.number(told.get("column")) or None,
        level=_LEVELS.get(severity, text.level(severity)),
        rule_id=told.get("code", "").strip()[:200] or None,
        message=told.get("message", "").strip()[: text.MAX_MESSAGE],
        kind=DiagnosticKind.BUILD_ERROR,
    )
