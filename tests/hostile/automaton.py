"""A regular expression as the automaton that `re` walks by backtracking: one state for each character it can consume.

This is Glushkov's construction over the tree that `re._parser` makes. It simplifies so that more is taken for possible
than is:

* Characters are a small alphabet: ASCII, and a few characters from elsewhere.
* A repetition `{m,n}` is a loop where `n` is at least `loop_from`, else it is passed once.
* An assertion within the expression always holds; one at its beginning tells what may stand before a match.
* A back reference matches whatever its group could match; the body of a lookaround is not looked at.
"""

import re
import re._constants as op  # type: ignore[import-not-found]
import re._parser as sre  # type: ignore[import-not-found]
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import takewhile
from typing import Any

_ELSEWHERE = "\u00b5\u00e9\u0416\u2014\u2018\u2019\u2026\u2502\u276f\u2713\u2715\u25cf\ue000"
ALPHABET = frozenset([*map(chr, range(128)), *_ELSEWHERE])
_ASSERTIONS = frozenset({op.AT, op.ASSERT, op.ASSERT_NOT})

Tree = Sequence[tuple[Any, Any]]


@dataclass(slots=True)
class Part:
    """A piece of the expression: whether it can match nothing, and where it can begin and end."""

    empty: bool = True
    first: frozenset[int] = frozenset()
    last: frozenset[int] = frozenset()


@dataclass(slots=True)
class Automaton:
    """States are numbers; state 0 stands for all that a search skips before the match begins."""

    loop_from: int
    ways: bool
    """Ways through loops are counted: one whose every round keeps what it took (`++`) then has no second way back."""
    chars: list[frozenset[str]] = field(default_factory=lambda: [ALPHABET])
    follow: dict[int, set[int]] = field(default_factory=lambda: {0: set()})
    ends: frozenset[int] = frozenset()
    """States after which the match is complete."""
    doubled: set[int] = field(default_factory=set)
    """States that a loop in a loop can repeat in two ways."""
    sealed: dict[int, frozenset[int]] = field(default_factory=dict)
    """The atomic groups and possessive repetitions around a state: once left, they are not entered again."""
    groups: dict[int, Tree] = field(default_factory=dict)
    """What the numbered groups are made of, for back references."""
    inside: list[int] = field(default_factory=list)
    """Those around the node that is being built."""
    demands: dict[int, frozenset[str]] = field(default_factory=dict)
    """What must stand before a state where a match begins with it: nothing at all for an anchored one."""
    uncertain_end: bool = False
    """An assertion closes the expression: that a complete match is reached does not make it one."""

    def state(self, chars: frozenset[str]) -> Part:
        number = len(self.chars)
        self.chars.append(chars)
        self.follow[number] = set()
        self.sealed[number] = frozenset(self.inside)
        return Part(empty=False, first=frozenset({number}), last=frozenset({number}))

    def join(self, lefts: Iterable[int], rights: frozenset[int]) -> None:
        for left in lefts:
            self.follow[left] |= rights


def automaton(pattern: re.Pattern[str], *, search: bool, loop_from: int, ways: bool) -> Automaton:
    """Return the pattern's automaton; with `search`, state 0 loops over what stands before the match."""
    tree = sre.parse(pattern.pattern, pattern.flags)
    built = Automaton(loop_from, ways)
    whole = _sequence(built, tree, pattern.flags)
    built.ends = whole.last
    built.uncertain_end = bool(tree) and _closes_with_assertion(tree)
    if search:
        _begin(built, whole)
    return built


def _closes_with_assertion(tree: Tree) -> bool:
    kind, value = tree[-1]
    if kind is op.SUBPATTERN:
        return bool(value[3]) and _closes_with_assertion(value[3])
    if kind is op.BRANCH:
        return any(bool(one) and _closes_with_assertion(one) for one in value[1])
    return kind in _ASSERTIONS


def _begin(built: Automaton, whole: Part) -> None:
    """Let state 0 skip anything, then pass the one character that an assertion at the beginning demands."""
    built.follow[0].add(0)
    for number in sorted(whole.first):
        demanded = built.demands.get(number, ALPHABET)
        gate = built.state(demanded).last if demanded and demanded != ALPHABET else frozenset({0})
        built.join(gate if demanded else (), frozenset({number}))
        built.join([0], gate if demanded else frozenset())


def _demand(built: Automaton, node: tuple[Any, Any], flags: int, first: frozenset[int]) -> frozenset[str]:
    """Return what an assertion at the beginning lets stand before a match that begins within a text."""
    kind, value = node
    if kind is op.AT and value in {op.AT_BEGINNING, op.AT_BEGINNING_STRING}:
        return frozenset("\n") if flags & re.MULTILINE and value is op.AT_BEGINNING else frozenset()
    if kind is op.AT and value is op.AT_BOUNDARY:
        words = _matching(r"\w", 0)
        return ALPHABET - words if all(built.chars[number] <= words for number in first) else ALPHABET
    if kind in {op.ASSERT, op.ASSERT_NOT} and value[0] < 0 and len(value[1]) == 1:
        chars = _chars(value[1][0], flags)
        return ALPHABET if chars is None else chars if kind is op.ASSERT else ALPHABET - chars
    return ALPHABET


