"""An exact replacement keeps all that it is not asked to change, and says why it cannot be made."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixloop_bot.core.edit import NoSuchPlace, replace_once


@pytest.mark.parametrize(
    ("text", "old", "new", "edited"),
    [
        pytest.param("a\nb\nc\n", "b", "B", "a\nB\nc\n", id="one word"),
        pytest.param("a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz", "x\r\ny\r\nz\r\nc\r\n", id="lines of a CRLF file"),
        pytest.param("a\r\nb\r\n", "b", "x\ny", "a\r\nx\r\ny\r\n", id="one word made two lines in a CRLF file"),
        pytest.param("a\r\nb\nc\n", "b\nc", "x\ny", "a\r\nx\ny\n", id="the plain lines of a mixed file"),
        pytest.param("\ufeffa\n", "a", "b", "\ufeffb\n", id="after a byte order mark"),
        pytest.param("a\nb\n", "b\n", "c", "a\nc\n", id="the last line, its newline forgotten"),
        pytest.param("a\r\nb\r\n", "b\n", "c", "a\r\nc\r\n", id="the same with CRLF"),
        pytest.param("a\nb", "b", "c", "a\nc", id="a file without a last newline"),
        pytest.param("a\nb\n", "b\n", "", "a\n", id="a line taken away"),
        pytest.param("a\n", "a\n", "", "", id="everything taken away"),
        pytest.param("x\udcff y\n", "y", "z", "x\udcff z\n", id="beside a byte that is not UTF-8"),
    ],
)
def test_only_the_place_changes(text: str, old: str, new: str, edited: str) -> None:
    assert replace_once(text, old, new) == edited


@pytest.mark.parametrize(
    ("text", "old", "new", "said"),
    [
        pytest.param("a\n", "", "b", "old is empty", id="nothing to look for"),
        pytest.param("a\n", "a", "a", "the same", id="no change"),
        pytest.param("x = 1\ny\nx = 1\n", "x = 1", "x", "2 times (lines 1, 3)", id="two places"),
        pytest.param("aaa\n", "aa", "b", "lines 1, 1", id="places that overlap"),
        pytest.param("def add(a, b):\n    return a-b\n", "    return a - b", "x", "    return a-b", id="almost there"),
        pytest.param("\tif x:\n\t\ty()\n", "    if x:\n        y()", "z", "around line 1", id="other indentation"),
        pytest.param("a\n", "quite another thing", "z", "does not occur.", id="nothing like it"),
    ],
)
def test_a_place_that_is_not_there_once_is_explained(text: str, old: str, new: str, said: str) -> None:
    answer = replace_once(text, old, new)
    assert isinstance(answer, NoSuchPlace)
    assert said in answer.message


@given(st.text(max_size=40), st.text(min_size=1, max_size=10), st.text(max_size=10), st.text(max_size=40))
def test_whatever_surrounds_the_place_stays(before: str, old: str, new: str, after: str) -> None:
    edited = replace_once(before + old + after, old, new)
    if isinstance(edited, str):
        assert edited.startswith(before[: max(0, len(before) - len(old))])
        assert len(edited) >= len(before) + len(after) - len(old)
