"""Families of inputs that punish work that grows faster than the input: each makes a text of about a given size."""

import re
from collections.abc import Callable, Iterator
from functools import cache

from tests.hostile.seeds import seeds

Family = Callable[[int], str]
"""Takes a size in characters."""

LINE = 3_900
"""Characters: nearly as long as the lines that a parser looks at."""
SHAPES = 10
"""Lines of a tool's own that are tried."""
_NUMBER = re.compile(r"\d+")


def _run(piece: str) -> Family:
    return lambda size: piece * (size // len(piece) + 1)


def _lines(piece: str, *, start: str = "", end: str = "") -> Family:
    """Return lines of about `LINE` characters: the start, the piece again and again, the end."""
    line = f"{start}{piece * (LINE // len(piece) + 1)}"[:LINE] + end
    return lambda size: f"{line}\n" * (size // len(line) + 1)


def _nested(opening: str, closing: str) -> Family:
    return lambda size: opening * (size // len(opening + closing) + 1) + closing * (size // len(opening + closing) + 1)


def _staircase(line: str) -> Family:
    """Return lines each of which is indented further, as far as a line goes."""
    return lambda size: "".join(f"{' ' * (number % LINE)}{line}\n" for number in range(max(size // (LINE // 2), 64)))


def _entities(size: int) -> str:
    told = "".join(f"<!ENTITY e{n} '{_run(f'&e{n - 1};')(60)}'>" for n in range(1, max(size // 80, 2)))
    return f"<!DOCTYPE t [<!ENTITY e0 'ha'>{told}]><testsuites><testsuite>&e9;</testsuite></testsuites>"


def _attributes(size: int) -> str:
    told = " ".join(f"a{n}='{n}'" for n in range(size // 12))
    return f"<testsuites {told}/>"


GENERAL: dict[str, Family] = {
    "one long line": _run("a"),
    "blanks": _run(" "),
    "line feeds": _run("\n"),
    "short lines": _run("a\n"),
    "carriage returns": _run("a\r"),
    "long words in lines": _lines("a"),
    "blanks in lines": _lines(" ", end="x"),
    "tabs in lines": _lines("\t", start="x", end="x"),
    "digits in lines": _lines("1"),
    "single quotes": _lines("'"),
    "double quotes": _lines('"'),
    "back quotes": _lines("`a "),
    "curly quotes": _lines("\u2018"),
    "brackets": _lines("["),
    "parentheses": _lines("("),
    "colons": _lines("a.py:1:"),
    "colons and blanks": _lines(": "),
    "slashes": _lines("/a.b"),
    "up and up": _lines("../"),
    "dots": _lines("a."),
    "dashes": _lines("a-"),
    "equals signs": _lines("="),
    "underscores": _lines("_"),
    "arrows": _lines("a > "),
    "bars": _lines(" | "),
    "escapes": _lines("\x1b["),
    "words of errors": _lines("Error error: "),
    "places in lines": _lines("at f (/a/b.js:1:2) "),
    "staircase": _staircase("a: b"),
    "nested arrays": _nested("[", "]"),
    "nested objects": _nested('{"a":', "}"),
    "objects that never end": _run('{"a":\n'),
    "braces at line starts": _run("{\n"),
    "nested elements": lambda size: f"<testsuites>{_nested('<testsuite>', '</testsuite>')(size)}</testsuites>",
    "elements that never end": _run('<testsuites name="a">'),
    "an entity bomb": _entities,
    "a test suite of many attributes": _attributes,
}
"""Whatever the tool."""


def of_tool(tool: str) -> dict[str, Family]:
    """Return the families made of a tool's own lines: each again and again, and each torn and stretched."""
    return {
        f"{way} {shown!r}": family
        for line in _shapes(tool)
        for shown in [line.strip()[:40]]
        for way, family in _ways(line)
    }


def _ways(line: str) -> Iterator[tuple[str, Family]]:
    half, head = line[: len(line) // 2], line[: max(len(line) // 4, 1)]
    yield "again and again", _run(f"{line}\n")
    yield "in one line", _lines(f"{line} ")
    yield "half, again and again", _lines(half)
    yield "beginning, then a word", _lines("a", start=head, end="!")
    yield "beginning, then blanks", _lines(" ", start=half, end="!")
    yield "blanks before", _lines(" ", end=line)
    yield "blanks within", _run(f"{line.replace(' ', ' ' * 200)[:LINE]}!\n")
    yield "spelt again", _lines(f"{line.split(maxsplit=1)[0]} " if line.split() else "a ")


@cache
def _shapes(tool: str) -> tuple[str, ...]:
    """Return lines of a tool's real output, of which no two differ in their numbers alone; the rarest shapes first."""
    found: dict[str, str] = {}
    count: dict[str, int] = {}
    for seed in seeds():
        if not seed.is_report and seed.tool == tool:
            for line in seed.content.split("\n"):
                shape = _NUMBER.sub("0", line)
                found.setdefault(shape, line[:400])
                count[shape] = count.get(shape, 0) + 1
    told = [shape for shape in found if len(shape.strip()) > 5 and re.search(r"\w", shape)]
    step = max(len(told) // SHAPES, 1)
    return tuple(found[shape] for shape in told[::step][:SHAPES])
