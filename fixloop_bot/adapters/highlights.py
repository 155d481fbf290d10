"""Passages of a long stream that look like failures, found while it passes by, in bounded time and memory.

What is kept of a log is its beginning and its end; a test runner that goes on printing after an assertion would push
it out of both. So what passes in between is searched (by RE2, at about the speed of hashing it) for words that failures
are told in. A line of a shape that was not met before, numbers aside, opens a passage: some lines before and after it.
Of the passages the first and the last few are kept, apart for words that tell a failure and words that may.
"""

import re
from collections import deque
from dataclasses import dataclass, field
from typing import Any

import re2

BEFORE = 3_000
AFTER = 5_000
MAX_PASSAGE = 12_000
"""Bytes of a passage, which grows as long as it goes on to tell something new."""
FIRST, LAST = 6, 6
"""Passages of one rank that are kept from each end."""
_MAX_SHAPES = 4_096
"""Shapes of lines that are remembered; later ones count as known."""
_BLOCK = 64 * 1024
"""Bytes that are searched at once, whatever the pieces are: what is found depends on the stream alone."""
_MAX_HITS = 24
"""Lines of one block that are looked at for each of the two patterns."""
_MAX_LINE = 300
_NUMBERS = re.compile(rb"\d+")
_TELLING = (
    rb"(?:^|\n) *(?:E   |FAIL|--- FAIL|not ok |panic: |# Failed|\xe2\x97\x8f |\xe2\x9c\x95 |\xe2\x9c\x97 )"
    rb"|Assertion|assertion|Traceback \(most recent|panicked at|Expected:|expected:|Segmentation fault"
    rb"|: error:|: fatal error:|error\[E|error TS\d|BUILD FAIL|Failures:|= FAILURES ="
)
_PERHAPS = rb"[Ee]rror\b|ERROR|Exception\b|FAILED|[Ff]ailed|FATAL|[Ff]atal"


def _compiled(source: bytes) -> Any:  # noqa: ANN401 - re2 has no types
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.never_capture = True
    return re2.compile(source, options)


_TELLS = _compiled(_TELLING)
_MAY_TELL = _compiled(_TELLING + b"|" + _PERHAPS)


@dataclass(slots=True)
class Passage:
    """A part of the stream."""

    start: int
    """Bytes of the stream before it."""
    data: bytearray
    end: int
    """Where it is to end, in bytes of the stream."""
    telling: bool


@dataclass(slots=True)
class _Rank:
    """The passages of one rank: the first ones, and the last ones."""

    first: list[Passage] = field(default_factory=list)
    last: deque[Passage] = field(default_factory=lambda: deque(maxlen=LAST))

    def keep(self, passage: Passage) -> None:
        (self.first if len(self.first) < FIRST else self.last).append(passage)


class Highlights:
    """Takes a stream's pieces in order; holds no more than `2 * (FIRST + LAST)` passages of them, and the open one."""

    def __init__(self, start: int) -> None:
        """`start` are the bytes of the stream before the first piece."""
        self._at = start
        self._waiting = bytearray()
        self._before = b""
        self._unread = 0
        """Bytes of `_before` that are a line without its end so far."""
        self._told = start
        """Where the last passage ended."""
        self._open: Passage | None = None
        self._shapes: set[bytes] = set()
        self._ranks = {True: _Rank(), False: _Rank()}

    def add(self, piece: bytes) -> None:
        """Take the next bytes; the last of them, less than a block, are not looked at before more come."""
        self._waiting += piece
        while len(self._waiting) >= _BLOCK:
            self._search(bytes(self._waiting[:_BLOCK]))
            del self._waiting[:_BLOCK]

    def _search(self, piece: bytes) -> None:
        joined = self._before + piece
        base = self._at - len(self._before)
        hit = self._next(_MAY_TELL, joined, len(self._before) - self._unread)
        if hit >= 0:
            self._look(joined, base, hit)
        self._at += len(piece)
        self._fill(joined, base)
        self._before = joined[-BEFORE:]
        self._unread = min(len(joined) - joined.rfind(b"\n") - 1, _MAX_LINE, len(self._before))

    def passages(self) -> list[Passage]:
        """Return the passages that are kept, in order; none overlaps another."""
        still_open = [self._open] if self._open else []
        kept = [one for rank in self._ranks.values() for one in (*rank.first, *rank.last)]
        return sorted((*kept, *still_open), key=lambda one: one.start)

    def _look(self, joined: bytes, base: int, hit: int) -> None:
        """Look at the lines that may tell something; where there are too many of them, at those that surely do."""
        for pattern in (_MAY_TELL, _TELLS):
            for _ in range(_MAX_HITS):
                if hit < 0:
                    return
                hit = self._next(pattern, joined, self._meet(joined, base, hit))
        # What is left of so dense a block is let go.

    def _next(self, pattern: Any, joined: bytes, start: int) -> int:  # noqa: ANN401 - re2 has no types
        found = pattern.search(joined, start)
        return -1 if found is None else int(found.end()) - 1

    def _meet(self, joined: bytes, base: int, hit: int) -> int:
        """Take in the line around a hit; return where it ends."""
        start = max(joined.rfind(b"\n", 0, hit) + 1, hit - _MAX_LINE)
        end = joined.find(b"\n", hit)
        if end < 0 and len(joined) - start < _MAX_LINE:
            return len(joined)  # the next block brings the rest of it
        end = len(joined) if end < 0 else end
        line = joined[start : min(end, start + _MAX_LINE)]
        shape = _NUMBERS.sub(b"0", line)
        if shape not in self._shapes and len(self._shapes) < _MAX_SHAPES:
            self._shapes.add(shape)
            self._mark(joined, base, start, telling=_TELLS.search(b"\n" + line) is not None)
        return max(end, hit + 1)

    def _mark(self, joined: bytes, base: int, start: int, *, telling: bool) -> None:
        """Open a passage for a line, or let the one that is open go on to it."""
        self._fill(joined[:start], base)
        until = base + start + AFTER
        if self._open is None:
            begin = max(start - BEFORE, self._told - base, 0)
            self._open = Passage(base + begin, bytearray(joined[begin:start]), until, telling)
        else:
            self._open.end = min(until, self._open.start + MAX_PASSAGE)
            self._open.telling |= telling

    def _fill(self, joined: bytes, base: int) -> None:
        """Give the open passage what it has not got yet, and close it where it is complete."""
        passage = self._open
        if passage is None:
            return
        has = passage.start + len(passage.data)
        passage.data += joined[max(has - base, 0) : max(passage.end - base, 0)]
        if passage.start + len(passage.data) >= passage.end:
            self._ranks[passage.telling].keep(passage)
            self._told = passage.end
            self._open = None
