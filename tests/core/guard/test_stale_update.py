"""What a stale test's update may do unasked: other expected values, and nothing besides."""

import pytest

from fixloop_bot.core.guard.stale_update import more_than_expectations
from fixloop_bot.model.agent import Proposal


def proposed(before: str | None, after: str, *, path: str = "tests/test_a.py", is_test: bool = True) -> Proposal:
    return Proposal(path=path, before=before, after=after, is_test=is_test)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("    assert f(2) == 20\n", "    assert f(2) == 24\n", id="a number after =="),
        pytest.param('    assert name() == "Ann"\n', '    assert name() == "Ann B."\n', id="a string"),
        pytest.param("    assert f() == [1, 2]\n", "    assert f() == [1, 3]\n", id="in a list"),
        pytest.param("  expect(f(2)).toBe(20);\n", "  expect(f(2)).toBe(24);\n", id="Jest"),
        pytest.param("        assert_eq!(f(2), 20);\n", "        assert_eq!(f(2), 24);\n", id="Rust"),
        pytest.param("    self.assertEqual(f(2), 20)\n", "    self.assertEqual(f(2), 24)\n", id="unittest"),
        pytest.param("        assertEquals(20, f(2));\n", "        assertEquals(24, f(2));\n", id="JUnit"),
        pytest.param("    expect(f(2)).to eq(20)\n", "    expect(f(2)).to eq(24)\n", id="RSpec"),
        pytest.param("    [2, 20],\n", "    [2, 24],\n", id="a row of a table"),
    ],
)
def test_another_expected_value_may_come(before: str, after: str) -> None:
    assert more_than_expectations([proposed(f"a\n{before}b\n", f"a\n{after}b\n")]) == ""


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        pytest.param("    assert f(2) == 20\n", "", "come or go", id="an assertion goes"),
        pytest.param("    assert f(2) == 20\n", "    assert f(2)\n", "more than a value", id="a weaker one"),
        pytest.param("    assert f(2) == 20\n", "    assert f(2) >= 20\n", "more than a value", id="another operator"),
        pytest.param("    assert f(2) == 20\n", "    assert f(1) == 20\n", "given to the code", id="another input"),
        pytest.param("    assert f(2) > 20\n", "    assert f(2) > 1\n", "expected to be equal", id="a lower bound"),
        pytest.param("    assert f(2) == 20\n", "    # assert f(2) == 20\n", "more than a value", id="a comment"),
        pytest.param(
            '@skipif(v == "3")\n', '@skipif(v == "4")\n', "does more than to expect", id="a condition of a skip"
        ),
        pytest.param("    if f() == 1:\n", "    if f() == 2:\n", "does more than to expect", id="a branch"),
        pytest.param(
            "    assert f() == approx(1, abs=0.1)\n",
            "    assert f() == approx(1, abs=9.0)\n",
            "does more",
            id="a tolerance",
        ),
        pytest.param("    assert f(2) == 20\n", "    assert f(2) == f(2)\n", "more than a value", id="a tautology"),
        pytest.param("    timeout = 3\n", "    timeout = 300\n", "does more", id="a timeout"),
    ],
)
def test_everything_else_is_asked(before: str, after: str, why: str) -> None:
    assert why in more_than_expectations([proposed(f"a\n{before}b\n", f"a\n{after}b\n")])


def test_new_files_other_files_and_nothing_are_asked() -> None:
    assert "would be new" in more_than_expectations([proposed(None, "assert 1 == 1\n")])
    assert "is no test" in more_than_expectations([proposed("a == 1\n", "a == 2\n", is_test=False)])
    assert "no change" in more_than_expectations([])
