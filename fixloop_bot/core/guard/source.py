"""A file as the guard reads it: line by line, code, strings and comments apart."""

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property

from fixloop_bot.core.guard.languages import Language, language_of
from fixloop_bot.core.guard.scan import Kind, Span, spans
from fixloop_bot.core.regions import python_tree

_NOT_NEWLINE = re.compile(r"[^\n]")


@dataclass(frozen=True, slots=True)
class Line:
    """One line in its three readings, each with the columns of the text."""

    number: int
    """1-based."""
    code: str
    """Without comments, the insides of strings blank."""
    bare: str
    """Without comments, strings as they are."""
    comment: str
    """Comments alone."""


@dataclass(frozen=True)
class Source:
    """One version of a file."""

    path: str
    text: str
    language: Language = field(default=Language.OTHER)

    @cached_property
    def spans(self) -> list[Span]:
        """Return comments and strings."""
        return list(spans(self.text, self.language))

    @cached_property
    def code(self) -> str:
        """Return the text with comments and the insides of strings blank."""
        return self._blanked({Kind.COMMENT: 0, Kind.STRING: 1})

    @cached_property
    def bare(self) -> str:
        """Return the text with comments blank."""
        return self._blanked({Kind.COMMENT: 0})

    @cached_property
    def lines(self) -> list[Line]:
        """Return all lines."""
        codes, bares, texts = self.code.split("\n"), self.bare.split("\n"), self.text.split("\n")
        if not any(kind is Kind.COMMENT for _, _, kind in self.spans):
            return [Line(n, c, b, "") for n, (c, b) in enumerate(zip(codes, bares, strict=True), start=1)]
        zipped = enumerate(zip(codes, bares, texts, strict=True), start=1)
        return [Line(n, code, bare, _comment(bare, text)) for n, (code, bare, text) in zipped]

    @cached_property
    def tree(self) -> object:
        """Return Python's syntax tree, None for other languages and for text that does not parse."""
        return python_tree(self.path, self.text)

    def _blanked(self, keep: dict[Kind, int]) -> str:
        """Return the text with spans of these kinds blank but for so many characters at each end."""
        parts, at = [], 0
        for start, end, kind in self.spans:
            if kind in keep and end - start > 2 * keep[kind]:
                first, last = start + keep[kind], end - keep[kind]
                parts += [self.text[at:first], _NOT_NEWLINE.sub(" ", self.text[first:last])]
                at = last
        return "".join((*parts, self.text[at:]))


def _comment(bare: str, text: str) -> str:
    """Return what is blank in `bare` and not in `text`: the comments."""
    if bare == text:
        return ""
    return "".join(c if b != c else " " for b, c in zip(bare, text, strict=True))


def source_of(path: str, text: str) -> Source:
    """Return a file's text as a source of its language; newlines are made plain."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return Source(path, plain, language_of(path, plain))


@dataclass(frozen=True)
class Pair:
    """A file before and after a change; a missing end is an empty source."""

    path: str
    before: Source
    after: Source
    new: bool
    test: bool
    """Its name is a test's, or it lies among the tests."""

    @cached_property
    def added(self) -> list[Line]:
        """Return the lines that only the file after has, each as often as it is more there, however it was moved."""
        return _excess(self.after.lines, self.before.lines)

    @cached_property
    def removed(self) -> list[Line]:
        """Return the lines that only the file before has."""
        return _excess(self.before.lines, self.after.lines)

    @property
    def language(self) -> Language:
        """Return the language, that of the file before where it is deleted."""
        return self.after.language if self.after.text else self.before.language


def _excess(lines: list[Line], others: list[Line]) -> list[Line]:
    left = Counter((line.bare, line.comment) for line in others)
    found = []
    for line in lines:
        key = (line.bare, line.comment)
        if left[key] > 0:
            left[key] -= 1
        elif line.bare.strip() or line.comment.strip():
            found.append(line)
    return found
