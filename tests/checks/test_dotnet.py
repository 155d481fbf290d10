"""`dotnet build`, `dotnet format` and `dotnet test`, by the forms that their documentation gives."""

import pytest

from fixloop_bot.checks.registry import TOOLS, parse, recognise
from fixloop_bot.checks.tool import Parsed, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind, Level
from fixloop_bot.model.fingerprint import Tier
from fixloop_bot.model.layer import TestReport
from tests.checks.reading import place

FILES = frozenset({"Shop/Price.cs", "Shop/Shop.csproj", "Shop.Tests/PriceTests.cs", "Shop.sln"})
BUILD = """\
  Determining projects to restore...
  Shop -> /p/Shop/bin/Debug/net8.0/Shop.dll
/p/Shop/Price.cs(4,16): error CS0029: Cannot implicitly convert type 'string' to 'int' [/p/Shop/Shop.csproj]
/p/Shop/Price.cs(2,7): warning CS0168: The variable 'x' is declared but never used [/p/Shop/Shop.csproj]

Build FAILED.

/p/Shop/Price.cs(2,7): warning CS0168: The variable 'x' is declared but never used [/p/Shop/Shop.csproj]
/p/Shop/Price.cs(4,16): error CS0029: Cannot implicitly convert type 'string' to 'int' [/p/Shop/Shop.csproj]
    1 Warning(s)
    1 Error(s)
"""


def read(text: str, *reports: str, tool: str = "dotnet-test") -> Parsed:
    output = ToolOutput(text=text, reports=reports, exit_code=1, cwd="/p", root="/p", exists=FILES.__contains__)
    return TOOLS[tool].parse(output)


def only(text: str, *reports: str, tool: str = "dotnet-test") -> Diagnostic:
    (found,) = [item for item in read(text, *reports, tool=tool).diagnostics if item.level is Level.ERROR]
    return found


@pytest.mark.parametrize("tool", ["dotnet-build", "dotnet-test", "generic"])
def test_what_msbuild_says_twice_counts_once(tool: str) -> None:
    output = ToolOutput(text=BUILD, exit_code=1, cwd="/p", root="/p", exists=FILES.__contains__)
    found = parse(tool, output).diagnostics
    assert [(*place(item), item.level) for item in found] == [
        ("Shop/Price.cs", 4, 16, "CS0029", Level.ERROR),
        ("Shop/Price.cs", 2, 7, "CS0168", Level.WARNING),
    ]
    assert found[0].message == "Cannot implicitly convert type 'string' to 'int'"


@pytest.mark.parametrize(
    ("line", "expected", "kind"),
    [
        (
            "/p/Shop/Price.cs(4,16): error CS1002: ; expected [/p/Shop/Shop.csproj::TargetFramework=net8.0]",
            ("Shop/Price.cs", 4, 16, "CS1002"),
            DiagnosticKind.SYNTAX_ERROR,
        ),
        (
            "/p/Shop/Price.cs(4,16): error CA1822: Member 'Total' can be static [/p/Shop/Shop.csproj]",
            ("Shop/Price.cs", 4, 16, "CA1822"),
            DiagnosticKind.LINT_ERROR,
        ),
        (
            "/p/Shop/Price.cs(4,1): error WHITESPACE: Fix whitespace formatting. Insert '\\s'. [/p/Shop/Shop.csproj]",
            ("Shop/Price.cs", 4, 1, "WHITESPACE"),
            DiagnosticKind.LINT_ERROR,
        ),
        (
            "CSC : error CS5001: Program does not contain a static 'Main' method [/p/Shop/Shop.csproj]",
            ("Shop/Shop.csproj", None, None, "CS5001"),
            DiagnosticKind.TYPE_ERROR,
        ),
        (
            "/p/Shop/Shop.csproj(9,3): error MSB4025: The project file could not be loaded.",
            ("Shop/Shop.csproj", 9, 3, "MSB4025"),
            DiagnosticKind.BUILD_ERROR,
        ),
        (
            "/p/Shop/Shop.csproj : error NU1101: Unable to find package Nowhere. [/p/Shop.sln]",
            (None, None, None, "NU1101"),
            DiagnosticKind.BUILD_ERROR,
        ),
        (
            "/usr/share/dotnet/sdk/8.0.100/x.targets(90,5): error NETSDK1045: The current .NET SDK does not support it."
            " [/p/Shop/Shop.csproj]",
            (None, 90, 5, "NETSDK1045"),
            DiagnosticKind.BUILD_ERROR,
        ),
        (
            "MSBUILD : error MSB1009: Project file does not exist.",
            (None, None, None, "MSB1009"),
            DiagnosticKind.BUILD_ERROR,
        ),
    ],
    ids=["syntax", "an analyser", "the formatter", "no line", "a project", "a package", "the SDK", "no file"],
)
def test_a_line_of_msbuilds(line: str, expected: object, kind: DiagnosticKind) -> None:
    assert (place(only(line, tool="dotnet-build")), only(line, tool="dotnet-build").kind) == (expected, kind)


@pytest.mark.parametrize(
    "line",
    [
        "src/a.ts(1,2): error TS2322: Type 'string' is not assignable to type 'number'.",
        "a.cpp(3): error C2065: 'x': undeclared identifier",
    ],
)
def test_other_compilers_lines_of_that_form_are_left_to_them(line: str) -> None:
    assert read(line, tool="dotnet-build").diagnostics == ()


