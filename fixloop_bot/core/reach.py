"""What a test reaches: its calls followed by name through the files that it imports, and those that they import.

Nothing is resolved as a compiler would: a name stands for every definition of it, and the more there are, the less each
of them counts. The limits bound the work, whatever the texts hold.
"""

import heapq
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from fixloop_bot.core.outline import Definition, outline

DECAY = 0.9
"""What a call further away counts less."""
LEAST = 0.02
"""What is reached less surely than this is not followed."""
LIMIT_EDGES = 20_000
"""Calls followed for one test."""
LIMIT_NODES = 5_000
"""Definitions; later ones are passed over."""
LIMIT_LOOKS = 500_000
"""Definitions that are weighed against each other as the meaning of a name, over all names."""
LIMIT_ALIKE = 50
"""Definitions of one name."""
LIMIT_WORDS = 400
"""Different names looked at in one definition."""
OWN = frozenset({"self", "this", "cls", "super"})
UNNAMED = {"__init__": 1.0, "__post_init__": 1.0, "constructor": 1.0, "initialize": 1.0, "__construct": 1.0}
"""Methods that are called by the name of their class; others that nobody names count less."""
_IMPLICIT = frozenset({"each", "to_s", "String", "Error", "toString", "compareTo", "equals", "hashCode", "Less", "fmt"})

_TOKEN = re.compile(r"[^\W\d]\w*+[?!]?")


@dataclass(frozen=True, slots=True)
class Use:
    """A name, and how it is written."""

    name: str
    qualifier: str
    """What stands before its dot; empty for none."""
    called: bool


@dataclass(eq=False, slots=True)
class Node:
    """One definition of one file, with what its own lines name."""

    path: str
    definition: Definition
    owner: str
    """The class around it; empty for none."""
    lines: Sequence[str]
    edges: dict["Node", float] | None = None

    @property
    def text(self) -> str:
        """Return its own lines."""
        return "\n".join("\n".join(self.lines[first - 1 : last]) for first, last in self.regions)

    @property
    def regions(self) -> list[tuple[int, int]]:
        """Return where they stand: all of a function, of a class only what stands before its first function."""
        own = self.definition.own()
        return own[:1] if self.definition.container else own

    @property
    def is_test(self) -> bool:
        """Return whether a test runner runs it."""
        return self.definition.is_test