@cache
def _matching(source: str, flags: int) -> frozenset[str]:
    compiled = re.compile(source, flags & (re.IGNORECASE | re.DOTALL | re.ASCII))
    return frozenset(char for char in ALPHABET if compiled.fullmatch(char))


_CATEGORIES = {
    op.CATEGORY_DIGIT: r"\d",
    op.CATEGORY_NOT_DIGIT: r"\D",
    op.CATEGORY_SPACE: r"\s",
    op.CATEGORY_NOT_SPACE: r"\S",
    op.CATEGORY_WORD: r"\w",
    op.CATEGORY_NOT_WORD: r"\W",
}


def _chars(node: tuple[Any, Any], flags: int) -> frozenset[str] | None:
    """Return the characters that a node for one character takes, None for any other node."""
    kind, value = node
    if kind is op.ANY:
        return _matching(".", flags)
    if kind is op.LITERAL:
        return _matching(re.escape(chr(value)), flags)
    if kind is op.NOT_LITERAL:
        return ALPHABET - _matching(re.escape(chr(value)), flags)
    if kind is op.IN:
        return _class(value, flags)
    return None


def _class(items: Tree, flags: int) -> frozenset[str]:
    found: frozenset[str] = frozenset()
    for kind, value in items:
        if kind is op.LITERAL:
            found |= _matching(re.escape(chr(value)), flags)
        elif kind is op.RANGE:
            found |= _matching(f"[{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}]", flags)
        elif kind is op.CATEGORY:
            found |= _matching(_CATEGORIES[value], flags)
    return ALPHABET - found if items[0][0] is op.NEGATE else found


def _sequence(built: Automaton, tree: Tree, flags: int) -> Part:
    whole = Part()
    for node in tree:
        part = _node(built, node, flags)
        built.join(whole.last, part.first)
        whole = Part(
            empty=whole.empty and part.empty,
            first=whole.first | part.first if whole.empty else whole.first,
            last=whole.last | part.last if part.empty else part.last,
        )
    for node in takewhile(lambda node: node[0] in _ASSERTIONS, tree):
        demanded = _demand(built, node, flags, whole.first)
        for number in whole.first:
            built.demands[number] = built.demands.get(number, ALPHABET) & demanded
    return whole


def _node(built: Automaton, node: tuple[Any, Any], flags: int) -> Part:
    kind, value = node
    chars = _chars(node, flags)
    if chars is not None:
        return built.state(chars)
    if kind is op.SUBPATTERN:
        built.groups[value[0]] = value[3]
        return _sequence(built, value[3], (flags | value[1]) & ~value[2])
    if kind is op.GROUPREF:
        return _sequence(built, built.groups[value], flags)
    if kind in {op.BRANCH, op.GROUPREF_EXISTS}:
        return _either([_alternative(built, one or [], flags) for one in _alternatives(node)])
    return _loop_or_atom(built, node, flags)


def _loop_or_atom(built: Automaton, node: tuple[Any, Any], flags: int) -> Part:
    """Build a repetition, or a group that keeps what it has taken."""
    kind, value = node
    if kind is op.ATOMIC_GROUP:
        return _sealed(built, lambda: _sequence(built, value, flags))
    if kind is op.POSSESSIVE_REPEAT:
        return _sealed(built, lambda: _repeated(built, value, flags, loop=not built.ways))
    if kind in {op.MAX_REPEAT, op.MIN_REPEAT}:
        return _repeated(built, value, flags, loop=True)
    return Part()  # an assertion


def _alternatives(node: tuple[Any, Any]) -> Sequence[Tree | None]:
    kind, value = node
    found: Sequence[Tree | None] = value[1] if kind is op.BRANCH else value[1:]
    return found


def _alternative(built: Automaton, tree: Tree, flags: int) -> Part:
    """Build one of several: a bare `^` among them is the line feed before it, or no place that a search comes to."""
    if len(tree) == 1 and tree[0] == (op.AT, op.AT_BEGINNING):
        return built.state(frozenset("\n") if flags & re.MULTILINE else frozenset())
    return _sequence(built, tree, flags)


def _sealed(built: Automaton, build: Callable[[], Part]) -> Part:
    built.inside.append(len(built.chars))
    part = build()
    built.inside.pop()
    return part


def _either(parts: Sequence[Part]) -> Part:
    return Part(
        empty=any(part.empty for part in parts),
        first=frozenset().union(*(part.first for part in parts)),
        last=frozenset().union(*(part.last for part in parts)),
    )


def _repeated(built: Automaton, value: tuple[int, int, Tree], flags: int, *, loop: bool) -> Part:
    least, most, body = value
    part = _sequence(built, body, flags)
    if loop and most >= built.loop_from:
        for left in part.last:
            if part.first & built.follow[left]:
                built.doubled.add(left)
        built.join(part.last, part.first)
    return Part(empty=least == 0 or part.empty, first=part.first, last=part.last)
