"""Turns among runs: who lends one lets another work, and the earlier begun goes first."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import Pipe
from multiprocessing.connection import Connection

from fixloop_bot.adapters.turnstile import LENT, WANTED, Turnstile


@contextmanager
def runs(turnstile: Turnstile, number: int) -> Iterator[Sequence[Connection]]:
    """Let runs begin whose words the test says."""
    pairs = [Pipe() for _ in range(number)]
    for rank, (near, _) in enumerate(pairs):
        turnstile.enter(rank, near)
    yield [far for _, far in pairs]
    for near, far in pairs:
        near.close()
        far.close()


def say(turnstile: Turnstile, runs: Sequence[Connection], rank: int, word: str) -> None:
    runs[rank].send(word)
    turnstile.hear(rank)
    turnstile.grant()


def may_begin(turnstile: Turnstile) -> bool:
    return turnstile.is_free


def served(runs: Sequence[Connection]) -> list[int]:
    """Return who was granted a turn and has not been told so before."""
    return [rank for rank, run in enumerate(runs) if not run.closed and run.poll() and run.recv()]


def test_another_may_begin_where_a_turn_is_lent() -> None:
    turnstile = Turnstile(2)
    assert may_begin(turnstile)
    with runs(turnstile, 2) as begun:
        assert not may_begin(turnstile)
        say(turnstile, begun, 1, LENT)
        assert may_begin(turnstile)
        assert served(begun) == []


def test_who_wants_a_turn_back_waits_for_one_the_earlier_begun_first() -> None:
    turnstile = Turnstile(2)
    with runs(turnstile, 4) as begun:  # more than there are turns: the two last begun were let in while others lent
        for rank in range(4):
            say(turnstile, begun, rank, LENT)
        say(turnstile, begun, 3, WANTED)
        say(turnstile, begun, 1, WANTED)
        assert served(begun) == [1, 3]
        say(turnstile, begun, 2, WANTED)
        say(turnstile, begun, 0, WANTED)
        assert served(begun) == []
        assert not may_begin(turnstile)
        say(turnstile, begun, 3, LENT)
        assert served(begun) == [0], "rank 2 has waited longer, but began later"
        say(turnstile, begun, 0, LENT)
        assert served(begun) == [2]


def test_a_run_that_is_gone_holds_and_wants_nothing() -> None:
    turnstile = Turnstile(1)
    with runs(turnstile, 2) as begun:
        say(turnstile, begun, 1, LENT)
        say(turnstile, begun, 1, WANTED)
        assert served(begun) == []
        begun[0].close()
        turnstile.hear(0)
        turnstile.grant()
        assert served(begun) == [1]
        turnstile.leave(1)
        turnstile.leave(1)
        assert may_begin(turnstile)
        assert turnstile.doors == {}