@dataclass(slots=True)
class Graph:
    """The definitions of some files, by name."""

    nodes: list[Node] = field(default_factory=list)
    by_name: dict[str, list[Node]] = field(default_factory=lambda: defaultdict(list))
    unnamed: dict[str, list[Node]] = field(default_factory=lambda: defaultdict(list))
    """Methods that are called without being named, by their class."""
    looks: int = 0

    def add(self, path: str, text: str) -> list[Node]:
        """Take a file's definitions in, and return them."""
        lines = text.split("\n")
        added: list[Node] = []
        owners: list[tuple[int, str]] = []
        for found in outline(path, text)[: LIMIT_NODES - len(self.nodes)]:
            while owners and owners[-1][0] < found.first:
                owners.pop()
            owner = found.receiver or (owners[-1][1] if owners else "")
            added.append(Node(path, found, owner, lines))
            if found.container:
                owners.append((found.last, found.name))
        self.nodes += added
        for node in added:
            if not node.is_test:
                self.by_name[node.definition.name].append(node)
            if _unnamed(node.definition.name):
                self.unnamed[node.owner].append(node)
        return added

    def reached(self, start: Sequence[Node], loose: Iterable[Use] = ()) -> dict[Node, float]:
        """Return what is reached from a test (its own definitions left out), each with how surely, at most 1.

        `loose` are uses that belong to no definition, such as what stands around a test.
        """
        best: dict[Node, float] = {}
        heap = [(-1.0, order, node) for order, node in enumerate(start)]
        heap += [
            (-weight / 2, len(heap) + order, node)
            for order, (node, weight) in enumerate(self._resolve(loose, start[0] if start else None).items())
        ]
        heapq.heapify(heap)
        count = len(heap)
        while heap and count < LIMIT_EDGES:
            negative, _, node = heapq.heappop(heap)
            if node in best:
                continue
            best[node] = -negative
            for other, weight in self._edges(node).items():
                count += 1
                sure = -negative * weight * DECAY
                if other not in best and sure >= LEAST:
                    heapq.heappush(heap, (-sure, count, other))
        return best

    def _edges(self, node: Node) -> dict[Node, float]:
        if node.edges is None:
            told = (use for use in uses(node.text) if use.qualifier or use.name != node.definition.name)
            node.edges = self._resolve(told, node)
            node.edges.pop(node, None)
        return node.edges

    def _resolve(self, found: Iterable[Use], user: Node | None) -> dict[Node, float]:
        edges: dict[Node, float] = {}
        for use in found:
            named = self._candidates(use, user)
            weight = _weight(use) / max(len(named), 1) ** 0.5
            for node in named:
                edges[node] = max(edges.get(node, 0.0), weight)
                if node.definition.container:
                    for inner in self.unnamed.get(node.definition.name, ())[:LIMIT_ALIKE]:
                        edges[inner] = max(edges.get(inner, 0.0), weight * UNNAMED.get(inner.definition.name, 0.8))
        return edges

    def _candidates(self, use: Use, user: Node | None) -> list[Node]:
        """Return what a use can mean: of the same class or file, or of what is named before the dot, where such is."""
        alike = self.by_name.get(use.name, [])[:LIMIT_ALIKE] if self.looks < LIMIT_LOOKS else []
        self.looks += len(alike)
        named = [node for node in alike if node is not user]
        if not use.qualifier or use.qualifier in OWN:
            own = [node for node in named if user is not None and node.path == user.path]
            return [node for node in own if user is not None and node.owner == user.owner] or own or named
        low = use.qualifier.lower().strip("_")
        told = [node for node in named if low in (node.owner.lower(), *_places(node.path))]
        return told or named


def uses(text: str) -> Iterator[Use]:
    """Yield the names in a text, each way of writing once; plain strings and whole lines of comment are passed over."""
    seen: set[Use] = set()
    for line in _code(text):
        before, ended = "", -2
        for token in _TOKEN.finditer(line):
            start, end = token.span()
            dotted = start > 0 and (line[start - 1] == "." or line[max(start - 2, 0) : start] in ("::", "->", ".#"))
            close = 0 <= start - ended <= 3
            qualifier = (before if close else "?") if dotted else ""
            name = token[0] if line[end : end + 1] != "=" else token[0].rstrip("?!")
            use = Use(name, qualifier, line[end : end + 1] == "(")
            before, ended = token[0].rstrip("?!"), end
            if use not in seen and len(seen) < LIMIT_WORDS:
                seen.add(use)
                yield use


def _code(text: str) -> Iterator[str]:
    outside = "".join(text.split('"""')[::2])
    for line in outside.split("\n"):
        stripped = line[:1_000].strip()
        if not stripped.startswith(("# ", "//", "* ", "/*", "--")):
            parts = enumerate(stripped.split('"'))
            yield '"'.join(part if index % 2 == 0 or "{" in part else "" for index, part in parts)


def _unnamed(name: str) -> bool:
    return name in UNNAMED or name in _IMPLICIT or name.startswith("__") or not name[0].isidentifier()


def _weight(use: Use) -> float:
    if use.called or use.qualifier:
        return 1.0
    return 0.9 if use.name[:1].isupper() else 0.7


def _places(path: str) -> tuple[str, str]:
    """Return what a file may be called before a dot: its name without ending, and its folder's."""
    parts = path.lower().split("/")
    return parts[-1].partition(".")[0].strip("_"), parts[-2] if len(parts) > 1 else ""
