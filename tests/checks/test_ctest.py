"""ctest's text and report, and where a test that says nothing comes from."""

from collections.abc import Mapping

import pytest

from fixloop_bot.checks.ctest import TOOL, parse, report_argv
from fixloop_bot.checks.tool import Parsed, ToolOutput
from fixloop_bot.model.fingerprint import Tier
from tests.checks.reading import place

FILES = {
    "CMakeLists.txt": "add_subdirectory(tests)\nadd_executable(one src/one.c)\n# add_test(NAME crashes COMMAND one)\n",
    "tests/CMakeLists.txt": 'add_executable(two "two.c" helper.c)\n'
    "add_test(NAME crashes COMMAND $<TARGET_FILE:two> x)\nadd_test(old one)\n",
    "src/one.c": "",
    "tests/two.c": "",
}
TEXT = """\
Internal ctest changing into directory: /p/build
Test project /p/build
    Start 1: adds
1/6 Test #1: adds .............................Subprocess aborted***Exception:   0.00 sec
one: /p/src/one.c:4: main: Assertion `2 - 3 == 5' failed.

    Start 2: crashes
2/6 Test #2: crashes ..........................***Exception: SegFault  0.00 sec
    Start 3: ok
3/6 Test #3: ok ...............................   Passed    0.00 sec
    Start 4: nothere
Could not find executable nothere
4/6 Test #4: nothere ..........................***Not Run   0.00 sec
5/6 Test #5: off ..............................***Not Run (Disabled)   0.00 sec
6/6 Test #6: skipped ..........................***Skipped   0.00 sec

33% tests passed, 3 tests failed out of 4

The following tests did not run:
\t  5 - off (Disabled)
\t  6 - skipped (Skipped)

The following tests FAILED:
\t  1 - adds (Subprocess aborted)
\t  2 - crashes (SEGFAULT)
\t  4 - nothere (Not Run)
Errors while running CTest
"""
REPORT = """\
<testsuite name="(empty)" tests="3">
<testcase name="adds" status="fail"><failure message=""/><system-out>one: /p/src/one.c:4: no</system-out></testcase>
<testcase name="crashes" status="fail"><failure message=""/><system-out></system-out></testcase>
<testcase name="ok" status="run"/>
</testsuite>
"""


def read(text: str, *, report: str | None = None, files: Mapping[str, str] = FILES) -> Parsed:
    output = ToolOutput(
        text=text, report=report, exit_code=8, cwd="/p", root="/p", exists=files.__contains__, read=files.get
    )
    return parse(output)


def test_every_failed_test_is_named_and_placed() -> None:
    found = read(TEXT)
    assert [place(item) for item in found.diagnostics] == [
        ("src/one.c", 4, None, "adds"),
        ("tests/two.c", None, None, "crashes"),
        (None, None, None, "nothere"),
    ]
    assert found.diagnostics[0].message == "one: /p/src/one.c:4: main: Assertion `2 - 3 == 5' failed."
    assert found.diagnostics[1].message == "Exception: SegFault"


def test_what_was_passed_over_on_purpose_did_not_fail() -> None:
    tests = read(TEXT).tests
    assert tests is not None
    assert (tests.executed, tests.passed, tests.skipped) == (4, ("ok",), ("off", "skipped"))


def test_the_report_adds_what_the_text_lacks() -> None:
    found = read("The following tests FAILED:\n\t  1 - adds (Failed)\n", report=REPORT)
    assert [place(item) for item in found.diagnostics] == [
        ("src/one.c", 4, None, "adds"),
        ("tests/two.c", None, None, "crashes"),
    ]
    assert found.tier is Tier.STRUCTURED
    assert found.tests is not None
    assert found.tests.passed == ("ok",)


@pytest.mark.parametrize(
    ("test", "path"),
    [("crashes", "tests/two.c"), ("old", "src/one.c"), ("one", "src/one.c"), ("unknown", None)],
)
def test_a_silent_test_is_placed_by_what_the_build_files_say(test: str, path: str | None) -> None:
    (failure,) = read(f"The following tests FAILED:\n\t  1 - {test} (SEGFAULT)\n").diagnostics
    assert (failure.path, failure.message) == (path, "SEGFAULT")


def test_lists_that_take_in_each_other_come_to_an_end() -> None:
    files = {"CMakeLists.txt": "add_subdirectory(.)\n" * 50}
    assert read("The following tests FAILED:\n\t  1 - a (Failed)\n", files=files).diagnostics[0].path is None


def test_no_test_at_all_is_known() -> None:
    found = read("No tests were found!!!\n")
    assert found.tests is not None
    assert found.tests.executed == 0


def test_a_crash_under_a_sanitizer_is_placed_by_its_own_frame() -> None:
    text = (
        "1/1 Test #1: adds ....***Failed    0.01 sec\n/p/tests/two.c:1: start\n"
        "==1==ERROR: AddressSanitizer: SEGV on unknown address 0x0 (pc 0x1 bp 0x1 sp 0x1 T0)\n"
        "    #0 0x1 in main /p/src/one.c:7\n"
    )
    assert [place(item)[:2] for item in read(text).diagnostics] == [("src/one.c", 7)]


def test_a_report_is_asked_for_at_the_end_of_a_composed_line() -> None:
    assert TOOL.report_argv is report_argv
    assert report_argv(("ctest", "-j4"), "/t/r.xml") == ("ctest", "-j4", "--output-junit", "/t/r.xml")
    line = report_argv(("sh", "-c", "cmake --build b && ctest"), "/a b/r.xml")[2]
    assert line == "cmake --build b && ctest --output-junit '/a b/r.xml'"
