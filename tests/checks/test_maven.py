"""Maven's output beside what is recorded: other versions of its plugins, modules, linters and poms."""

import pytest

from fixloop_bot.checks.maven import parse
from fixloop_bot.checks.registry import recognise
from fixloop_bot.checks.tool import Parsed, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind, Level
from fixloop_bot.model.layer import TestReport
from tests.checks.reading import place

FILES = frozenset({
    "src/test/java/shop/AppTest.java", "core/src/test/java/shop/AppTest.java", "web/src/test/java/shop/AppTest.java",
    "core/src/main/java/shop/App.java", "src/main/kotlin/shop/Price.kt", "src/main/java/shop/App.java",
})  # fmt: skip
NEWEST = """\
[INFO] Running shop.AppTest
[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 1, Time elapsed: 0.03 s <<< FAILURE! -- in shop.AppTest
[ERROR] shop.AppTest.adds -- Time elapsed: 0.005 s <<< FAILURE!
org.opentest4j.AssertionFailedError: expected: <5> but was: <-1>
\tat shop.App.add(App.java:9)
\tat shop.AppTest.adds(AppTest.java:12)

[INFO] Results:
[INFO]
[ERROR] Failures:
[ERROR]   AppTest.adds:12 expected: <5> but was: <-1>
[INFO]
[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 1
[ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.2.5:test (default-test) on project \
shop: There are test failures.
"""
OLDEST = """\
Running shop.AppTest
Tests run: 2, Failures: 1, Errors: 0, Skipped: 1, Time elapsed: 0.03 sec <<< FAILURE! - in shop.AppTest
adds(shop.AppTest)  Time elapsed: 0.005 sec  <<< FAILURE!
org.opentest4j.AssertionFailedError: expected: <5> but was: <-1>
\tat shop.AppTest.adds(AppTest.java:12)

Results :

Failed tests:
  AppTest.adds:12 expected: <5> but was: <-1>

Tests run: 2, Failures: 1, Errors: 0, Skipped: 1
"""
BARE = OLDEST.replace("adds(shop.AppTest)  Time", "[ERROR] adds  Time")


def read(text: str, *reports: str) -> Parsed:
    return parse(ToolOutput(text=text, reports=reports, exit_code=1, cwd="/p", root="/p", exists=FILES.__contains__))


def only(text: str, *reports: str) -> Diagnostic:
    (found,) = [item for item in read(text, *reports).diagnostics if item.level is Level.ERROR]
    return found


@pytest.mark.parametrize("text", [NEWEST, OLDEST, BARE], ids=["surefire 3", "surefire 2", "without the class"])
def test_every_surefire_tells_the_same(text: str) -> None:
    assert place(only(text)) == ("src/test/java/shop/AppTest.java", 12, None, "shop.AppTest.adds")
    assert only(text).message == "org.opentest4j.AssertionFailedError: expected: <5> but was: <-1>"
    assert read(text).tests == TestReport(1, failed=("shop.AppTest.adds",))


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("shop.AppTest.adds(int)[2]", "shop.AppTest.adds(int)[2]"),
        ("shop.AppTest", "shop.AppTest"),
        ("adds{int}[1]", "shop.AppTest.adds{int}[1]"),
        ("adds()", "shop.AppTest.adds"),
        ("Adds two (small) numbers", "shop.AppTest.Adds two (small) numbers"),
    ],
    ids=["a parameter", "the whole class", "an older parameter", "with parentheses", "a display name"],
)
def test_a_test_is_named_as_in_its_report(title: str, name: str) -> None:
    assert only(NEWEST.replace("shop.AppTest.adds --", f"{title} --")).test_id == name


MODULE = "[INFO] Compiling 3 source files to /p/{0}/target/test-classes\n" + OLDEST


def test_the_same_class_in_two_modules_is_two_files() -> None:
    found = read(MODULE.format("core") + MODULE.format("web"))
    assert [item.path for item in found.diagnostics] == [
        "core/src/test/java/shop/AppTest.java",
        "web/src/test/java/shop/AppTest.java",
    ]
    assert found.tests
    assert found.tests.executed == 2


