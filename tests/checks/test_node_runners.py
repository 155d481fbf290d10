"""jest, vitest and mocha, beyond what the recordings hold."""

import pytest

from fixloop_bot.checks.registry import TOOLS, parse
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.layer import TestReport
from tests.checks.reading import parsed, place

JEST = """\
FAIL t/b.test.js
  \u25cf Test suite failed to run

    Cannot find module './nope' from 't/b.test.js'

    > 1 | const u=require('./nope'); test('a',()=>{})
        |         ^

      at Object.require (t/b.test.js:1:9)

  \u25cf Console

    console.log
      hello

FAIL t/a.test.js (5.2 s)
  app
    \u2715 adds (3 ms)
    \u2713 ok
    \u25cb skipped sk

  \u25cf app \u203a adds

    expect(received).toBe(expected) // Object.is equality

      at Object.toBe (t/a.test.js:1:49)

Test Suites: 2 failed, 2 total
Tests:       1 failed, 1 skipped, 1 passed, 3 total
"""


def test_jest_tells_a_suite_that_cannot_run_from_a_test_that_fails() -> None:
    found = parsed("jest", JEST)
    assert [place(item) for item in found.diagnostics] == [
        ("t/b.test.js", 1, 9, "Test suite failed to run"),
        ("t/a.test.js", 1, 49, "app \u203a adds"),
    ]
    assert found.diagnostics[0].message == "Cannot find module './nope' from 't/b.test.js'"
    assert found.tests == TestReport(2, ("ok",), ("app \u203a adds",), ("sk",))


MOCHA = """\
  1 passing (8ms)
  1 pending
  2 failing

  1) app
       in
         adds:

      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

1 !== 2

      at Context.<anonymous> (m/a.js:2:78)
      at process.processImmediate (node:internal/timers:483:21)

  2) app
       "before each" hook for "x":
     Error: hk
      at lib (src/lib.js:1:1)
      at Context.<anonymous> (m/a.js:2:181)
"""


def test_mocha_names_the_test_by_its_suites_and_the_file_by_the_outermost_frame() -> None:
    found = parsed("mocha", MOCHA)
    assert [place(item) for item in found.diagnostics] == [
        ("m/a.js", 2, 78, "app in adds"),
        ("m/a.js", 2, 181, 'app "before each" hook for "x"'),
    ]
    assert found.tests is not None
    assert found.tests.executed == 3


@pytest.mark.parametrize(
    ("tool", "text"),
    [
        ("jest", "No tests found, exiting with code 1\nRun with `--passWithNoTests` to exit with code 0\n"),
        ("jest", "Test Suites: 1 failed, 1 total\nTests:       0 total\n"),
        ("vitest", "\nNo test files found, exiting with code 1\n"),
        ("mocha", "\n\n  0 passing (1ms)\n\n"),
        ("mocha", 'Error: No test files found: "zz"\n'),
        ("node-test", "TAP version 13\n1..0\n# tests 0\n# suites 0\n# pass 0\n# fail 0\n"),
    ],
)
def test_a_run_without_tests_is_known_as_such_though_the_command_hides_the_runner(tool: str, text: str) -> None:
    assert parsed(tool, text).tests == TestReport(0)
    assert parse("generic", ToolOutput(text=text, exit_code=1)).tests == TestReport(0)


@pytest.mark.parametrize(
    "text",
    ["Tests: 3, Assertions: 3, Failures: 2.\n", "2 errors, 0 warnings\n", "ok\n", "3 passing fancies\n", ""],
)
def test_what_is_no_count_of_tests_is_not_taken_for_one(text: str) -> None:
    assert parse("generic", ToolOutput(text=text, exit_code=0)).tests is None


def test_vitest_does_not_count_a_file_that_cannot_be_loaded_as_a_test() -> None:
    report = (
        '<testsuites name="vitest tests"><testsuite name="v/b.test.ts"><testcase classname="v/b.test.ts"'
        ' name="v/b.test.ts"><failure message="m">Error: no\n \u276f v/b.test.ts:1:1\n</failure></testcase>'
        '<testcase classname="v/b.test.ts" name="ok"/></testsuite></testsuites>'
    )
    found = parsed("vitest", "", report=report)
    assert [place(item) for item in found.diagnostics] == [("v/b.test.ts", 1, 1, "v/b.test.ts")]
    assert found.tests == TestReport(1, ("ok",))


@pytest.mark.parametrize(
    ("tool", "argv"),
    [
        ("jest", ("jest", "--ci", "--json", "--outputFile=/a b/r")),
        ("vitest", ("vitest", "run", "--reporter=default", "--reporter=junit", "--outputFile.junit=/a b/r")),
    ],
)
def test_a_composed_command_is_asked_for_a_report_beside_its_text(tool: str, argv: tuple[str, ...]) -> None:
    ask = TOOLS[tool].report_argv
    assert ask is not None
    assert ask(argv[:2], "/a b/r") == argv
