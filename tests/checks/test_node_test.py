"""node's own test runner and syntax check, run for real and read."""

from dataclasses import replace
from pathlib import Path

import pytest

from fixloop_bot.checks import node_check, node_test
from fixloop_bot.model.diagnostic import DiagnosticKind
from fixloop_bot.model.layer import TestReport
from tests.checks.reading import place
from tests.checks.running import run

TESTS = """\
const {test, describe} = require('node:test');
const assert = require('node:assert');
describe('app', () => {
  test('adds', () => assert.strictEqual(-1, 5));
  test('ok', () => {});
  test.skip('later', () => {});
});
test('top', () => {});
"""
TELLS = TestReport(3, ("app > ok", "top"), ("app > adds",), ("app > later",))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "a project"
    (folder / "test").mkdir(parents=True)
    (folder / "test" / "a.test.js").write_text(TESTS)
    return folder


@pytest.mark.parametrize("reporter", ["tap", "spec"])
def test_text_names_the_failing_test_its_file_and_what_ran(project: Path, reporter: str) -> None:
    found = node_test.parse(run(project, "node", "--test", f"--test-reporter={reporter}", "test/a.test.js"))
    (failure,) = found.diagnostics
    assert place(failure)[::3] == ("test/a.test.js", "app > adds")
    assert "Expected values to be strictly equal:" in failure.message
    assert "-1 !== 5" in failure.message
    assert found.tests == TELLS


def test_the_report_is_written_beside_text_that_stays_readable(project: Path) -> None:
    report = project / "r.xml"
    argv = node_test.report_argv(("node", "--test", "test/a.test.js"), str(report))
    output = run(project, *argv, report=report)
    found = node_test.parse(output)
    assert [place(item) for item in found.diagnostics] == [("test/a.test.js", 4, 29, "app > adds")]
    assert found.tests == TELLS
    assert node_test.parse(replace(output, report=None)).tests == TELLS


def test_a_file_that_cannot_be_loaded_is_named(project: Path) -> None:
    (project / "test" / "a.test.js").write_text("const = 1;\n")
    found = node_test.parse(run(project, "node", "--test", "--test-reporter=tap", "test/a.test.js"))
    assert [item.path for item in found.diagnostics] == ["test/a.test.js"]


def test_a_run_without_tests_is_known_as_such(project: Path) -> None:
    (project / "test" / "a.test.js").unlink()
    found = node_test.parse(run(project, "node", "--test", "test/"))
    assert found.tests is None or found.tests.executed == 0


def test_a_syntax_error_is_placed(project: Path) -> None:
    (project / "a.js").write_text("let x = 1;\nfunction f( { return 1; }\n")
    (error,) = node_check.parse(run(project, "node", "--check", "a.js")).diagnostics
    assert (error.path, error.line, error.rule_id) == ("a.js", 2, "SyntaxError")
    assert error.kind is DiagnosticKind.SYNTAX_ERROR