REPORT = """<testsuite name="shop.AppTest"><properties><property name="basedir" value="/p/web"/></properties>
<testcase name="ok" classname="shop.AppTest"/><testcase name="later" classname="shop.AppTest"><skipped/></testcase>
<testcase name="adds" classname="shop.AppTest"><failure message="m" type="java.lang.AssertionError">\
java.lang.AssertionError: m
\tat shop.AppTest.adds(AppTest.java:12)
</failure></testcase></testsuite>"""


def test_a_report_says_which_module_it_is_of_and_what_passed() -> None:
    assert only(MODULE.format("core"), REPORT).path == "web/src/test/java/shop/AppTest.java"
    assert read("", REPORT).tests == TestReport(
        2, ("shop.AppTest.ok",), ("shop.AppTest.adds",), ("shop.AppTest.later",)
    )


def test_a_class_that_cannot_be_set_up_bears_its_own_name() -> None:
    report = REPORT.replace('name="adds"', 'name=""')
    assert only("", report).test_id == "shop.AppTest"


COMPILER = """\
[ERROR] COMPILATION ERROR :
[ERROR] /p/src/main/java/shop/App.java:[5,16] ';' expected
[ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3.11.0:compile (default-compile) on \
project shop: Compilation failure
[ERROR] /p/src/main/java/shop/App.java:[5,16] ';' expected
"""


def test_what_does_not_compile_is_no_failed_test() -> None:
    found = only(COMPILER)
    assert place(found) == ("src/main/java/shop/App.java", 5, 16, "expected")
    assert found.kind is DiagnosticKind.SYNTAX_ERROR
    assert read(COMPILER).tests is None


@pytest.mark.parametrize(
    "line",
    [
        "[ERROR] /p/src/main/kotlin/shop/Price.kt: (3, 9) Unresolved reference: summ",
        "[ERROR] /p/src/main/kotlin/shop/Price.kt:3:9 Unresolved reference 'summ'.",
    ],
    ids=["Kotlin 1", "Kotlin 2"],
)
def test_kotlin_under_maven(line: str) -> None:
    assert place(only(line)) == ("src/main/kotlin/shop/Price.kt", 3, 9, "unresolved-reference")


def goal(plugin: str, said: str) -> str:
    return f"[ERROR] Failed to execute goal org.x:{plugin}:1.0:check (default) on project shop: {said} -> [Help 1]\n"


CHECKSTYLE = "[WARN] src/main/java/shop/App.java:[4] (sizes) LineLength: Line is longer than 100 characters.\n"
LINTERS = [
    pytest.param(
        CHECKSTYLE.replace("WARN", "ERROR") + goal("maven-checkstyle-plugin", "You have 1 Checkstyle violation."),
        ("src/main/java/shop/App.java", 4, None, "LineLength"),
        id="checkstyle",
    ),
    pytest.param(
        "[INFO] PMD Failure: shop.App:6 Rule:UnusedLocalVariable Priority:3 Avoid unused local variables such as 'x'.\n"
        + goal("maven-pmd-plugin", "You have 1 PMD violation."),
        ("src/main/java/shop/App.java", 6, None, "UnusedLocalVariable"),
        id="PMD",
    ),
    pytest.param(
        "[ERROR] Medium: Dead store in shop.App.main(String[]) [shop.App] At App.java:[line 7] DLS_DEAD_LOCAL_STORE\n"
        + goal("spotbugs-maven-plugin", "failed with 1 bugs and 0 errors"),
        ("src/main/java/shop/App.java", 7, None, "DLS_DEAD_LOCAL_STORE"),
        id="SpotBugs",
    ),
    pytest.param(
        goal("spotless-maven-plugin", "The following files had format violations:").replace(" -> [Help 1]", "")
        + "[ERROR]     src/main/java/shop/App.java\n[ERROR]         @@ -1,2 +1,2 @@\n[ERROR]         -class·A.b\n"
        "[ERROR] Run 'mvn spotless:apply' to fix these violations.\n[ERROR]     not/a.file\n",
        ("src/main/java/shop/App.java", None, None, "format"),
        id="Spotless",
    ),
    pytest.param(
        "[ERROR] /p/src/main/kotlin/shop/Price.kt:1:1: Wildcard import (standard:no-wildcard-imports)\n"
        + goal("ktlint-maven-plugin", "Kotlin source failed ktlint check."),
        ("src/main/kotlin/shop/Price.kt", 1, 1, "standard:no-wildcard-imports"),
        id="ktlint",
    ),
]


