"""PHPUnit and Pest, beyond what the recordings hold."""

import pytest

from fixloop_bot.checks.registry import parse
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.diagnostic import Level
from fixloop_bot.model.layer import TestReport
from tests.checks.reading import parsed, place

BANNER = "PHPUnit 11.5.0 by Sebastian Bergmann and contributors.\n\nRuntime:       PHP 8.3.0\n\n"
ELEVEN = (
    BANNER
    + """\
FE.R                                                        4 / 4 (100%)

Time: 00:00.045, Memory: 6.00 MB

There was 1 error:

1) Tests\\AppTest::testName
Error: Call to a member function x() on string

/p/src/App.php:4
/p/vendor/phpunit/phpunit/src/Framework/TestCase.php:9
/p/tests/Case.php:3
/p/tests/AppTest.php:12

--

There was 1 failure:

1) Tests\\AppTest::testSums with data set "a (b)" ('x', 1)
Failed asserting that two strings are equal.
--- Expected
+++ Actual
@@ @@
-'1) one
---
-2) two'
+''

/p/tests/AppTest.php:21

--

There was 1 risky test:

1) Tests\\AppTest::testRisky
This test did not perform any assertions

/p/tests/AppTest.php:16

--

1 test triggered 1 PHP warning:

1) /p/src/App.php:9
Undefined variable $x

Triggered by:

* Tests\\AppTest::testName
  /p/tests/AppTest.php:12

ERRORS!
Tests: 5, Assertions: 3, Errors: 1, Failures: 1, Warnings: 1, Skipped: 1, Risky: 1.
"""
)


def test_only_errors_and_failures_are_errors_where_there_are_any() -> None:
    found = parsed("phpunit", ELEVEN)
    error, failure, risky, warning = found.diagnostics
    assert place(error) == ("tests/AppTest.php", 12, None, "Tests\\AppTest::testName")
    assert place(failure) == ("tests/AppTest.php", 21, None, 'Tests\\AppTest::testSums with data set "a (b)"')
    assert "-2) two'" in failure.message
    assert (place(risky), risky.level) == (("tests/AppTest.php", 16, None, "Tests\\AppTest::testRisky"), Level.WARNING)
    assert (place(warning), warning.level) == (("src/App.php", 9, None, "PHP warning"), Level.WARNING)
    assert found.tests is not None
    assert (found.tests.executed, len(found.tests.failed)) == (4, 2)


WARNED = BANNER + (
    "..\n\n1 test triggered 1 PHP warning:\n\n1) /p/src/App.php:9\nUndefined variable $x\n\nTriggered by:\n\n"
    "* Tests\\AppTest::testName\n  /p/tests/AppTest.php:12\n\nOK, but there were issues!\n"
    "Tests: 2, Assertions: 2, Warnings: 1.\n"
)
PASSED = (
    '<testsuites><testsuite name="t">'
    '<testcase name="testA" class="T\\A" classname="T.A" file="/p/tests/A.php" line="3"/>'
    '<testcase name="testB with data set #0" class="T\\A" classname="T.A" file="/p/tests/A.php" line="4"/>'
    "</testsuite></testsuites>"
)


@pytest.mark.parametrize("report", [None, PASSED], ids=["text alone", "with a report that knows no warnings"])
def test_a_warning_that_alone_fails_the_run_is_an_error(report: str | None) -> None:
    found = parsed("phpunit", WARNED, report=report, code=1)
    assert [(place(item), item.level) for item in found.diagnostics] == [
        (("src/App.php", 9, None, "PHP warning"), Level.ERROR)
    ]
    assert found.tests is not None
    assert found.tests.executed == 2


def test_a_warning_that_passes_contradicts_nothing() -> None:
    found = parsed("phpunit", WARNED, report=PASSED, code=0)
    assert found.diagnostics == ()
    assert found.tests == TestReport(2, ("T\\A::testA", "T\\A::testB with data set #0"))


