"""A failure that was gone and is back is a return; the same one twice in a row is none."""

from dataclasses import replace

import pytest

from fixloop_bot.core.cycles import Look, Return, cycle_words, letters_of, looks_of, returns
from tests.core.histories import CIRCLE, DONE, A, B, C


def looks(text: str) -> tuple[Look, ...]:
    """Return looks at these failures, `.` for a tree on which all layers pass."""
    return tuple(Look(number, "" if letter == "." else letter) for number, letter in enumerate(text))


@pytest.mark.parametrize(
    ("seen", "back"),
    [
        pytest.param("", [], id="nothing was looked at"),
        pytest.param("AAA", [], id="the same failure stays"),
        pytest.param("ABC", [], id="always another one"),
        pytest.param("ABA", [(0, 2)], id="A, B, A"),
        pytest.param("ABAB", [(0, 2), (1, 3)], id="A, B, A, B"),
        pytest.param("AABBA", [(1, 4)], id="from its last sight"),
        pytest.param("A.A", [(0, 2)], id="it comes back after a green look"),
        pytest.param(".A.", [], id="green twice is no failure"),
    ],
)
def test_returns_are_found(seen: str, back: list[tuple[int, int]]) -> None:
    assert [(one.earlier, one.now) for one in returns(looks(seen))] == back


def test_failures_are_lettered_in_the_order_of_first_sight() -> None:
    assert letters_of(looks("xyxz")) == {"x": "A", "y": "B", "z": "C"}
    many = letters_of([Look(number, str(number)) for number in range(60)])
    assert (many["25"], many["26"], many["52"]) == ("Z", "A2", "A3")
    assert len(set(many.values())) == 60


@pytest.mark.parametrize(
    ("seen", "words"),
    [
        ("xyx", "A \u2192 B \u2192 A (attempts 0 to 2)"),
        ("xyzvwux", "A \u2192 B \u2192 \u2026 \u2192 F \u2192 A (attempts 0 to 6)"),
    ],
)
def test_a_return_is_told_in_words_however_long(seen: str, words: str) -> None:
    shown = looks(seen)
    assert cycle_words(shown, Return(0, len(seen) - 1), letters_of(shown)) == words


def test_a_run_is_looked_at_once_before_and_once_after_each_attempt() -> None:
    assert [look.error_hash for look in looks_of(CIRCLE)] == [A, B, A, B, C]
    assert [look.error_hash for look in looks_of(DONE)] == [A, ""]
    assert [look.attempt for look in looks_of(replace(CIRCLE, standing=None))] == [1, 2, 3, 4]
