"""Room kept free on the state folder's disk, so that a run can still end in good order when the disk is full."""

import os
from dataclasses import dataclass
from pathlib import Path

RESERVE_BYTES = 2 * 1024 * 1024
"""Enough for the state, a salvage and the index of some ten thousand files."""
_PIECE = b"\0" * 65536


@dataclass(frozen=True, slots=True)
class Reserve:
    """A file that takes up the room until it is needed."""

    path: Path

    def release(self) -> None:
        """Give the room back; again is no error."""
        self.path.unlink(missing_ok=True)


def take_reserve(path: Path, size: int = RESERVE_BYTES) -> Reserve:
    """Fill a new file with `size` bytes. Raises OSError, with nothing left behind, where the disk has no such room."""
    path.parent.mkdir(parents=True, exist_ok=True)
    reserve = Reserve(path)
    try:
        with path.open("wb") as file:
            for _ in range(size // len(_PIECE)):
                file.write(_PIECE)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        reserve.release()
        raise
    return reserve