def test_a_risky_test_in_the_report_of_phpunit_9_is_no_failure() -> None:
    report = (
        '<testsuites><testsuite name="t">'
        '<testcase name="testR" classname="AppTest" file="/p/tests/AppTest.php" line="3">'
        '<error type="PHPUnit\\Framework\\RiskyTestError">AppTest::testR\nno assertions\n\n/p/tests/AppTest.php:3'
        '</error></testcase><testcase name="testW" classname="AppTest" file="/p/tests/AppTest.php" line="4">'
        '<error type="PHPUnit\\Framework\\Error\\Warning">AppTest::testW\nhey\n\n/p/tests/AppTest.php:5</error>'
        "</testcase></testsuite></testsuites>"
    )
    found = parsed("phpunit", "", report=report, code=2)
    assert [(place(item)[3], item.level) for item in found.diagnostics] == [
        ("AppTest::testR", Level.WARNING),
        ("AppTest::testW", Level.ERROR),
    ]
    assert found.diagnostics[1].message == "hey"
    assert found.tests == TestReport(2, ("AppTest::testR",), ("AppTest::testW",))


def test_a_failure_before_the_class_is_found_in_its_own_stack() -> None:
    text = BANNER + (
        "There was 1 error:\n\n1) BTest::testX\nException: x in /p/tests/BTest.php:2\nStack trace:\n"
        "#0 /usr/share/php/PHPUnit/Framework/TestSuite.php(628): BTest::setUpBeforeClass()\n#1 {main}\nERRORS!\n"
        "Tests: 2, Assertions: 0, Errors: 1, Skipped: 1.\n"
    )
    (found,) = parsed("phpunit", text).diagnostics
    assert place(found) == ("tests/BTest.php", 2, None, "BTest::testX")


@pytest.mark.parametrize(
    ("text", "executed"),
    [
        (BANNER + "No tests executed!\n", 0),
        (BANNER + "OK (1 test, 1 assertion)\n", 1),
        (
            BANNER
            + "OK, but incomplete, skipped, or risky tests!\nTests: 3, Assertions: 1, Skipped: 1, Incomplete: 1.\n",
            1,
        ),
    ],
)
def test_phpunits_last_line_tells_how_many_tests_ran(text: str, executed: int) -> None:
    assert parse("generic", ToolOutput(text=text, exit_code=0)).tests == TestReport(executed)


PEST_LINES = (
    "",
    "   FAIL  Tests\\Unit\\ExampleTest",
    "  \u2713 that true is true                                                   0.01s  ",
    "  \u2a2f it adds                                                             0.02s  ",
    "  " + "\u2500" * 60,
    "   FAILED  Tests\\Unit\\ExampleTest > it adds > up                                      ",
    "  Failed asserting that -1 is identical to 5.",
    "",
    "  at tests/Unit/ExampleTest.php:8",
    "      7\u2595 it('adds', function () {",
    "  \u279c   8\u2595     expect(add(2, 3))->toBe(5);",
    "",
    "   FAILED  Tests\\Unit\\ExampleTest > it names                              Error   ",
    "  Call to a member function x() on string",
    "",
    "  at src/functions.php:4",
    "  \u279c   4\u2595     return $x->x();",
    "",
    "  1   src/functions.php:4",
    "  2   tests/Unit/ExampleTest.php:12",
    "",
    "",
    "  Tests:    2 failed, 1 skipped, 1 passed (2 assertions)",
    "  Duration: 0.05s",
    "",
)
PEST = "\n".join(PEST_LINES)


def test_pest_names_tests_as_its_report_does() -> None:
    found = parsed("pest", PEST)
    assert [place(item) for item in found.diagnostics] == [
        ("tests/Unit/ExampleTest.php", 8, None, "Tests\\Unit\\ExampleTest::it adds > up"),
        ("tests/Unit/ExampleTest.php", 12, None, "Tests\\Unit\\ExampleTest::it names"),
    ]
    assert found.diagnostics[0].message == "Failed asserting that -1 is identical to 5."
    assert found.tests is not None
    assert found.tests.executed == 3
    report = (
        '<testsuites><testsuite name="t"><testcase name="it names" class="Tests\\Unit\\ExampleTest" '
        'classname="Tests.Unit.ExampleTest" file="tests/Unit/ExampleTest.php::it names"><error type="Error">it names\n'
        "Error: no\n\n/p/src/functions.php:4\n/p/tests/Unit/ExampleTest.php:12</error></testcase>"
        "</testsuite></testsuites>"
    )
    (failure,) = parsed("pest", PEST, report=report).diagnostics
    assert place(failure) == place(found.diagnostics[1])
