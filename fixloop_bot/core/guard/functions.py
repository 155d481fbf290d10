"""Functions and their bodies, told by the shape of the text: by indentation, by braces, by `end`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from fixloop_bot.core.guard.languages import BRACES, Language
from fixloop_bot.core.guard.source import Source

MOST = 5_000
"""Functions of one file that are looked at."""
_PYTHON = re.compile(r"^([ \t]{0,80})(?:async[ \t]{1,9})?def[ \t]{1,9}(\w{1,100})[ \t]{0,9}\(", re.MULTILINE)
_RUBY = re.compile(r"^([ \t]{0,80})def[ \t]{1,9}(?:self\.)?(\w{1,100}[?!=]?)", re.MULTILINE)
_BRACED = re.compile(
    r"\b(\w{1,100})\s{0,5}(?:<[^<>(){}\n]{0,100}>)?\s{0,5}\([^(){};]{0,400}\)[^(){};=]{0,80}"
    r"(?:\([^(){};]{0,100}\)\s{0,5})?(?:=>\s{0,5})?\{"
)
_ARROW = re.compile(
    r"\b(?:const|let|var)\s{1,9}(\w{1,100})\s{0,9}(?::[^=\n]{0,100})?=\s{0,9}(?:async\s{0,9})?"
    r"(?:\([^()\n]{0,200}\)|\w{1,100})[^=\n{}]{0,60}=>\s{0,9}"
)
_NO_NAMES = frozenset(
    (
        "if",
        "for",
        "while",
        "switch",
        "catch",
        "match",
        "return",
        "else",
        "with",
        "when",
        "foreach",
        "using",
        "lock",
        "try",
    )
)
_BRACE = re.compile(r"[{}]")


@dataclass(frozen=True, slots=True)
class Function:
    """A function with a body."""

    name: str
    line: int
    """1-based, where its body starts or its head stands."""
    body: str
    """Without comments, a docstring, and the blanks around it."""


def functions(source: Source) -> tuple[Function, ...]:
    """Return the functions of a file, in order; in a language whose shape is not known, none."""
    found: list[Function] = []
    for function in _found(source):
        found.append(function)
        if len(found) >= MOST:
            break
    return tuple(found)


def _found(source: Source) -> Iterator[Function]:
    if source.language is Language.PYTHON:
        yield from _indented(source, _PYTHON)
    elif source.language is Language.RUBY:
        yield from _indented(source, _RUBY)
    elif source.language in BRACES:
        yield from _braced(source)
    if source.language is Language.JAVASCRIPT:
        yield from _arrows(source)


def _indented(source: Source, head: re.Pattern[str]) -> Iterator[Function]:
    """Yield functions whose body is what is indented more than their head."""
    codes, bares = source.code.split("\n"), source.bare.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in codes)]
    line = 0
    for match in head.finditer(source.code):
        while starts[line + 1] <= match.start():
            line += 1
        yield Function(match[2], line + 1, _indented_body(codes, bares, line, len(match[1].expandtabs())))


def _indented_body(codes: list[str], bares: list[str], head: int, indent: int) -> str:
    body: list[str] = []
    first = _body_start(codes, head)
    for number in range(first, min(first + 400, len(codes))):
        line = codes[number]
        if line.strip() and len(line.expandtabs()) - len(line.expandtabs().lstrip()) <= indent:
            break
        body.append(bares[number])
    if first == head + 1 and (inline := re.search(r"\)[^:\n]{0,80}:[ \t]{0,9}(\S.{0,200})$", bares[head])):
        body.insert(0, inline[1])
    return _without_docstring("\n".join(body).strip())


def _body_start(codes: list[str], head: int) -> int:
    """Return the first line after a head whose brackets may span several."""
    depth = 0
    for number in range(head, min(head + 40, len(codes))):
        depth += codes[number].count("(") - codes[number].count(")")
        if depth <= 0:
            return number + 1
    return head + 1


def _without_docstring(body: str) -> str:
    match = re.match(
        r"[rRuU]?(?:\"\"\"[\s\S]*?\"\"\"|'''[\s\S]*?'''|\"[^\"\n]{0,500}\"|" r"'[^'\n]{0,500}')[ \t]{0,9}(?:\n|$)", body
    )
    return body[match.end() :].strip() if match else body


def _braced(source: Source) -> Iterator[Function]:
    closing = _closing(source.code)
    line, counted = 1, 0
    for match in _BRACED.finditer(source.code):
        end = closing.get(match.end() - 1)
        if match[1] in _NO_NAMES or end is None:
            continue
        line += source.code.count("\n", counted, match.start())
        counted = match.start()
        yield Function(match[1], line, source.bare[match.end() : end].strip())


def _closing(code: str) -> dict[int, int]:
    """Return where each opening brace is closed."""
    closing: dict[int, int] = {}
    opened: list[int] = []
    for brace in _BRACE.finditer(code):
        if brace[0] == "{":
            opened.append(brace.start())
        elif opened:
            closing[opened.pop()] = brace.start()
    return closing


def _arrows(source: Source) -> Iterator[Function]:
    """Yield functions that are one expression."""
    line, counted = 1, 0
    for match in _ARROW.finditer(source.code):
        line += source.code.count("\n", counted, match.start())
        counted = match.start()
        end = source.bare.find("\n", match.end())
        rest = source.bare[match.end() : end if end >= 0 else None]
        if not rest.startswith("{"):
            yield Function(match[1], line, f"return {rest.rstrip().rstrip(';')}")
