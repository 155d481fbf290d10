"""A command's output, read as a stream: beginning, end, what looks like a failure between, size and digest."""

import hashlib

from fixloop_bot.adapters.highlights import Highlights
from fixloop_bot.model.command import Passage

HEAD_BYTES = 64 * 1024
TAIL_BYTES = 256 * 1024


class Capture:
    """Takes any number of bytes and keeps at most `HEAD_BYTES + 2 * TAIL_BYTES` of them, and `Highlights`."""

    def __init__(self) -> None:
        self.total = 0
        self._digest = hashlib.sha256()
        self._head = bytearray()
        self._tail = bytearray()
        self._highlights = Highlights(HEAD_BYTES)

    def add(self, piece: bytes) -> None:
        """Take the next bytes."""
        self.total += len(piece)
        self._digest.update(piece)
        room = HEAD_BYTES - len(self._head)
        self._head += piece[:room]
        rest = piece[room:] if room > 0 else piece
        self._highlights.add(rest)
        self._tail += rest
        if len(self._tail) > 2 * TAIL_BYTES:
            del self._tail[:-TAIL_BYTES]

    @property
    def sha256(self) -> str:
        """Return the hex digest of everything taken."""
        return self._digest.hexdigest()

    def texts(self) -> tuple[str, str]:
        """Return beginning and end as text; the end is empty when the beginning is everything."""
        if self.total <= HEAD_BYTES + TAIL_BYTES:
            return _decode(self._head + self._tail), ""
        return _decode(self._head), _decode(self._tail[-TAIL_BYTES:])

    def middle(self) -> tuple[Passage, ...]:
        """Return what looks like a failure between beginning and end, in whole lines where it has any."""
        found: list[Passage] = []
        told, end = HEAD_BYTES, self.total - TAIL_BYTES
        for one in self._highlights.passages():
            data = one.data[: max(end - one.start, 0)]
            if data:
                found.append(Passage(left_out=one.start - told, text=_whole_lines(_decode(data))))
                told = one.start + len(data)
        return tuple(found)


def _whole_lines(text: str) -> str:
    lines = text.split("\n")
    return "\n".join(lines[1:-1]) if len(lines) > 2 else text


def _decode(data: bytearray) -> str:
    return data.decode("utf-8", errors="replace")