TESTS = """\
Starting test execution, please wait...
[xUnit.net 00:00:00.55]     Shop.Tests.PriceTests.Adds [FAIL]
  Failed Shop.Tests.PriceTests.Adds [12 ms]
  Error Message:
   Assert.Equal() Failure: Values differ
Expected: 5
Actual:   -1
  Stack Trace:
     at Shop.Price.Add(Int32 a) in /p/Shop/Price.cs:line 9
   at Shop.Tests.PriceTests.Adds() in /p/Shop.Tests/PriceTests.cs:line 12
   at System.Reflection.MethodBaseInvoker.InvokeWithNoArgs(Object obj)
  Skipped Shop.Tests.PriceTests.Later [1 ms]

Failed!  - Failed:     1, Passed:     2, Skipped:     1, Total:     4, Duration: 12 ms - Shop.Tests.dll (net8.0)
"""


def test_a_failed_test_is_where_its_own_frame_is() -> None:
    assert place(only(TESTS)) == ("Shop.Tests/PriceTests.cs", 12, None, "Shop.Tests.PriceTests.Adds")
    assert only(TESTS).message == "Assert.Equal() Failure: Values differ\nExpected: 5\nActual:   -1"
    assert read(TESTS).tests == TestReport(3, (), ("Shop.Tests.PriceTests.Adds",), ("Shop.Tests.PriceTests.Later",))


def test_several_test_projects_count_together() -> None:
    more = "Passed!  - Failed:     0, Passed:     7, Skipped:     0, Total:     7, Duration: 1 s - More.dll (net8.0)\n"
    tests = read(TESTS + more).tests
    assert tests
    assert tests.executed == 10


def test_the_detailed_form_names_what_passed() -> None:
    text = (
        "  Passed Adds [< 1 ms]\n  Passed Takes(a: [1]) [2 s]\n\nTotal tests: 2\n     Passed: 2\n Total time: 1.2 s\n"
    )
    assert read(text).tests == TestReport(2, ("Adds", "Takes(a: [1])"))


def test_what_does_not_compile_is_no_failed_test() -> None:
    assert only(BUILD).kind is DiagnosticKind.TYPE_ERROR
    assert read(BUILD).tests is None


def test_no_test_at_all_is_known() -> None:
    assert read("No test is available in /p/Shop.Tests/bin/Shop.Tests.dll. Make sure that …\n").tests == TestReport(0)


TRX = """<?xml version="1.0" encoding="utf-8"?>
<TestRun id="1" xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010">
  <Results>
    <UnitTestResult testId="a" testName="Adds" outcome="Failed"><Output><ErrorInfo>
      <Message>Assert.AreEqual failed. Expected:&lt;5&gt;. Actual:&lt;-1&gt;.</Message>
      <StackTrace>   at Shop.Tests.PriceTests.Adds() in /p/Shop.Tests/PriceTests.cs:line 12\r
</StackTrace></ErrorInfo></Output></UnitTestResult>
    <UnitTestResult testId="b" testName="Shop.Tests.PriceTests.Takes" outcome="Passed"/>
    <UnitTestResult testId="c" testName="Later" outcome="NotExecuted"/>
  </Results>
  <TestDefinitions>
    <UnitTest name="Adds" id="a"><TestMethod className="Shop.Tests.PriceTests, Shop.Tests" name="Adds"/></UnitTest>
    <UnitTest name="Takes" id="b"><TestMethod className="Shop.Tests.PriceTests" name="Takes"/></UnitTest>
    <UnitTest name="Later" id="c"><TestMethod className="Shop.Tests.PriceTests" name="Later"/></UnitTest>
  </TestDefinitions>
</TestRun>"""


def test_a_trx_report_names_tests_by_their_class() -> None:
    found = read("", TRX)
    assert place(found.diagnostics[0]) == ("Shop.Tests/PriceTests.cs", 12, None, "Shop.Tests.PriceTests.Adds")
    assert found.diagnostics[0].message == "Assert.AreEqual failed. Expected:<5>. Actual:<-1>."
    assert found.tier is Tier.STRUCTURED
    assert found.tests == TestReport(
        2, ("Shop.Tests.PriceTests.Takes",), ("Shop.Tests.PriceTests.Adds",), ("Shop.Tests.PriceTests.Later",)
    )


@pytest.mark.parametrize(
    "report",
    ["", TRX[:300], '<!DOCTYPE x [<!ENTITY a "b">]>' + TRX, "<TestRun/>", "<TestRun>" * 30_000],
    ids=["empty", "cut off", "a DTD", "of no namespace", "nested without end"],
)
def test_what_is_no_plain_trx_leaves_the_text(report: str) -> None:
    assert only(TESTS, report).test_id == "Shop.Tests.PriceTests.Adds"
    assert read(TESTS, report).tier is Tier.PARSED


@pytest.mark.parametrize(
    ("command", "tool"),
    [
        ("dotnet build Shop.sln", "dotnet-build"),
        ("dotnet format --verify-no-changes", "dotnet-build"),
        ("dotnet test --no-build", "dotnet-test"),
        ("dotnet build && dotnet test", "dotnet-test"),
        ("dotnet tool restore", "generic"),
    ],
)
def test_a_command_finds_its_tool(command: str, tool: str) -> None:
    assert recognise(command) == tool
