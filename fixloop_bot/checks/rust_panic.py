"""Rust's panics, as they are printed since 1.73 and before."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fixloop_bot.checks import text

_NEW = re.compile(r"^thread '([^'\n]*)' (?:\(\d+\) )?panicked at (\S[^\n]*):(\d+):(\d+):$")
_OLD = re.compile(r"^thread '([^'\n]*)' (?:\(\d+\) )?panicked at '")
_OLD_END = re.compile(r"', ([^'\n]+):(\d+):(\d+)$")
_STOPS = ("note: run with ", "stack backtrace:", "note: Some details are omitted")
_MAX_LINES = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Panic:
    """One panic."""

    thread: str
    path: str
    line: str
    message: str


def panics(lines: Sequence[str]) -> Iterator[Panic]:
    """Yield the panics in order."""
    for index, line in enumerate(lines):
        if found := _NEW.match(line):
            yield Panic(thread=found[1], path=found[2], line=found[3], message=before_notes(lines[index + 1 :]))
        elif found := _OLD.match(line):
            yield from _old(found[1], line[found.end() :], lines[index + 1 : index + _MAX_LINES])


def before_notes(lines: Sequence[str]) -> str:
    """Return the text above a backtrace or the note on how to get one."""
    head = lines[:_MAX_LINES]
    end = next((n for n, line in enumerate(head) if line.startswith(_STOPS)), len(head))
    return text.message([line for line in head[:end] if line.strip()])


def _old(thread: str, first: str, more: Sequence[str]) -> Iterator[Panic]:
    said: list[str] = []
    for line in (first, *more):
        if end := _OLD_END.search(line):
            said.append(line[: end.start()])
            yield Panic(thread=thread, path=end[1], line=end[2], message=text.message(said))
            return
        said.append(line)
