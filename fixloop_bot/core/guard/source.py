"""A file as the guard reads it: line by line, code, strings and comments apart."""

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property

from fixloop_bot.core.guard.languages import Language, language_of
from fixloop_bot.core.guard.scan import Kind, Span, spans

LINE_LIMIT = 20_000
"""Characters of one line that the rules look at; a longer one that is added cannot be judged."""
_NOT_NEWLINE = re.compile(r"[^\n]")


@dataclass(frozen=True, slots=True)
class Line:
    """One line in its three readings; code has the columns of the text."""

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
        return self._blanked(strings=True)

    @cached_property
    def bare(self) -> str:
        """Return the text with comments blank."""
        return self._blanked(strings=False)

    @cached_property
    def lines(self) -> list[Line]:
        """Return all lines."""
        comments = self._comments()
        readings = zip(self.code.split("\n"), self.bare.split("\n"), strict=True)
        return [Line(n, code, bare, comments.get(n, "")) for n, (code, bare) in enumerate(readings, start=1)]

    def _blanked(self, *, strings: bool) -> str:
        """Return the text with comments blank, and strings too but for their quotes, if that is wanted."""
        parts, at = [], 0
        for start, end, kind in self.spans:
            margin = 0 if kind is Kind.COMMENT else 1
            if (margin and not strings) or end - start <= 2 * margin:
                continue
            first, last = start + margin, end - margin
            parts += [self.text[at:first], _NOT_NEWLINE.sub(" ", self.text[first:last])]
            at = last
        return "".join((*parts, self.text[at:]))

    def _comments(self) -> dict[int, str]:
        """Return the comments by line, several on one line with a blank between them."""
        found: dict[int, list[str]] = {}
        line, counted = 1, 0
        for start, end, kind in self.spans:
            if kind is not Kind.COMMENT:
                continue
            line += self.text.count("\n", counted, start)
            counted = start
            for number, piece in enumerate(self.text[start:end].split("\n"), start=line):
                found.setdefault(number, []).append(piece)
        return {number: " ".join(pieces) for number, pieces in found.items()}


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

    @cached_property
    def added_text(self) -> Line:
        """Return the added lines as one line of many, for a first look."""
        return _joined(self.added)

    @cached_property
    def removed_text(self) -> Line:
        """Return the removed lines likewise."""
        return _joined(self.removed)

    @property
    def language(self) -> Language:
        """Return the language, that of the file before where it is deleted."""
        return self.after.language if self.after.text else self.before.language


def _joined(lines: list[Line]) -> Line:
    return Line(
        number=0,
        code="\n".join([line.code[:LINE_LIMIT] for line in lines]),
        bare="\n".join([line.bare[:LINE_LIMIT] for line in lines]),
        comment="\n".join([line.comment[:LINE_LIMIT] for line in lines]),
    )


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
