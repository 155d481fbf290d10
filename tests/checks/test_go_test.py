"""What `go test` prints, read: which tests ran is never more than what was seen to run."""

import json

import pytest

from fixloop_bot.checks.tool import Parsed
from fixloop_bot.model.layer import TestReport
from tests.checks.reading import parsed

VERBOSE = """\
=== RUN   TestTable
=== RUN   TestTable/one_one
    a_test.go:8: logging
        second line
stdout noise
    a_test.go:11: bad 1
=== RUN   TestTable/two
=== NAME  TestTable
    a_test.go:15: parent done
--- FAIL: TestTable (0.00s)
    --- FAIL: TestTable/one_one (0.00s)
    --- PASS: TestTable/two (0.00s)
=== RUN   TestSkip
    a_test.go:17: why
--- SKIP: TestSkip (0.00s)
=== RUN   TestPass
no newline--- PASS: TestPass (0.00s)
=== RUN   ExampleAdd
--- FAIL: ExampleAdd (0.00s)
got:
-1
want:
3
FAIL
FAIL\texample.com/x/a\t0.006s
?   \texample.com/x/g\t[no test files]
ok  \texample.com/x/h\t0.002s
FAIL
"""
A = "example.com/x/a."


def test_verbose_output_names_every_test() -> None:
    assert parsed("go-test", VERBOSE).tests == TestReport(
        5,
        (f"{A}TestTable/two", f"{A}TestPass"),
        (f"{A}TestTable", f"{A}TestTable/one_one", f"{A}ExampleAdd"),
        (f"{A}TestSkip",),
    )


def test_a_failed_subtest_stands_for_its_parent_and_has_what_it_logged() -> None:
    found = parsed("go-test", VERBOSE, files=("a/a_test.go",)).diagnostics
    assert [(one.test_id, one.path, one.line, one.message) for one in found] == [
        (f"{A}TestTable/one_one", "a/a_test.go", 11, "logging\nsecond line\nbad 1"),
        (f"{A}ExampleAdd", None, None, "got:\n-1\nwant:\n3"),
    ]


PLAIN = """\
--- FAIL: TestTable (0.00s)
    --- FAIL: TestTable/one (0.00s)
        a_test.go:11: bad 1
              more
    --- FAIL: TestTable/two (0.00s)
        a_test.go:11: bad 2
    a_test.go:15: parent done
FAIL
FAIL\texample.com/x/a\t0.008s
ok  \texample.com/x/b\t(cached)
FAIL
"""


def test_without_v_each_log_belongs_to_the_test_above_it_by_its_indentation() -> None:
    found = parsed("go-test", PLAIN).diagnostics
    assert [(one.test_id, one.message) for one in found] == [
        (f"{A}TestTable/one", "bad 1\nmore"), (f"{A}TestTable/two", "bad 2"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "tests"),
    [
        pytest.param(PLAIN, None, id="passing tests are not told"),
        pytest.param("ok  \tx\t0.1s\n", None, id="nor are they in a plain pass"),
        pytest.param("?   \tx\t[no test files]\n", TestReport(0), id="no test file"),
        pytest.param("ok  \tx\t0.1s [no tests to run]\n", TestReport(0), id="no test of that name"),
        pytest.param("?   \tx\t[no test files]\nok  \ty\t0.1s\n", None, id="one package may have run some"),
        pytest.param("FAIL\tx [build failed]\nFAIL\n", TestReport(0), id="nothing was built"),
        pytest.param("nothing of go's\n", None, id="another program's output"),
        pytest.param(
            "=== RUN   TestA\n--- PASS: TestA (0.00s)\n… about 9,000 bytes left out …\nPASS\nok  \tx\t0.1s\n",
            None,
            id="an output whose middle was left out",
        ),
    ],
)
def test_what_is_not_known_to_have_run_is_not_counted(text: str, tests: TestReport | None) -> None:
    assert parsed("go-test", text).tests == tests


PANIC = """\
=== RUN   TestFirst
--- PASS: TestFirst (0.00s)
=== RUN   TestLast
--- FAIL: TestLast (0.00s)
panic: runtime error: index out of range [2] with length 2 [recovered]
\tpanic: runtime error: index out of range [2] with length 2

goroutine 6 [running]:
testing.tRunner.func1.2({0x518a00, 0xc00001c030})
\t/usr/lib/go-1.19/src/testing/testing.go:1396 +0x24e
example.com/x/a.Last(...)
\t/p/a/a.go:4
example.com/x/a.TestLast(0x0?)
\t/p/a/a_test.go:6 +0x1b
FAIL\texample.com/x/a\t0.022s
"""


def test_a_panic_hides_the_tests_that_come_after_it() -> None:
    found = parsed("go-test", PANIC, files=("a/a.go", "a/a_test.go"))
    assert found.tests == TestReport(2, (f"{A}TestFirst",), (f"{A}TestLast",))
    (panic,) = found.diagnostics
    assert (panic.path, panic.line, panic.test_id) == ("a/a_test.go", 6, f"{A}TestLast")
    assert panic.message == "panic: runtime error: index out of range [2] with length 2"


