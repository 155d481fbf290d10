"""Gradle's output beside what is recorded: newer versions, subprojects, Kotlin, linters and scripts."""

import pytest

from fixloop_bot.checks.gradle import parse
from fixloop_bot.checks.registry import recognise
from fixloop_bot.checks.tool import Parsed, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind, Level
from fixloop_bot.model.layer import TestReport
from tests.checks.reading import place

FILES = frozenset({
    "src/test/java/shop/AppTest.java", "core/lib/src/test/java/shop/AppTest.java", "src/main/java/shop/App.java",
    "src/main/kotlin/shop/Price.kt", "src/test/java/LooseTest.java", "build.gradle.kts", "build.gradle",
})  # fmt: skip
FAILED = """
FAILURE: Build failed with an exception.

* What went wrong:
Execution failed for task '{task}'.
> {said}

BUILD FAILED in 2s
"""


def read(text: str, *reports: str) -> Parsed:
    return parse(ToolOutput(text=text, reports=reports, exit_code=1, cwd="/p", root="/p", exists=FILES.__contains__))


def only(text: str, *reports: str) -> Diagnostic:
    (found,) = [item for item in read(text, *reports).diagnostics if item.level is Level.ERROR]
    return found


def failed(task: str, said: str = "There were failing tests. See the report at: file:///p/x.html") -> str:
    return FAILED.format(task=task, said=said)


FULL = """\
> Task :core:lib:test FAILED

shop.AppTest > adds() FAILED
    org.opentest4j.AssertionFailedError: expected: <5> but was: <-1>
        at app//shop.AppTest.adds(AppTest.java:12)

        Caused by:
        java.lang.IllegalStateException: no

shop.AppTest > skipped() SKIPPED

3 tests completed, 1 failed, 1 skipped
""" + failed(":core:lib:test")


def test_a_subprojects_test_lies_in_its_folder() -> None:
    assert place(only(FULL)) == ("core/lib/src/test/java/shop/AppTest.java", 12, None, "shop.AppTest.adds")
    assert only(FULL).message == "org.opentest4j.AssertionFailedError: expected: <5> but was: <-1>"
    assert read(FULL).tests == TestReport(2, (), ("shop.AppTest.adds",), ("shop.AppTest.skipped",))


SHORT = """\
> Task :test FAILED

LooseTest > Nested things > [1] a > b FAILED
    java.lang.AssertionError at LooseTest.java:7

1 test completed, 1 failed
""" + failed(":test")


def test_the_short_form_names_only_what_was_thrown_and_the_line() -> None:
    found = only(SHORT)
    assert place(found) == ("src/test/java/LooseTest.java", 7, None, "LooseTest.Nested things > [1] a > b")
    assert found.message == "java.lang.AssertionError"


def test_names_of_the_runners_around_a_test_are_left_out() -> None:
    line = "Gradle Test Run :test > Gradle Test Executor 2 > shop.AppTest > adds() FAILED\n"
    assert only(line + failed(":test")).test_id == "shop.AppTest.adds"


REPORT = """<testsuite name="shop.AppTest"><properties/><testcase name="ok()" classname="shop.AppTest"/>
<testcase name="adds()" classname="shop.AppTest"><failure message="e: m">e: m
\tat shop.AppTest.adds(AppTest.java:12)
</failure></testcase></testsuite>"""


def test_reports_tell_what_passed_and_the_text_which_subproject_it_is() -> None:
    found = read("> Task :core:lib:test FAILED\n" + failed(":core:lib:test"), REPORT)
    assert [item.path for item in found.diagnostics] == ["core/lib/src/test/java/shop/AppTest.java"]
    assert found.tests == TestReport(2, ("shop.AppTest.ok",), ("shop.AppTest.adds",))


JAVAC = """\
{indent}/p/src/main/java/shop/App.java:5: error: incompatible types: String cannot be converted to int
{indent}        return "s";
{indent}               ^
"""
TWICE = (
    "> Task :compileJava FAILED\n" + JAVAC.format(indent="") + "1 error\n"
    + failed(":compileJava", "Compilation failed; see the compiler output below.\n" + JAVAC.format(indent="  "))
)  # fmt: skip


def test_an_error_that_is_summed_up_again_counts_once() -> None:
    assert place(only(TWICE)) == ("src/main/java/shop/App.java", 5, 16, "incompatible-types")
    assert only(TWICE).kind is DiagnosticKind.TYPE_ERROR
    assert read(TWICE).tests is None


