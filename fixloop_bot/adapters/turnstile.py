"""Turns at the processors among runs of one sweep: a run that waits for its model lets another one work.

If all worked at once, all would come to wait for their models at the same time, and the processors with them; and
checks that shared a processor could run into their time limits. A run has a turn from its beginning; it lends it while
it waits for its model, and waits for a turn once that has answered.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Final

from fixloop_bot.model.agent import ModelOutcome, ModelRequest
from fixloop_bot.ports import Model

LENT: Final = "lent"
WANTED: Final = "wanted"
GRANTED: Final = "granted"


@dataclass(slots=True)
class Turnstile:
    """The side of the process that begins the runs; it is told by whoever waits for its doors."""

    turns: int
    doors: dict[int, Connection] = field(default_factory=dict)
    """To each run by its rank: the earlier begun, the earlier served."""
    _holding: set[int] = field(default_factory=set)
    _wanting: set[int] = field(default_factory=set)

    @property
    def is_free(self) -> bool:
        """Return whether another run may begin."""
        return not self._wanting and len(self._holding) < self.turns

    def enter(self, rank: int, door: Connection) -> None:
        """Let a run begin, with a turn."""
        self.doors[rank] = door
        self._holding.add(rank)

    def hear(self, rank: int) -> None:
        """Take in a run's word."""
        try:
            word = self.doors[rank].recv()
        except (EOFError, OSError):
            self.leave(rank)
            return
        self._holding.discard(rank)
        if word == WANTED:
            self._wanting.add(rank)

    def leave(self, rank: int) -> None:
        """Let go of a run that has ended."""
        self._holding.discard(rank)
        self._wanting.discard(rank)
        if door := self.doors.pop(rank, None):
            door.close()

    def grant(self) -> None:
        """Grant what turns are free."""
        for rank in sorted(self._wanting)[: max(self.turns - len(self._holding), 0)]:
            self._wanting.remove(rank)
            self._holding.add(rank)
            with suppress(OSError):  # of a run that is gone the doors tell in a moment
                self.doors[rank].send(GRANTED)


@dataclass(frozen=True, slots=True)
class Turn:
    """The side of a run's process."""

    door: Connection

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Let others work meanwhile, then wait for a turn. Raises EOFError when there is nobody left to grant it."""
        self.door.send(LENT)
        yield
        self.door.send(WANTED)
        self.door.recv()


@dataclass(frozen=True, slots=True)
class TurnModel:
    """`Model` over another one: while it is waited for, the run's turn is another's."""

    model: Model
    turn: Turn

    def prepare(self) -> None:
        """Get ready."""
        self.model.prepare()

    def quote(self, request: ModelRequest) -> float | None:
        """Return the most that the call can cost."""
        return self.model.quote(request)

    def reply(self, request: ModelRequest) -> ModelOutcome:
        """Make the call, and wait for a turn."""
        with self.turn.lent():
            return self.model.reply(request)
