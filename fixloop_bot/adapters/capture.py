"""A command's output, read as a stream: its beginning, its end, its size and digest, in bounded memory."""

import hashlib

HEAD_BYTES = 64 * 1024
TAIL_BYTES = 256 * 1024


class Capture:
    """Takes any number of bytes and keeps at most `HEAD_BYTES + 2 * TAIL_BYTES` of them."""

    def __init__(self) -> None:
        self.total = 0
        self._digest = hashlib.sha256()
        self._head = bytearray()
        self._tail = bytearray()

    def add(self, piece: bytes) -> None:
        """Take the next bytes."""
        self.total += len(piece)
        self._digest.update(piece)
        room = HEAD_BYTES - len(self._head)
        self._head += piece[:room]
        self._tail += piece[room:] if room > 0 else piece
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


def _decode(data: bytearray) -> str:
    return data.decode("utf-8", errors="replace")
