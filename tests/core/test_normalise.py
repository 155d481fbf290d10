"""What is volatile goes, what tells failures apart stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixloop_bot.core.normalise import Masker, strip_ansi

MASKER = Masker(cwd=("/srv/w/one/proj",), tmp=("/srv/t/abc",))
ELSEWHERE = Masker(cwd=("/home/runner/proj",), tmp=("/tmp/xyz",))


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ("/srv/w/one/proj/app.py:3: bad", "/home/runner/proj/app.py:9: bad"),
        ("file:///srv/w/one/proj/a.js:3:4", "file:///home/runner/proj/a.js:13:4"),
        ("wrote '/srv/t/abc/out.txt'", "wrote '/tmp/xyz/out.txt'"),
        ("/srv/t/abc/pytest-of-root/pytest-0/x", "/tmp/xyz/pytest-of-me/pytest-12/x"),
        ("1 failed in 0.07s", "1 failed in 12.30s"),
        ("\u2715 adds (11 ms)", "\u2715 adds (2 ms)"),
        ("<svc.Job object at 0x7fa84bbcabd0>", "<svc.Job object at 0x55f7a2a5a2a0>"),
        ("assert '<Job object at 0x7fa84bbcabd0>' is None", "assert '<Job object at 0x7fffffffabd0>' is None"),
        ("Foo@1b2c3d4e is open", "Foo@7a6b5c4d is open"),
        ("worker pid=13567 died", "worker pid=99 died"),
        ("==17386==ERROR", "==22==ERROR"),
        ("(node:123) Warning", "(node:45678) Warning"),
        ("thread 'tests::a' (21859) panicked", "thread 'tests::a' (2) panicked"),
        ("Using --randomly-seed=3442189192", "Using --randomly-seed=17"),
        ("Randomized with seed 21266", "Randomized with seed 1"),
        ("req=9804f496-33b0-4b12-a957-5ab376db927f", "req=00000000-33b0-4b12-a957-5ab376db9270"),
        ("Start at 15:38:16", "Start at 03:01:59"),
        ("at 2026-11-30T15:35:57.460630+00:00 it broke", "at 2025-01-02T03:04:05Z it broke"),
        ("at 1796053028.599916", "at 1796059999.1"),
        ("listening on 127.0.0.1:48523", "listening on 127.0.0.1:39999"),
        ("3.4 MB/s", "12 MB/s"),
        ("see ../../../node/lib.js", "see ../../../../node/lib.js"),
        ("\x1b[31mred\x1b[39m", "red"),
        ("10%\r50%\r100% done", "100% done"),
    ],
)
def test_the_same_elsewhere_and_later_reads_the_same(here: str, there: str) -> None:
    assert MASKER.lines(here) == ELSEWHERE.lines(there)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("assert 3 == 5", "assert 4 == 5"),
        ("expected 1000 rows", "expected 1001 rows"),
        ("Expected: 1700000000", "Expected: 1800000000"),
        ("AssertionError: '10:00:00' != '11:00:00'", "AssertionError: '10:00:00' != '12:00:00'"),
        ("assert 'took 3 ms' in log", "assert 'took 4 ms' in log"),
        ("Expected: 2024-01-01T00:00:00.000Z", "Expected: 2025-01-01T00:00:00.000Z"),
        ("expected 0xdead got it", "expected 0xbeef got it"),
        ("Test timed out in 5000ms.", "Test timed out in 9000ms."),
        ("connection to 127.0.0.1:5432 refused", "connection to 127.0.0.1:6379 refused"),
        ("seed data missing for 'a'", "seed data missing for 'b'"),
        ("/srv/w/one/proj2/a.py", "/srv/w/one/proj/a.py"),
        ("TS2322: no", "TS2345: no"),
    ],
)
def test_a_detail_is_never_masked(one: str, other: str) -> None:
    assert MASKER.lines(one) != MASKER.lines(other)


@given(st.text(max_size=300))
def test_masking_twice_changes_nothing_more_than_ansi_removal_did_once(text: str) -> None:
    assert strip_ansi(strip_ansi(text)) == strip_ansi(text) or "\x1b" in strip_ansi(text)
    assert len(MASKER.lines(text)) == strip_ansi(text).count("\n") + 1


@pytest.mark.parametrize("unit", ["a", "/", "../", "'", "0x1", "\x1b[", "1 ", "seed", "==1", "tmp.", "a-"])
def test_a_line_of_a_million_characters_is_cut_and_masked(unit: str) -> None:
    (line,) = MASKER.lines(unit * (1_000_000 // len(unit)))
    assert len(line) <= 8_000
