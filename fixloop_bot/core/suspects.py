"""Which definitions most likely hold the fault: those that failing tests reach by name, and passing ones do not.

The measure is Ochiai's (Abreu, Zoeteweij, van Gemund, 2006), over what tests can reach instead of what they covered.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from fixloop_bot.core.neighbours import Neighbours
from fixloop_bot.core.outline import TEST_BLOCKS
from fixloop_bot.core.reach import Graph, Node, Use, uses
from fixloop_bot.core.words import distinctive, words
from fixloop_bot.model.context import ChangedLines

DEPTH = 5
"""Imports followed one after another."""
TESTS_LIMIT = 40
"""Failing tests looked at, and as many passing ones."""
TRACED = 2.0
"""What a definition in a stack trace counts more."""
CHANGED = 2.0
"""What a definition counts more in which the branch has changed something."""
SHARED = 2.0
"""What a definition that every failing test reaches counts more."""
HEAD = 0.2
"""What the head of a class counts less than a function."""
WORDS = 0.5
"""What words can add that the failing tests have and the passing ones have not."""
SMALLEST, SIZE = 100, 0.3
"""Of two that are as suspect the shorter goes first: a score is divided by (characters, at least so many) ** SIZE."""
LONGEST, ALL = 200_000, 2_000_000
"""Characters of a file that is read for what it defines, and of all of them."""
_IMPORTS = ("import", "from ", "use ", "package", "require", "}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Failing:
    """Where tests failed."""

    places: Mapping[str, Collection[int]]
    """ChangedLines by test file, in the order of the failures."""
    names: Collection[str]
    """The names of the failing tests' functions, where their runner tells them."""
    traced: Mapping[str, Collection[int]]
    """ChangedLines of other files in stack traces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspicion:
    """What is suspected, and which tests say so."""

    chars: int = 0
    """Of all the code that was read, the tests' own files left out."""
    tests: tuple[Node, ...] = ()
    """The failing ones, that which reaches least first."""
    suspects: tuple[tuple[Node, float], ...] = ()
    """With their scores, most suspect first."""


@dataclass(slots=True)
class _Reading:
    """The files that were read, and what they define."""

    graph: Graph
    texts: dict[str, str]

    def loose(self, path: str) -> list[Use]:
        """Return what a test file names outside of all its definitions, its imports left out."""
        lines = self.texts[path].split("\n")
        for node in self.graph.nodes:
            if node.path == path:
                first, last = node.definition.first, node.definition.last
                lines[first - 1 : last] = [""] * (last - first + 1)
        return list(uses("\n".join(line for line in lines if not line.startswith(_IMPORTS))))


def suspicion(
    failing: Failing,
    read: Callable[[str], str | None],
    neighbours: Neighbours,
    changed: Callable[[Sequence[str]], ChangedLines] = lambda _: {},
) -> Suspicion:
    """Return the definitions that the failing tests reach, most suspect first.

    `changed` says which lines of some files the branch has changed; it is asked once.
    """
    reading = _gather(list(failing.places), read, neighbours)
    failed, passed = _tests(reading.graph, failing)
    if not failed:
        return Suspicion()
    loose = {path: reading.loose(path) for path in {test.path for test in failed}}
    reached = [reading.graph.reached([test], loose[test.path]) for test in failed]
    besides = [reading.graph.reached([test], loose.get(test.path, ())) for test in passed]
    for node in reading.graph.nodes:
        if _holds(node, failing.traced):
            for one in reached:
                one.setdefault(node, 0.5)
    new = changed(list(reading.texts)) if len(reading.texts) > len(failing.places) else {}
    scores = _ochiai(reached, besides)
    told = distinctive([test.text for test in failed], [test.text for test in passed])
    weights = _weights({node: words(node.text) for node in scores if not node.is_test}, told)
    scored = {node: scores[node] * weight * _prior(node, failing, new) for node, weight in weights.items()}
    order = sorted(range(len(failed)), key=lambda index: sum(reached[index].values()))
    return Suspicion(
        chars=sum(len(text) for path, text in reading.texts.items() if path not in failing.places),
        tests=tuple(failed[index] for index in order),
        suspects=tuple(sorted(scored.items(), key=lambda pair: -pair[1])),
    )


def _gather(paths: Sequence[str], read: Callable[[str], str | None], neighbours: Neighbours) -> _Reading:
    """Read the files, and those that they use, nearest first."""
    reading = _Reading(Graph(), {})
    waiting: list[tuple[str, ...]] = [(path,) for path in paths]
    for _ in range(DEPTH + 1):
        following: list[tuple[str, ...]] = []
        for group in waiting:
            if any(path in reading.texts for path in group):
                continue
            found = next(((path, text) for path in group if (text := read(path)) is not None), None)
            room = ALL - sum(map(len, reading.texts.values()))
            if found is not None and len(found[1]) <= min(LONGEST, room):
                reading.texts[found[0]] = found[1]
                reading.graph.add(*found)
                following += neighbours.of(*found)
        waiting = following
    return reading


def _tests(graph: Graph, failing: Failing) -> tuple[list[Node], list[Node]]:
    """Return the failing and the passing tests of the files in which a test failed."""
    failed: list[Node] = []
    passed: list[Node] = []
    for node in graph.nodes:
        if node.is_test and node.path in failing.places:
            lines = failing.places[node.path]
            named = node.definition.name in failing.names and node.definition.name not in TEST_BLOCKS
            fails = named or any(_within(node, line) for line in lines)
            (failed if fails else passed).append(node)
    return failed[:TESTS_LIMIT], passed[:TESTS_LIMIT]


def _within(node: Node, line: int) -> bool:
    return node.definition.first <= line <= node.definition.last


def _holds(node: Node, places: Mapping[str, Collection[int]]) -> bool:
    return any(first <= line <= last for line in places.get(node.path, ()) for first, last in node.regions)


def _ochiai(reached: Sequence[Mapping[Node, float]], besides: Sequence[Mapping[Node, float]]) -> dict[Node, float]:
    """Return how suspect each node is. A failing test counts the more, the less it reaches."""
    sizes = [sum(one.values()) for one in reached]
    shares = [min(sizes) / size for size in sizes]
    failing: dict[Node, float] = defaultdict(float)
    times: dict[Node, int] = defaultdict(int)
    passing: dict[Node, float] = defaultdict(float)
    for one, share in zip(reached, shares, strict=True):
        for node, sure in one.items():
            failing[node] += share * sure
            times[node] += 1
    for one in besides:
        for node, sure in one.items():
            passing[node] += sure
    return {
        node: (SHARED if times[node] == len(reached) else 1.0)
        * weight
        / math.sqrt(sum(shares) * (weight + passing.get(node, 0.0)))
        for node, weight in failing.items()
    }


def _weights(found: Mapping[Node, Collection[str]], told: Mapping[str, float]) -> dict[Node, float]:
    """Return what each node counts more for the rarest word that it shares with the failing tests alone."""
    often: dict[str, int] = defaultdict(int)
    for name in (name for names in found.values() for name in names):
        often[name] += 1
    most = math.log(1 + len(found))

    def best(names: Iterable[str]) -> float:
        return max((told[name] * math.log(1 + len(found) / often[name]) for name in names if name in told), default=0.0)

    return {node: 1.0 + WORDS * best(names) / most for node, names in found.items()}


def _prior(node: Node, failing: Failing, new: ChangedLines) -> float:
    prior = TRACED if _holds(node, failing.traced) else 1.0
    if _holds(node, new):
        prior *= CHANGED
    if node.definition.container:
        prior *= HEAD
    return prior / float(max(len(node.text), SMALLEST) ** SIZE)
