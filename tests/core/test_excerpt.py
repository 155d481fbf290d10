"""The failure is in the excerpt, whatever was printed around it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fixloop_bot.core.errorlines import count_error_lines
from fixloop_bot.core.excerpt import MAX_LINE, excerpt
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind


def told(message: str, path: str = "test_a.py", line: int = 4) -> Diagnostic:
    return Diagnostic(path=path, line=line, message=message, test_id="t", kind=DiagnosticKind.TEST_FAILURE)


FAILURE = "    def test_add():\n>       assert add(2, 3) == 5\nE       assert -1 == 5\n\ntest_a.py:4: AssertionError\n"


def test_a_short_output_is_shown_whole() -> None:
    assert excerpt("a\nb\n", []) == "a\nb"


@pytest.mark.parametrize("diagnostics", [[told("assert -1 == 5")], []], ids=["parsed", "not understood"])
def test_a_failure_before_20000_lines_of_captured_output_is_shown(diagnostics: list[Diagnostic]) -> None:
    noise = "".join(f"debug {number}\n" for number in range(20_000))
    shown = excerpt(noise + FAILURE + noise + "1 failed\n", diagnostics)
    assert "assert add(2, 3) == 5" in shown
    assert "E       assert -1 == 5" in shown
    assert shown.endswith("1 failed")
    assert len(shown.split("\n")) <= 100


def test_a_failure_beneath_a_thousand_lines_that_look_like_errors_is_shown() -> None:
    noise = "".join(f"ERROR retry {number}\n" for number in range(1_000))
    shown = excerpt(noise + FAILURE + noise, [told("assert -1 == 5")])
    assert "E       assert -1 == 5" in shown


def test_what_was_left_out_is_told() -> None:
    shown = excerpt("".join(f"{number}\n" for number in range(500)), [])
    assert shown.startswith("\u2026 420 lines left out \u2026\n420\n")


def test_long_lines_are_cut() -> None:
    assert len(excerpt("x" * 1_000_000, [])) == MAX_LINE


@settings(deadline=None, max_examples=50)
@given(
    st.lists(st.sampled_from(["error: x", "ok", "", "E   assert", "y" * 900]), max_size=400),
    st.integers(1, 100),
    st.lists(st.text(max_size=10), max_size=5),
)
def test_the_limit_holds(lines: list[str], limit: int, messages: list[str]) -> None:
    shown = excerpt("\n".join(lines), [told(message) for message in messages], limit=limit).split("\n")
    assert len(shown) <= limit
    assert all(len(line) <= MAX_LINE for line in shown)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 1),
        ("all is well", 1),
        ("error: a\nerror: b\nerror: a\n", 2),
        ("0 errors\nno failures\nerrors: 0", 1),
        ("panic: x\nFAIL y\nTypeError: z", 3),
    ],
)
def test_lines_that_look_like_errors_are_counted_at_least_one(text: str, count: int) -> None:
    assert count_error_lines(text) == count