@pytest.mark.parametrize(
    ("text", "test_id"),
    [
        pytest.param(
            "panic: boom\n\ngoroutine 8 [running]:\nexample.com/x/a.Go.func1()\n\t/p/a/a.go:6 +0x27\n"
            "created by example.com/x/a.TestGo in goroutine 7\n\t/p/a/a_test.go:9 +0x25\n",
            f"{A}TestGo",
            id="in a goroutine that a test started",
        ),
        pytest.param(
            "panic: test timed out after 2s\nrunning tests:\n\tTestSlow (2s)\n\ngoroutine 17 [running]:\n",
            f"{A}TestSlow",
            id="a timeout",
        ),
        pytest.param(
            "=== RUN   TestOne\n--- PASS: TestOne (0.00s)\n=== RUN   TestExit\nbye\n", f"{A}TestExit", id="an exit"
        ),
        pytest.param("2026/01/01 00:00:00 no database\n", "example.com/x/a", id="before any test"),
    ],
)
def test_a_package_that_ended_on_its_own_is_a_failure_with_a_name(text: str, test_id: str) -> None:
    found = parsed("go-test", f"{text}FAIL\texample.com/x/a\t0.01s\nFAIL\n").diagnostics
    assert [one.test_id for one in found] == [test_id]


BUILD = """\
# example.com/x/c [example.com/x/c.test]
c/c_test.go:5:46: undefined: size
FAIL\texample.com/x/c [build failed]
--- FAIL: TestA (0.00s)
    a_test.go:4: x.go:3:1: not a compiler's line
FAIL
FAIL\texample.com/x/a\t0.01s
FAIL
"""


def test_tests_that_do_not_compile_stand_beside_those_that_fail() -> None:
    found = parsed("go-test", BUILD, files=("c/c_test.go", "a/a_test.go")).diagnostics
    assert [(one.path, one.rule_id or one.test_id) for one in found] == [
        ("c/c_test.go", "undefined"), ("a/a_test.go", f"{A}TestA"),
    ]  # fmt: skip


def test_a_package_that_was_not_built_for_no_known_reason_is_an_error() -> None:
    (found,) = parsed("go-test", "# x/c\ncgo: C compiler not found\nFAIL\tx/c [build failed]\nFAIL\n").diagnostics
    assert found.message == "x/c [build failed]"


def events(*events: dict[str, str]) -> Parsed:
    text = "".join(json.dumps(event) + "\n" for event in events)
    return parsed("go-test", f"go: downloading x v1.0.0\n{text}")


def test_events_of_a_later_go_tell_what_was_not_built() -> None:
    package = {"Package": "x/c", "ImportPath": "x/c [x/c.test]"}
    found = events(
        package | {"Action": "start"},
        {"ImportPath": "x/c [x/c.test]", "Action": "build-output", "Output": "# x/c [x/c.test]\n"},
        {"ImportPath": "x/c [x/c.test]", "Action": "build-output", "Output": "c/c_test.go:5:46: undefined: size\n"},
        {"ImportPath": "x/c [x/c.test]", "Action": "build-fail"},
        package | {"Action": "output", "Output": "FAIL\tx/c [build failed]\n"},
        package | {"Action": "fail"},
    )
    assert [(one.path, one.rule_id) for one in found.diagnostics] == [("c/c_test.go", "undefined")]
    assert found.tests == TestReport(0)


def test_events_name_every_test() -> None:
    package = {"Package": "x"}
    found = events(
        package | {"Action": "run", "Test": "TestA"},
        package | {"Action": "output", "Test": "TestA", "Output": "    a_test.go:3: no\n"},
        package | {"Action": "fail", "Test": "TestA"},
        package | {"Action": "run", "Test": "TestB"},
        package | {"Action": "pass", "Test": "TestB"},
        package | {"Action": "skip", "Test": "TestC"},
        package | {"Action": "fail"},
    )
    assert found.tests == TestReport(2, ("x.TestB",), ("x.TestA",), ("x.TestC",))
    assert [one.message for one in found.diagnostics] == ["no"]


HOSTILE = {
    "verdicts within": ("--- FAIL: " * 390 + "\n") * 60,
    "blanks": (" " * 3_900 + "--- FAIL: T (0.00s)\n") * 60,
    "frames": "panic: x\n" + ("a.Test" * 650 + "(\n") * 60 + "FAIL\tx\t0.1s\n",
    "nested names": "--- FAIL: " + "a/" * 1_900 + " (0.00s)\nFAIL\tx\t0.1s\n",
    "tests": "".join(f"--- FAIL: T{n} (0.00s)\n    a_test.go:1: no\n" for n in range(4_000)) + "FAIL\tx\t0.1s\n",
    "events": '{"Action":"output","Package":"x","Test":"T","Output":"a"}\n' * 20_000,
    "objects": '\n{"a":' * 30_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=list(HOSTILE))
@pytest.mark.parametrize("tool", ["go-test", "go-vet", "gofmt"])
def test_hostile_text_is_read_to_its_end(tool: str, text: str) -> None:
    """A parser whose work grows faster than the text comes to no end here."""
    assert len(parsed(tool, text).diagnostics) <= 20_000
