"""`dotnet test`: the TRX reports, else the console logger's text."""

import re
from collections.abc import Iterator, Sequence

from fixloop_bot.checks import dotnet_build, text
from fixloop_bot.checks.junit import Verdict
from fixloop_bot.checks.paths import in_repository
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.checks.trx import Result, read_results
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind, Level
from fixloop_bot.model.fingerprint import Tier
from fixloop_bot.model.layer import TestReport

REPORT_FILES = ("**/TestResults/**/*.trx",)
_OUTCOME = re.compile(r"^  (Passed|Failed|Skipped) (\S[^\n]*?)(?: \[(?:< )?\d[^\]\n]{0,40}\])?$")
_SUMMARY = re.compile(
    r"^(?:Passed|Failed)!\s{1,4}- Failed:\s{1,9}(\d{1,9}), Passed:\s{1,9}(\d{1,9}), Skipped:\s{1,9}\d{1,9}, Total:"
)
_TOTALS = re.compile(r"^\s{0,5}(Passed|Failed|Total tests): (\d{1,9})$")
_NONE = re.compile(r"^(?:No test is available in |No test matches the given testcase filter)")
_FRAME = re.compile(r"^\s*at \S(?>.* in (?=/|\w:))(/[^\n]{1,1024}|\w:[^\n]{1,1024}):line (\d{1,8})$")
_SECTION = re.compile(r"^  (Error Message|Stack Trace|Standard Output Messages|Standard Error Messages):\s*$")
_FAILED = frozenset({Verdict.FAILED, Verdict.ERROR})
_MAX_BLOCK = 400
"""Lines."""


def parse(output: ToolOutput) -> Parsed:
    """Read compilers from the text; tests from the reports, else from the text."""
    lines = text.lines(output.text)
    reports = [read for source in (output.report, *output.reports) if (read := read_results(source)) is not None]
    results = [result for report in reports for result in report] if reports else list(_results(lines))
    failures = text.distinct(_failures(output, results))
    compiled = text.distinct(dotnet_build.diagnostics(output, lines))
    errors = tuple(item for item in compiled if item.level is Level.ERROR or not failures)
    found = (*errors, *failures)
    return Parsed(
        diagnostics=found,
        tier=Tier.STRUCTURED if reports and failures else Tier.PARSED if found else Tier.TEXT,
        tests=_report(results) if reports else _tests(lines, results),
    )


def _failures(output: ToolOutput, results: Sequence[Result]) -> Iterator[Diagnostic]:
    for result in results:
        if result.verdict in _FAILED:
            path, line = _place(output, result.stack.split("\n", text.MAX_LINES))
            yield Diagnostic(
                path=path,
                line=line,
                message=text.message(result.message.strip().split("\n", text.MAX_LINES)),
                kind=DiagnosticKind.TEST_FAILURE,
                test_id=result.test_id,
            )


def _place(output: ToolOutput, stack: Sequence[str]) -> tuple[str | None, int | None]:
    """Return the outermost frame inside the repository: the test itself, not what it calls."""
    for line in reversed(stack):
        frame = _FRAME.match(line.rstrip("\r"))
        path = in_repository(output, frame[1]) if frame else None
        if frame and path:
            return path, text.number(frame[2])
    return None, None


def _results(lines: Sequence[str]) -> Iterator[Result]:
    verdicts = {"Passed": Verdict.PASSED, "Failed": Verdict.FAILED, "Skipped": Verdict.SKIPPED}
    for index, line in enumerate(lines):
        found = _OUTCOME.match(line)
        if found:
            parts = _sections(lines, index + 1) if found[1] == "Failed" else {}
            if found[1] == "Failed" and not parts and not line.endswith("]"):
                continue
            yield Result(
                test_id=found[2],
                verdict=verdicts[found[1]],
                message="\n".join(part.strip() for part in parts.get("Error Message", ())),
                stack="\n".join(parts.get("Stack Trace", ())),
            )


def _sections(lines: Sequence[str], start: int) -> dict[str, list[str]]:
    """Return the lines below a failed test by the titles that part them."""
    found: dict[str, list[str]] = {}
    title = ""
    for line in lines[start : start + _MAX_BLOCK]:
        section = _SECTION.match(line)
        if section:
            title = section[1]
        elif not title or _OUTCOME.match(line) or _SUMMARY.match(line):
            break
        else:
            found.setdefault(title, []).append(line)
    return found


def _tests(lines: Sequence[str], results: Sequence[Result]) -> TestReport | None:
    """Return how many tests ran in all projects; None where nothing is said of it."""
    named = _report(results)
    sums = [int(found[1]) + int(found[2]) for line in lines if (found := _SUMMARY.match(line))]
    totals = {found[1]: int(found[2]) for line in lines if (found := _TOTALS.match(line))}
    if not sums and "Total tests" not in totals:
        return TestReport(0) if any(_NONE.match(line) for line in lines) and not results else None
    executed = sum(sums) or totals.get("Passed", 0) + totals.get("Failed", 0)
    return TestReport(executed, named.passed, named.failed, named.skipped)


def _report(results: Sequence[Result]) -> TestReport:
    passed = tuple(result.test_id for result in results if result.verdict is Verdict.PASSED)
    failed = tuple(result.test_id for result in results if result.verdict in _FAILED)
    skipped = tuple(result.test_id for result in results if result.verdict is Verdict.SKIPPED)
    return TestReport(len(passed) + len(failed), passed, failed, skipped)


TOOL = Tool(
    name="dotnet-test",
    commands=(r"dotnet (?:test|vstest)\b",),
    parse=parse,
    report_files=REPORT_FILES,
    config_files=("*.runsettings",),
    runs_tests=True,
    ecosystem="dotnet",
)
