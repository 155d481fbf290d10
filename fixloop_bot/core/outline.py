"""What a source file defines, and on which lines: by the syntax tree in Python, by indentation elsewhere.

Read line by line, so that it takes linear time and no text can be wrong: of badly indented code the pieces are smaller.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fixloop_bot.core.regions import Region, python_tree

LINES_LIMIT = 20_000
"""Lines; what stands below is not looked at."""
WHOLE_LIMIT = 120
"""Lines; a longer function falls into the functions within it, if there are any."""
LINE_LIMIT = 400
"""Characters of a line that are looked at."""
DEEPEST = 40
"""Definitions within each other."""
TAB = 4
"""Columns."""

TEST_BLOCKS = frozenset({"it", "test", "specify", "example", "scenario"})
"""Calls that hold a test."""

_MODIFIERS = frozenset(
    {"export", "default", "async", "public", "private", "protected", "internal", "static", "final", "abstract"}
    | {"override", "virtual", "sealed", "open", "pub", "unsafe", "inline", "declare", "readonly", "suspend", "data"}
    | {"partial", "synchronized"}
)
_CLASSES = frozenset({"class", "module", "namespace", "interface", "trait", "impl", "object"})
_GROUPS = frozenset({"describe", "context", "suite"})
_KEYWORDS = _CLASSES | frozenset(
    {"function", "function*", "def", "func", "fun", "fn", "sub", "struct", "enum", "type", "record", "const", "let"}
    | {"var", "val"}
)
_NO_METHODS = frozenset(
    {"if", "for", "while", "switch", "catch", "return", "function", "match", "elsif", "unless", "until", "super"}
    | {"await", "yield", "throw", "new", "else", "foreach", "using", "lock", "case", "assert", "expect"}
)
_GO_ON = frozenset({"end", "else", "elsif", "rescue", "ensure", "catch", "finally", "where"})
_NAME = re.compile(r"[^\W\d]\w*+[?!]?")
_OPERATOR = re.compile(r"\[\]=?|<=>|==|[+*/%<-]")
_WORD = re.compile(r"\w++")


@dataclass(slots=True)
class Definition:
    """One function, class, constant or block of a test."""

    name: str
    first: int
    last: int
    """Lines, 1-based, both included."""
    container: bool = False
    """A class or the like: its own lines are those that belong to nothing in it."""
    is_test: bool = False
    """A block that a test runner runs."""
    inner: list["Definition"] = field(default_factory=list)
    receiver: str = ""
    """The type that a Go method belongs to."""

    def own(self) -> list[Region]:
        """Return the lines that belong to nothing within."""
        regions, at = [], self.first
        for one in self.inner:
            if one.first > at:
                regions.append((at, one.first - 1))
            at = max(at, one.last + 1)
        return [*regions, (at, self.last)] if at <= self.last else regions


def outline(path: str, text: str) -> list[Definition]:
    """Return the pieces that a file falls into, in the order of their first lines, those within others after them."""
    tree = python_tree(path, text)
    found = list(_python(tree.body)) if tree is not None else _by_lines(text)
    return list(_pieces(found))


def _pieces(found: Sequence[Definition]) -> Iterator[Definition]:
    for one in found:
        if one.inner and not one.container and one.last - one.first < WHOLE_LIMIT:
            one.inner = []
        yield one
        yield from _pieces(one.inner)


def _python(body: Sequence[ast.stmt]) -> Iterator[Definition]:
    for node in body:
        last = node.end_lineno or node.lineno
        if isinstance(node, ast.ClassDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            inner = [one for one in _python(node.body) if one.first > node.lineno and not one.name.isupper()]
            inner = [one for one in inner if one.last - one.first or one.is_test]
            yield Definition(node.name, first, last, container=True, inner=inner)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            yield Definition(node.name, first, last, is_test=node.name.startswith("test"))
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, ast.Name):
                    yield Definition(target.id, node.lineno, last)


@dataclass(slots=True)
class _Open:
    indent: int
    definition: Definition


def _by_lines(text: str) -> list[Definition]:
    roots: list[Definition] = []
    stack: list[_Open] = []
    lines = (line[:LINE_LIMIT].rstrip() for line in text.split("\n")[:LINES_LIMIT])
    for number, line in enumerate(lines, start=1):
        if not line:
            continue
        indent = _indent(line)
        while stack and (indent < stack[-1].indent or (indent == stack[-1].indent and not _goes_on(line))):
            stack.pop()
        for opened in stack:
            opened.definition.last = number
        found = _header(line)
        if found is not None:
            found.first = found.last = number
            (stack[-1].definition.inner if stack else roots).append(found)
            stack.append(_Open(indent, found))
            del stack[DEEPEST:]
    return roots


def _header(line: str) -> Definition | None:
    """Return what begins with this line, its place left open."""
    words = line.split(maxsplit=8)
    first = _WORD.match(words[0])
    name = first[0] if first else ""
    if name in TEST_BLOCKS | _GROUPS and line.endswith(("{", "do", "|", "(")):
        return Definition(name, 0, 0, container=name in _GROUPS, is_test=name in TEST_BLOCKS)
    return _keyed(words) or _constant(line) or _method(line)


def _keyed(words: Sequence[str]) -> Definition | None:
    at = next((index for index, word in enumerate(words) if word not in _MODIFIERS), len(words))
    if words[at : at + 1] == ["const"] and words[at + 1 : at + 2] == ["fn"]:
        at += 1
    if at + 1 >= len(words) or words[at] not in _KEYWORDS:
        return None
    keyword, rest = words[at], " ".join(words[at + 1 :])
    receiver = ""
    if rest.startswith("("):
        inside, _, rest = rest[1:].partition(")")
        receiver, rest = inside.rpartition(" ")[2].lstrip("*"), rest.lstrip()
    name = _NAME.match(rest.removeprefix("self.")) or _OPERATOR.match(rest)
    if name is None:
        return None
    is_test = keyword == "func" and name[0].startswith("Test")
    container = keyword in _CLASSES or (keyword == "type" and "struct" in words)
    return Definition(name[0], 0, 0, container=container, is_test=is_test, receiver=receiver)


def _constant(line: str) -> Definition | None:
    name, equals, value = line.partition("=")
    name = name.strip()
    if equals and name[:1].isupper() and name.isidentifier() and value[:1] not in "=~>":
        return Definition(name, 0, 0)
    return None


def _method(line: str) -> Definition | None:
    """Return a method that no keyword tells: `int total(List<Item> items) {`."""
    head, bracket, _ = line.partition("(")
    words = head.split()
    if not bracket or not words or len(words) > 8 or not line.endswith(("{", ")", ",", "(")):
        return None
    name = words[-1].lstrip("#*&")
    if not name.isidentifier() or _NO_METHODS.intersection(words) or "=" in words:
        return None
    if line.endswith(("{",)) or (len(words) > 1 and _indent(line) <= TAB):
        return Definition(name, 0, 0, is_test=name.startswith("test"))
    return None


def _goes_on(line: str) -> bool:
    """Return whether a line belongs to what began at its indentation: a closing bracket, `end`, `rescue`, a brace."""
    stripped = line.lstrip()
    word = _WORD.match(stripped)
    return stripped[0] in ")]}{" or (word is not None and word[0] in _GO_ON)


def _indent(line: str) -> int:
    blank = line[: len(line) - len(line.lstrip())]
    return len(blank.expandtabs(TAB))
