"""A failure that is printed amid any amount of noise is kept, in bounded memory, however the stream is cut."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fixloop_bot.adapters.capture import HEAD_BYTES, TAIL_BYTES, Capture
from fixloop_bot.adapters.highlights import FIRST, LAST, MAX_PASSAGE, Highlights
from fixloop_bot.model.command import CommandOutput

FAILURE = (
    b"    def test_add():\n>       assert add(2, 3) == 5\nE       assert -1 == 5\n\ntest_a.py:4: AssertionError\n"
    b"src/x.rs:3: thread 'a' panicked at y\n"
)
ASSERTION = "E       assert -1 == 5"
QUIET = b"".join(b"%d DEBUG request handled\n" % number for number in range(40_000))
LOUD = b"".join(b"%d ERROR request failed: Error: no %d\n" % (number, number) for number in range(30_000))


def captured(data: bytes, pieces: int = 64 * 1024) -> CommandOutput:
    capture = Capture()
    for start in range(0, len(data), pieces):
        capture.add(data[start : start + pieces])
    head, tail = capture.texts()
    return CommandOutput(exit_code=1, head=head, tail=tail, middle=capture.middle(), total_bytes=capture.total)


@pytest.mark.parametrize("noise", [QUIET, LOUD], ids=["lines that tell nothing", "lines that all look like errors"])
@pytest.mark.parametrize("pieces", [997, 65_536, 10_000_000])
def test_a_failure_in_the_middle_of_a_long_log_is_kept(noise: bytes, pieces: int) -> None:
    output = captured(noise + FAILURE + noise, pieces)
    assert ASSERTION not in output.head + output.tail
    assert "\n".join(FAILURE.decode().splitlines()) in output.text


def test_what_was_left_out_before_and_after_it_is_told() -> None:
    output = captured(QUIET + FAILURE + QUIET)
    (passage,) = output.middle
    before = len(QUIET) - HEAD_BYTES - passage.left_out
    assert 0 < before < MAX_PASSAGE
    assert output.text.count(" bytes left out \u2026") == 2
    told = sum(int(line.split()[2].replace(",", "")) for line in output.text.split("\n") if "bytes left out" in line)
    kept = sum(len(line) + 1 for line in output.text.split("\n") if "bytes left out" not in line)
    assert abs(told + kept - output.total_bytes) < 300


@pytest.mark.parametrize("size", [0, 10, HEAD_BYTES, HEAD_BYTES + TAIL_BYTES])
def test_of_a_log_that_is_kept_whole_no_part_is_told_twice(size: int) -> None:
    data = (FAILURE * (size // len(FAILURE) + 1))[:size]
    assert captured(data).text.encode() == data


def test_a_failure_that_the_end_holds_is_not_told_twice() -> None:
    assert captured(QUIET + FAILURE + QUIET[-TAIL_BYTES // 2 :]).text.count(ASSERTION) == 1


def test_passages_are_bounded_whatever_passes_by() -> None:
    many = b"".join(b"test_%s: AssertionError: %s\n%s" % (word, word, QUIET[:9_000]) for word in _words(400))
    kept = Highlights(0)
    kept.add(many)
    passages = kept.passages()
    assert len(passages) == FIRST + LAST + 1  # one is still open
    assert all(len(passage.data) <= MAX_PASSAGE for passage in passages)
    assert passages[0].data.startswith(b"test_aa")
    assert all(one.start + len(one.data) <= other.start for one, other in pairwise(passages))


def _words(count: int) -> list[bytes]:
    letters = b"abcdefghijklmnopqrstuvwxyz"
    return [bytes((letters[number // 26 % 26], letters[number % 26])) for number in range(count)]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(200, 70_000), min_size=1, max_size=12), st.binary(max_size=200))
def test_how_a_stream_is_cut_changes_nothing_of_what_is_found(cuts: list[int], garbage: bytes) -> None:
    data = LOUD[:400_000] + garbage + b"\n" + FAILURE + garbage + QUIET[:400_000]
    capture, at = Capture(), 0
    while at < len(data):
        capture.add(data[at : at + cuts[at % len(cuts)]])
        at += cuts[at % len(cuts)]
    assert capture.middle() == captured(data).middle
    assert any(ASSERTION in passage.text for passage in capture.middle())
