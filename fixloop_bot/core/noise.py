"""What differs between two runs on the same tree: learned, where no pattern could know it."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from fixloop_bot.core.errorlines import error_lines
from fixloop_bot.model.fingerprint import Fingerprint

WILD = "\ue001"
"""Stands in a learned line for a token that differed."""
_TOKENS = re.compile(r"\w+|\W")
_MAX_LINES = 4_000
_MAX_TRIED = 60
_MAX_TOKENS = 400


def learned_noise(first: Sequence[str], second: Sequence[str]) -> frozenset[str]:
    """Return the masked lines that differ between two runs.

    Two lines that differ in few words become one, with `WILD` for those words; a line without a counterpart stands
    as it is. Both are in the form that `Noise` takes.
    """
    only_first = _only_in(first, second)
    left: dict[int, list[list[str]]] = defaultdict(list)
    for line in _only_in(second, first):
        tokens = _tokens(line)
        left[len(tokens)].append(tokens)
    learned: set[str] = set()
    for line in only_first:
        learned.add(_claim(_tokens(line), left))
    learned.update("".join(tokens) for rest in left.values() for tokens in rest)
    return frozenset(learned)


def noise_between(first: Fingerprint, second: Fingerprint) -> frozenset[str]:
    """Return what differs between two runs of one failure on the same tree: a run's learned noise.

    Nothing where other items fail: that is another failure, or a flaky one, and no noise. A line that looks like an
    error and has no counterpart is none either.
    """
    if first.items != second.items:
        return frozenset()
    ours, theirs = _said(first), _said(second)
    learned = (learned_noise(ours[key], theirs[key]) for key in ours.keys() & theirs.keys())
    return frozenset(line for lines in learned for line in lines if WILD in line or not _is_error(line))


def _is_error(line: str) -> bool:
    return next(error_lines(line), None) is not None


def _said(known: Fingerprint) -> dict[tuple[str, str], list[str]]:
    said: dict[tuple[str, str], list[str]] = defaultdict(list)
    for detail in known.details:
        said[detail.item, detail.rule] += detail.said
    return said


class Noise:
    """A run's learned noise, ready to be taken out of lines."""

    def __init__(self, learned: Iterable[str] = ()) -> None:
        lines = frozenset(learned)
        self._whole = frozenset(line for line in lines if WILD not in line)
        self._wild: dict[int, list[list[str]]] = defaultdict(list)
        for line in sorted(lines - self._whole):
            tokens = _tokens(line)
            self._wild[len(tokens)].append(tokens)

    def without(self, line: str) -> str:
        """Return the line, its volatile words as `WILD`; empty for a line that is all noise."""
        if line in self._whole:
            return ""
        if not self._wild:
            return line
        tokens = _tokens(line)
        for learned in self._wild.get(len(tokens), ())[:_MAX_TRIED]:
            if all(known in (WILD, token) for known, token in zip(learned, tokens, strict=True)):
                return "".join(learned)
        return line


def _tokens(line: str) -> list[str]:
    return _TOKENS.findall(line)[:_MAX_TOKENS]


def _only_in(lines: Sequence[str], other: Sequence[str]) -> list[str]:
    """Return the non-blank lines that occur more often here than there."""
    surplus = Counter(line for line in lines[-_MAX_LINES:] if line) - Counter(other)
    return list(surplus)


def _claim(tokens: list[str], left: dict[int, list[list[str]]]) -> str:
    """Merge a line with the first of the other run's lines that has the same shape; as it is if there is none."""
    candidates = left.get(len(tokens), [])
    for index, other in enumerate(candidates[:_MAX_TRIED]):
        words = [pair for pair in zip(tokens, other, strict=True) if pair[0][:1].isalnum() or pair[1][:1].isalnum()]
        same = sum(mine == theirs for mine, theirs in words)
        if same * 2 >= len(words) and same:
            del candidates[index]
            return "".join(mine if mine == theirs else WILD for mine, theirs in zip(tokens, other, strict=True))
    return "".join(tokens)
