"""Marks that a change adds: what a table of patterns finds more often after the change than before it.

A mark that only moves, from line to line or file to file, is none that was added.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache

from fixloop_bot.core.guard.languages import Language
from fixloop_bot.core.guard.review import finding
from fixloop_bot.core.guard.source import LINE_LIMIT, Line, Pair
from fixloop_bot.model.guard import Finding, Severity

_SHOWN = 80


class Where(Enum):
    """Which reading of a line a pattern is for."""

    CODE = "code"
    BARE = "bare"
    COMMENT = "comment"

    def of(self, line: Line) -> str:
        """Return that reading."""
        return line.code if self is Where.CODE else line.bare if self is Where.BARE else line.comment


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """Something that must not be added. `regex` takes linear time on a line: every repetition in it is bounded."""

    rule_id: str
    severity: Severity
    languages: frozenset[Language]
    where: Where
    source: str
    """Regular expression, `spaced`."""
    message: str
    tail: bool = False
    """What follows the match on its line belongs to it, as codes to a suppression."""

    @property
    def regex(self) -> re.Pattern[str]:
        """Return it compiled, once a change is to be judged: there are two hundred."""
        return spaced(self.source, re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One match."""

    pattern: Pattern
    pair: Pair
    line: int
    text: str
    detail: str
    """What follows and belongs to it."""

    @property
    def key(self) -> str:
        """Return what makes two marks the same."""
        return f"{self.pattern.rule_id}\0{''.join(self.text.split())}\0{''.join(self.detail.split())}"

    @property
    def blanket(self) -> str:
        """Return the key of the mark that suppresses everything, of which this one is a part."""
        return f"{self.pattern.rule_id}\0{''.join(self.text.split())}\0"


Judge = Callable[[Mark], Severity | None]


def added(
    pairs: Iterable[Pair], patterns: Iterable[Pattern], severity: Judge = lambda mark: mark.pattern.severity
) -> Iterator[Finding]:
    """Yield a finding for every mark that the change adds; `severity` may weigh it by its place, None for harmless."""
    by_language: dict[Language, list[Pattern]] = {}
    for pattern in patterns:
        for language in pattern.languages:
            by_language.setdefault(language, []).append(pattern)
    found = [(pair, by_language.get(pair.language, [])) for pair in pairs]
    gone = Counter(mark.key for pair, table in found for mark in _marks(pair, pair.removed, pair.removed_text, table))
    for pair, table in found:
        for mark in _marks(pair, pair.added, pair.added_text, table):
            if not _was_there(mark, gone) and (weight := severity(mark)) is not None:
                yield _finding(mark, weight)


def _was_there(mark: Mark, gone: Counter[str]) -> bool:
    """Return whether the same mark, or a wider one, went away elsewhere; each is counted once."""
    for key in (mark.key, mark.blanket):
        if gone[key] > 0:
            gone[key] -= 1
            return True
    return False


def _marks(pair: Pair, lines: Sequence[Line], together: Line, patterns: Iterable[Pattern]) -> Iterator[Mark]:
    """Yield the matches; `together` are all lines as one: a first look at it is far cheaper than many at each."""
    likely = [pattern for pattern in patterns if pattern.regex.search(pattern.where.of(together))]
    for line in lines if likely else ():
        taken: set[str] = set()
        for pattern in likely:
            text = pattern.where.of(line)[:LINE_LIMIT]
            for match in pattern.regex.finditer(text):
                if pattern.rule_id in taken and not pattern.tail:
                    break
                taken.add(pattern.rule_id)
                detail = _detail(text[match.end() :]) if pattern.tail else ""
                yield Mark(pattern=pattern, pair=pair, line=line.number, text=match[0], detail=detail)


def _detail(rest: str) -> str:
    """Return the codes that follow a suppression, up to the bracket that closes them."""
    ends = [at for at in (rest.find("]"), rest.find(")"), rest.find("*/")) if at >= 0]
    return rest[: min([*ends, 200])].strip(" :[(=,")


def _finding(mark: Mark, severity: Severity) -> Finding:
    shown = " ".join(f"{mark.text} {mark.detail}".split())[:_SHOWN]
    return finding(
        mark.pattern.rule_id, severity, mark.pair.path, mark.line, f"{mark.pattern.message}: `{shown.replace('`', '')}`"
    )


@cache
def spaced(regex: str, flags: int = 0) -> re.Pattern[str]:
    """Return the compiled pattern; a space stands for up to nine blanks, ` +` for at least one, `[ ]` for one.

    So the tables stay legible, and no repetition is unbounded.
    """
    parts = (part.replace(" +", r"\s{1,9}").replace(" ", r"\s{0,9}") for part in regex.split("[ ]"))
    return re.compile("[ ]".join(parts), flags)


def table(
    rule_id: str,
    severity: Severity,
    message: str,
    rows: Iterable[tuple[str | Iterable[Language], Where, str]],
    *,
    tail: bool = False,
) -> tuple[Pattern, ...]:
    """Return patterns of one rule from rows: languages (names between spaces), reading, regular expression (spaced)."""
    return tuple(
        Pattern(
            rule_id=rule_id,
            severity=severity,
            languages=frozenset(map(Language, names.split()) if isinstance(names, str) else names),
            where=where,
            source=regex,
            message=message,
            tail=tail,
        )
        for names, where, regex in rows
    )