@pytest.mark.parametrize(
    "line",
    [
        "e: file:///p/src/main/kotlin/shop/Price.kt:3:9 Unresolved reference 'summ'.",
        "e: /p/src/main/kotlin/shop/Price.kt: (3, 9): Unresolved reference: summ",
        "e: /p/src/main/kotlin/shop/Price.kt:3:9: Unresolved reference: summ",
    ],
    ids=["Kotlin 2", "Kotlin 1", "a script"],
)
def test_kotlin_under_gradle(line: str) -> None:
    text = f"> Task :compileKotlin FAILED\n{line}\n" + failed(":compileKotlin", "Compilation error. See log.")
    assert place(only(text)) == ("src/main/kotlin/shop/Price.kt", 3, 9, "unresolved-reference")


LINTERS = [
    pytest.param(
        "[ant:checkstyle] [ERROR] /p/src/main/java/shop/App.java:4:9: 'if' needs braces. [NeedBraces]\n",
        "checkstyleMain",
        ("src/main/java/shop/App.java", 4, 9, "NeedBraces"),
        id="checkstyle",
    ),
    pytest.param(
        "/p/src/main/kotlin/shop/Price.kt:1:1 Wildcard import (cannot be auto-corrected) (no-wildcard-imports)\n",
        "ktlintMainSourceSetCheck",
        ("src/main/kotlin/shop/Price.kt", 1, 1, "no-wildcard-imports"),
        id="ktlint",
    ),
    pytest.param(
        "/p/src/main/kotlin/shop/Price.kt:2:5: The function total has too many parameters. [LongParameterList]\n",
        "detekt",
        ("src/main/kotlin/shop/Price.kt", 2, 5, "LongParameterList"),
        id="detekt",
    ),
]


@pytest.mark.parametrize(("text", "task", "expected"), LINTERS)
def test_a_linter_whose_task_failed(text: str, task: str, expected: object) -> None:
    assert place(only(text + failed(f":{task}", "violations were found"))) == expected
    assert read(text + failed(":compileJava", "no")).diagnostics[0].rule_id == ":compileJava"


def test_spotless_names_the_files_above_their_differences() -> None:
    said = (
        "The following files had format violations:\n      src/main/java/shop/App.java\n          @@ -1,2 +1,2 @@\n"
        "          -a.b\n  Run './gradlew :spotlessApply' to fix these violations."
    )
    assert place(only(failed(":spotlessJavaCheck", said))) == ("src/main/java/shop/App.java", None, None, "format")


SCRIPT = """
FAILURE: Build failed with an exception.

* Where:
Build file '/p/build.gradle{kts}' line: 7

* What went wrong:
{said}

BUILD FAILED in 2s
"""


@pytest.mark.parametrize("kts", ["", ".kts"])
def test_a_broken_build_script_is_found_there(kts: str) -> None:
    found = only(
        SCRIPT.format(kts=kts, said="A problem occurred evaluating root project.\n> Could not find method foo()")
    )
    assert place(found) == (f"build.gradle{kts}", 7, None, "script")
    assert found.kind is DiagnosticKind.BUILD_ERROR


@pytest.mark.parametrize(
    "text",
    [
        SCRIPT.format(kts="", said="Plugin [id: 'x'] was not found in any of the following sources:"),
        failed(":compileJava", "Could not resolve all files for configuration ':compileClasspath'."),
    ],
    ids=["a plugin", "a dependency"],
)
def test_what_could_not_be_fetched_is_no_fault_of_the_code(text: str) -> None:
    assert read(text).diagnostics == ()


def test_two_tasks_that_failed_are_both_told() -> None:
    text = failed(":a:jar", "no disk") + failed(":b:jar", "no room")
    assert [(item.rule_id, item.message) for item in read(text).diagnostics] == [
        (":a:jar", "no disk"),
        (":b:jar", "no room"),
    ]


@pytest.mark.parametrize(
    ("text", "tests"),
    [
        ("> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s\n", TestReport(0)),
        ("> Task :a:test NO-SOURCE\n> Task :b:test\n\nBUILD SUCCESSFUL in 1s\n", None),
        ("> Task :compileJava\n\nBUILD SUCCESSFUL in 1s\n", None),
    ],
    ids=["no sources of tests", "some have tests", "no task of tests"],
)
def test_what_is_known_of_tests_when_all_is_well(text: str, tests: TestReport | None) -> None:
    assert read(text).tests == tests


def test_lines_that_gradle_did_not_print_are_left_to_others() -> None:
    assert read("shop.AppTest > adds FAILED\n    at x\n") == Parsed()


@pytest.mark.parametrize(
    ("command", "tool"),
    [
        ("gradle test", "gradle"),
        ("./gradlew --no-daemon :core:test", "gradle"),
        ("./gradlew check", "gradle"),
        ("./gradlew build", "gradle"),
        ("./gradlew integrationTest", "gradle"),
        ("./gradlew check -x test", "gradle-build"),
        ("./gradlew classes testClasses", "gradle-build"),
        ("./gradlew spotlessCheck", "gradle-build"),
    ],
)
def test_only_a_command_that_runs_tests_is_a_test_runner(command: str, tool: str) -> None:
    assert recognise(command) == tool
