"""JUnit's own runners beside what is recorded: what passed, what was skipped, and whole classes that failed."""

import pytest

from fixloop_bot.checks.junit4 import parse as parse_junit4
from fixloop_bot.checks.junit5 import parse
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.layer import TestReport
from tests.checks.reading import place

UNICODE = """\
╷
├─ JUnit Jupiter ✔
│  └─ AppTest ✔
│     ├─ greets() ✔
│     ├─ totals(int) ✔
│     │  ├─ [1] 1 ✘ expected: <2> but was: <0>
│     │  └─ [2] 2 ✔
│     └─ later() ↷ for later
└─ JUnit Vintage ✔
"""
ASCII = """\
.
+-- JUnit Jupiter [OK]
| '-- AppTest [OK]
|   +-- greets() [OK]
|   +-- totals(int) [OK]
|   | +-- [1] 1 [X] expected: <2> but was: <0>
|   | '-- [2] 2 [OK]
|   '-- later() [S] for later
'-- JUnit Vintage [OK]
"""
COUNTS = """
Test run finished after 95 ms
[         4 tests found           ]
[         1 tests skipped         ]
[         3 tests started         ]
[         0 tests aborted         ]
[         2 tests successful      ]
[         1 tests failed          ]
"""


def output(text: str, *files: str) -> ToolOutput:
    return ToolOutput(text=text, exit_code=1, cwd="/p", root="/p", exists=files.__contains__)


@pytest.mark.parametrize("tree", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_the_tree_names_every_test_and_the_counts_decide(tree: str) -> None:
    tests = parse(output(tree + COUNTS)).tests
    assert tests
    assert (tests.executed, tests.failed, tests.skipped) == (3, ("AppTest.totals(int).[1] 1",), ("AppTest.later",))
    assert set(tests.passed) >= {"AppTest.greets", "AppTest.totals(int).[2] 2"}


def test_a_run_that_found_no_test_ran_none() -> None:
    assert parse(output("[         0 tests found           ]\n")).tests == TestReport(0)


def test_a_class_that_cannot_be_set_up_bears_its_own_name() -> None:
    text = (
        "Failures (1):\n  JUnit Jupiter:AppTest\n    ClassSource [className = 'shop.AppTest', filePosition = null]\n"
        "    => java.lang.IllegalStateException: no database\n       shop.AppTest.open(AppTest.java:9)\n       [...]\n"
    )
    (found,) = parse(output(text, "src/test/java/shop/AppTest.java")).diagnostics
    assert place(found) == ("src/test/java/shop/AppTest.java", 9, None, "shop.AppTest")
    assert found.message == "java.lang.IllegalStateException: no database"


@pytest.mark.parametrize(
    ("text", "tests"),
    [
        ("JUnit version 4.13.2\n...\nTime: 0.005\n\nOK (3 tests)\n", TestReport(3)),
        ("JUnit version 4.13.2\n\nTime: 0.001\n\nOK (0 tests)\n", TestReport(0)),
        ("All is well\n", None),
    ],
    ids=["all passed", "none there", "another program"],
)
def test_junit_4_counts_its_tests(text: str, tests: TestReport | None) -> None:
    assert parse_junit4(output(text)).tests == tests


def test_a_numbered_list_of_another_program_is_not_junit_4s() -> None:
    assert parse_junit4(output("1) adds(AppTest)\nexpected 5\n")).diagnostics == ()
