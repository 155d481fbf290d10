"""Answers made for the failing test alone: a branch on its input that gives its expected value, or a fixed result."""

import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from fixloop_bot.core.guard.functions import Function, functions
from fixloop_bot.core.guard.languages import Language
from fixloop_bot.core.guard.literals import LITERAL, expected, plain, telling
from fixloop_bot.core.guard.marks import spaced
from fixloop_bot.core.guard.review import Review, finding
from fixloop_bot.core.guard.source import LINE_LIMIT, Line, Pair
from fixloop_bot.model.guard import Finding, Severity

_NEAR = 3
"""Lines below a condition in which its result is looked for."""
_SIBLING_LINES = 12
_SIBLINGS = 2
"""Branches of the same shape that were there already: then a further one is how the code is written."""

_CONDITION = spaced(
    r"(?:[=!]==?|\bis\b|\bin\b|\beql?\?|\.equals\(|\.eq\(|\bcase\b|\bwhen\b|\bmatches!\() [\[({]{0,2} &?"
    rf"({LITERAL})(?! [*/%+<-])|(?<![%*/+-])(?<![%*/+-][ ])({LITERAL}) (?:===?(?!>)|\.equals\()"
)
_ARM = spaced(
    rf"({LITERAL}) =>|[{{,] ({LITERAL}) :(?!:)"
    rf"|^\s{{0,80}}[\[(]?({LITERAL}) (?:, {LITERAL} ){{0,4}}[\])]? (?:=>|->|:(?!:))"
)
"""A case of a table: a match arm, an entry of a map."""
_IN_LIST = spaced(rf", ({LITERAL})(?= [,\])}}])")
_RESULT = spaced(
    rf"\breturn +(?:Ok|Some|Decimal|Ok\(Some)?\(?[\[{{]? ({LITERAL})(?! [.+*/%(\[<-])"
    rf"|(?:\?|\belse\b|\bthen\b|=>|->|:|:=|(?<![=!<>])=(?!=)|\{{) ({LITERAL})(?= (?:[;,:}})]|$|\bif\b))"
    rf"|^\s{{0,80}}({LITERAL}) ;? $"
)
_CONSTANT = spaced(rf"(?:return\b (?:\( )?)?({LITERAL}) \)? ;?")


@dataclass(frozen=True)
class _Branch:
    """A condition on literals with a literal result."""

    line: int
    inputs: frozenset[str]
    results: frozenset[str]

    @cached_property
    def telling(self) -> bool:
        """Return whether its literals say that it is about one case."""
        return any(map(telling, self.inputs)) and any(map(telling, self.results))


def special_cases(review: Review) -> Iterator[Finding]:
    """Yield branches and fixed results that are made of the failing tests' own values."""
    wanted = expected(review.change.expectations)
    if not wanted:
        return
    for pair in review.product:
        if pair.language is not Language.OTHER:
            yield from _branches_for(pair, wanted)
            yield from _fixed_results(pair, wanted)


def _branches_for(pair: Pair, wanted: frozenset[str]) -> Iterator[Finding]:
    added = {line.number for line in pair.added}
    branches = list(_branches(pair.after.lines, _around(added)))
    there = [branch.line for branch in branches if branch.line not in added and branch.results]
    for branch in branches:
        if branch.line not in added or not branch.inputs <= wanted:
            continue
        results = branch.results & wanted
        if not results or not (any(map(telling, results)) or any(map(telling, branch.inputs))):
            continue
        siblings = sum(abs(line - branch.line) <= _SIBLING_LINES for line in there)
        severity = Severity.HIGH if branch.telling and siblings < _SIBLINGS else Severity.MEDIUM
        message = f"the failing test's own value {_shown(branch.inputs)} is answered with its expected value"
        yield finding("special-cased-value", severity, pair.path, branch.line, message)


def _around(numbers: set[int]) -> set[int]:
    """Return the lines with those near them, where a sibling may stand."""
    return {near for n in numbers for near in range(n - _SIBLING_LINES, n + _SIBLING_LINES + 1)}


def _branches(lines: Sequence[Line], wanted: Container[int]) -> Iterator[_Branch]:
    """Yield the branches on the wanted lines, each with the literals of its condition and of the result below it."""
    for at, line in enumerate(lines):
        if line.number not in wanted:
            continue
        text = line.bare[:LINE_LIMIT]
        found = list(_CONDITION.finditer(text)) or list(_ARM.finditer(text))
        conditions = [match for match in found if line.code[match.start() : match.end()].strip()]
        if not conditions:
            continue
        inputs = {plain(next(filter(None, match.groups()))) for match in conditions}
        last = conditions[-1].end()
        inputs |= {plain(match[1]) for match in _IN_LIST.finditer(text, conditions[0].start(), last + 120)}
        results = _results(text, last, before=conditions[0].start())
        for below in lines[at + 1 : at + 1 + _NEAR]:
            if results or _CONDITION.search(below.bare[:LINE_LIMIT]):
                break
            results = _results(below.bare[:LINE_LIMIT], 0)
        yield _Branch(line.number, frozenset(inputs), results)


def _results(text: str, start: int, *, before: int = 0) -> frozenset[str]:
    """Return the results from `start` on, and, in `return X if …`, what stands before the condition."""
    found = {plain(next(filter(None, match.groups()))) for match in _RESULT.finditer(text, max(start - 2, 0))}
    ahead = _RESULT.search(text, 0, before) if before else None
    if ahead and re.search(r"\bif\b|\bunless\b", text[ahead.end() : before]):
        found.add(plain(next(filter(None, ahead.groups()))))
    return frozenset(found)


def _fixed_results(pair: Pair, wanted: frozenset[str]) -> Iterator[Finding]:
    """Yield the functions that computed something and now give one expected value whatever they are asked."""
    computed = Counter(f.name for f in functions(pair.before) if not _constant(f))
    for function in functions(pair.after):
        value = _constant(function)
        if value and value in wanted and computed[function.name] > 0:
            severity = Severity.HIGH if telling(value) else Severity.MEDIUM
            message = f"`{function.name[:60]}` computed its result and now always gives the expected value"
            yield finding("hardcoded-result", severity, pair.path, function.line, message)


def _constant(function: Function) -> str:
    match = _CONSTANT.fullmatch(function.body[:LINE_LIMIT])
    return plain(match[1]) if match else ""


def _shown(values: frozenset[str]) -> str:
    return ", ".join(sorted(value.partition(":")[2][:40] for value in values)[:3])
