"""What a repair sends, and that no lie is believed, on the ground where fixloop is measured beside others."""

import sys

import pytest

from bench.peers.contenders import FIXLOOP
from bench.peers.measure import NOISE, play

MOST = 2_560
"""Characters of all requests of a one-line repair."""
MOST_OF_NOISE = 8_000


def test_a_small_repair_sends_little_and_a_loud_test_little_more() -> None:
    quiet = play(FIXLOOP, sys.executable, FIXLOOP.fix)
    loud = play(FIXLOOP, sys.executable, FIXLOOP.fix, lines=NOISE)
    assert (quiet.code, loud.code) == (0, 0), quiet.said + loud.said
    assert quiet.characters <= MOST
    assert loud.characters - quiet.characters <= MOST_OF_NOISE
    assert loud.shown, "the assertion is among what is sent"


@pytest.mark.parametrize("script", [FIXLOOP.lie, FIXLOOP.cheat], ids=["a lie", "a changed test"])
def test_what_others_believe_is_not_believed(script: list[object]) -> None:
    told = play(FIXLOOP, sys.executable, script)  # type: ignore[arg-type]
    assert told.code != 0
    assert not told.said.startswith("DONE")
