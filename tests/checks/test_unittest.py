"""unittest, run for real and read."""

from pathlib import Path

import pytest

from fixloop_bot.checks.unittest import parse
from fixloop_bot.model.layer import TestReport
from tests.checks.reading import parsed
from tests.checks.running import PYTHON, run

TESTS = """\
import unittest

class T(unittest.TestCase):
    def test_add(self):
        "Adds."
        self.assertEqual(1, 2)
    def test_parts(self):
        for n in (1, 2):
            with self.subTest(n=n):
                self.assertEqual(n, 2)
    def test_ok(self): pass
    @unittest.skip("later")
    def test_later(self): pass
"""


def test_failures_subtests_and_modules_that_cannot_be_imported_are_named(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text(TESTS)
    (tmp_path / "test_b.py").write_text("import nowhere\n")
    found = parse(run(tmp_path, PYTHON, "-m", "unittest", "-v"))
    assert {(item.path, item.line, item.test_id, item.message) for item in found.diagnostics} == {
        ("test_a.py", 6, "test_a.T.test_add", "AssertionError: 1 != 2"),
        ("test_a.py", 10, "test_a.T.test_parts (n=1)", "AssertionError: 1 != 2"),
        ("test_b.py", 1, "test_b", "ModuleNotFoundError: No module named 'nowhere'"),
    }
    assert found.tests is not None
    assert (found.tests.executed, found.tests.passed, found.tests.skipped) == (
        4,
        ("test_a.T.test_ok",),
        ("test_a.T.test_later",),
    )


def test_a_run_without_tests_is_known_as_such(tmp_path: Path) -> None:
    assert parse(run(tmp_path, PYTHON, "-m", "unittest")).tests == TestReport(0)


@pytest.mark.parametrize("header", ["test_x (m.T)", "test_x (m.T.test_x)"], ids=["up to 3.10", "since 3.11"])
def test_old_and_new_headers_name_the_same_test(header: str) -> None:
    text = f"{'=' * 70}\nFAIL: {header}\n{'-' * 70}\nTraceback (most recent call last):\nAssertionError: no\n"
    (failure,) = parsed("unittest", text).diagnostics
    assert (failure.test_id, failure.message) == ("m.T.test_x", "AssertionError: no")