@pytest.mark.parametrize(("text", "expected"), LINTERS)
def test_a_linter_whose_goal_failed(text: str, expected: object) -> None:
    assert place(only(text)) == expected
    assert only(text).kind is DiagnosticKind.LINT_ERROR


def test_a_linter_that_merely_reports_is_not_why_the_build_failed() -> None:
    found = read(CHECKSTYLE + COMPILER).diagnostics
    assert [item.rule_id for item in found] == ["expected"]


def test_a_module_s_checkstyle_names_files_relative_to_it() -> None:
    before = "[INFO] Compiling 1 source file to /p/core/target/classes\n"
    text = before + CHECKSTYLE.replace("WARN", "ERROR") + goal("maven-checkstyle-plugin", "You have 1 violation.")
    assert only(text).path == "core/src/main/java/shop/App.java"


POM = """\
[ERROR] [ERROR] Some problems were encountered while processing the POMs:
[ERROR] Malformed POM /p/pom.xml: Unrecognised tag: 'dependancy' (position: START_TAG) @ /p/pom.xml, line 9, column 17
"""
MISSING = """\
[ERROR] The build could not read 1 project -> [Help 1]
[ERROR]
[ERROR]   The project shop:shop:1 (/p/pom.xml) has 1 error
[ERROR]     'dependencies.dependency.version' for junit:junit:jar is missing. @ line 12, column 17
"""


@pytest.mark.parametrize(
    ("text", "line"), [(POM, 9), (MISSING, 12)], ids=["a file that is no pom", "a file named above"]
)
def test_what_is_wrong_in_a_pom_is_found_there(text: str, line: int) -> None:
    assert (only(text).path, only(text).line, only(text).kind) == ("pom.xml", line, DiagnosticKind.BUILD_ERROR)


def test_a_goal_that_says_no_more_is_told_as_it_is() -> None:
    found = only(goal("maven-enforcer-plugin", "Some Enforcer rules have failed."))
    assert (found.path, found.rule_id) == (None, "maven-enforcer-plugin:check")
    assert found.message == "Some Enforcer rules have failed."


@pytest.mark.parametrize(
    "said",
    [
        "Could not resolve dependencies for project shop",
        "The parent POM could not be resolved",
        "Could not transfer artifact",
    ],
)
def test_what_could_not_be_fetched_is_no_fault_of_the_code(said: str) -> None:
    assert read(goal("maven-compiler-plugin", said)).diagnostics == ()


def test_a_build_without_tests_ran_none() -> None:
    assert read("[INFO] No tests to run.\n").tests == TestReport(0)


@pytest.mark.parametrize(
    ("command", "tool"),
    [
        ("mvn test", "maven"),
        ("./mvnw -B clean verify", "maven"),
        ("mvn -pl core -am -Dtest=AppTest surefire:test", "maven"),
        ("mvnd package", "maven"),
        ("mvn -B test-compile", "maven-build"),
        ("mvn -DskipTests package", "maven-build"),
        ("mvn package -Dmaven.test.skip=true", "maven-build"),
        ("mvn -DskipTests=false package", "maven"),
        ("mvn checkstyle:check", "maven-build"),
        ("MAVEN_OPTS=-Xmx1g mvn install", "maven"),
    ],
)
def test_only_a_command_that_runs_tests_is_a_test_runner(command: str, tool: str) -> None:
    assert recognise(command) == tool
