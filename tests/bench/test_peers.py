"""What a repair sends, and that no lie is believed, on the ground where fixloop is measured beside others."""

import sys

import pytest

from bench.peers.contenders import FIXLOOP
from bench.peers.play import Played, play
from bench.peers.report import NOISE, Results, rows_of

MOST = 2_560
"""Characters of all requests of a one-line repair."""
MOST_OF_NOISE = 8_000


def test_a_small_repair_sends_little_and_a_loud_test_little_more() -> None:
    quiet = play(FIXLOOP, sys.executable, FIXLOOP.fix)
    loud = play(FIXLOOP, sys.executable, FIXLOOP.tested, lines=NOISE)
    assert (quiet.code, loud.code) == (0, 0), quiet.said + loud.said
    assert len(quiet.sizes) == 1
    assert quiet.characters <= MOST
    assert loud.characters - quiet.characters <= MOST_OF_NOISE
    assert loud.shown, "the assertion is among what is sent"


@pytest.mark.parametrize("script", [FIXLOOP.lie, FIXLOOP.cheat], ids=["a lie", "a changed test"])
def test_what_others_believe_is_not_believed(script: list[object]) -> None:
    told = play(FIXLOOP, sys.executable, script)  # type: ignore[arg-type]
    assert told.code != 0
    assert not told.said.startswith("DONE")


def test_the_table_has_each_measure_of_all_and_the_ratio_to_the_least_of_the_others() -> None:
    ours, one, other = (results(code, sizes) for code, sizes in ((4, [2_000]), (0, [3_000, 5_000]), (0, [9_000])))
    rows = {row[0]: row[1:] for row in rows_of([ours, one, other], "1,000 MB", 50.0)}
    assert rows["model calls"] == ["1", "2", "1", "1.00", ""]
    assert rows["characters in all"] == ["2,000", "8,000", "9,000", "0.25", "2,560"]
    assert rows["a lie"] == ["BLOCKED (exit 4)", "believed (exit 0)", "believed (exit 0)", "", "not believed"]
    assert rows["own process while validating a log of 1,000 MB, no SDK"][0] == "50 MB"
    assert rows["more characters with a log of 1,000 MB"][1:3] == ["over 180 s", "over 180 s"]
    assert {len(row) for row in rows.values()} == {5}


def results(code: int, sizes: list[int]) -> Results:
    game = played(code=code, sizes=sizes)
    loud = played(code=-1 if code == 0 else code, sizes=sizes)
    return Results(fixed=[game], quiet=game, noisy=game, log=loud, lie=game, cheat=game, installed=100.0)


def played(*, code: int, sizes: list[int]) -> Played:
    said = "BLOCKED: no" if code else "Fixed."
    return Played(code=code, said=said, wall=2.0, first=1.0, sizes=sizes, memory=90.0, own_memory=80.0, shown=True)
