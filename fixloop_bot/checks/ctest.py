"""`ctest`: its text (with `--output-on-failure`), and the JUnit report of `--output-junit`."""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fixloop_bot.checks import junit, sanitizers, text
from fixloop_bot.checks.cmake_tests import CMakeTests
from fixloop_bot.checks.junit import Case, Verdict
from fixloop_bot.checks.places import places
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier
from fixloop_bot.model.layer import TestReport

_RESULT = re.compile(r"^ {0,8}\d{1,7}/\d{1,7} Test {1,8}#\d{1,7}: (.+)$")
_TIME = re.compile(r" \d{1,7}\.\d{1,4} sec$")
_START = re.compile(r"^ {0,12}(?:Start {1,8}\d{1,7}: |\d{1,7}/\d{1,7} Test +#)|^\d{1,3}% tests passed, ")
_SUMMARY = re.compile(r"^\t {0,8}\d{1,7} - (.{1,500}?) \(([A-Z][^()]{0,80})\)")
_FAILED = "The following tests FAILED:"
_NONE = "No tests were found!!!"
_NOT_RUN = ("***Skipped", "***Not Run (Disabled)")
_MAX_BLOCK = 400
"""Lines of a test's output that are looked through for a place."""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one test, and what it printed."""

    status: str
    """`Passed`, `***Failed`, `Subprocess aborted***Exception:`."""
    output: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Return whether it ran and passed."""
        return self.status == "Passed"

    @property
    def failed(self) -> bool:
        """Return whether it failed or could not be run; what is disabled or skipped on purpose did neither."""
        return not self.passed and not self.status.startswith(_NOT_RUN)


def parse(output: ToolOutput) -> Parsed:
    """Read the text; a report adds what a test printed where the text was cut."""
    results = dict(_results(text.lines(output.text)))
    cases = [case for case in junit.read_cases(output.report) or () if case.name]
    for case in cases:
        results[case.name] = _with_case(results.get(case.name), case)
    if not results:
        return Parsed(tests=TestReport(0) if _NONE in output.text else None)
    built = CMakeTests(output)
    failures = (_diagnostic(output, built, name, result) for name, result in results.items() if result.failed)
    found = text.distinct(failures)
    tier = Tier.STRUCTURED if cases else Tier.PARSED if found else Tier.TEXT
    return Parsed(diagnostics=found, tier=tier, tests=_tests(results))


def _results(lines: Sequence[str]) -> Iterator[tuple[str, Result]]:
    """Yield each test's result, at last those of the summary that were not seen before."""
    seen: set[str] = set()
    for index, line in enumerate(lines):
        result = _result(line)
        if result:
            seen.add(result[0])
            yield result[0], Result(result[1], _block(lines, index + 1))
    if _FAILED in lines:
        for line in lines[lines.index(_FAILED) :]:
            if (summary := _SUMMARY.match(line)) and summary[1] not in seen:
                yield summary[1], Result(f"***{summary[2]}")


def _result(line: str) -> tuple[str, str] | None:
    """Return name and status of `1/3 Test #1: name ......***Failed   0.00 sec`."""
    found = _RESULT.match(line) if " sec" in line else None
    name, dots, rest = found[1].rstrip().partition(" ..") if found else ("", "", "")
    time = _TIME.search(rest[-20:])
    return (name, rest[: -len(time[0])].strip(" .")) if dots and time else None


def _block(lines: Sequence[str], start: int) -> tuple[str, ...]:
    following = lines[start : start + _MAX_BLOCK]
    end = next((n for n, line in enumerate(following) if _START.match(line)), len(following))
    return tuple(following[:end])


def _with_case(told: Result | None, case: Case) -> Result:
    """Return the result with the report's word. A test that could not be started is `skipped` there: the text knows."""
    if told is None:
        failed = case.verdict in {Verdict.FAILED, Verdict.ERROR} or case.message == "Unable to find executable"
        told = Result("***Failed" if failed else "***Skipped" if case.verdict is Verdict.SKIPPED else "Passed")
    elif case.verdict in {Verdict.FAILED, Verdict.ERROR} and not told.failed:
        told = Result("***Failed", told.output)
    if any(line.strip() for line in told.output):
        return told
    return Result(told.status, tuple(case.output.split("\n", _MAX_BLOCK)[:_MAX_BLOCK]))


def _diagnostic(output: ToolOutput, built: CMakeTests, name: str, result: Result) -> Diagnostic:
    path, line = _place(output, result.output)
    said = text.message([line for line in result.output if line.strip()])
    return Diagnostic(
        path=path or built.source_of(name),
        line=line,
        message=said or result.status.replace("***", " ").strip(" :"),
        kind=DiagnosticKind.TEST_FAILURE,
        test_id=name,
    )


def _place(output: ToolOutput, printed: Sequence[str]) -> tuple[str | None, int | None]:
    """Return the first place that the test's own output names."""
    shown = ToolOutput(text="\n".join(printed), cwd=output.cwd, project=output.project, root=output.root,
                       exists=output.exists)  # fmt: skip
    crash = next((item for item in sanitizers.diagnostics(shown, printed) if item.path), None)
    if crash is not None:
        return crash.path, crash.line
    hit = next(places(shown, printed), None)
    return (hit.path, hit.line) if hit else (None, None)


def _tests(results: Mapping[str, Result]) -> TestReport:
    passed = tuple(name for name, result in results.items() if result.passed)
    failed = tuple(name for name, result in results.items() if result.failed)
    skipped = tuple(name for name, result in results.items() if not (result.passed or result.failed))
    return TestReport(len(passed) + len(failed), passed, failed, skipped)


def report_argv(argv: tuple[str, ...], path: str) -> tuple[str, ...]:
    """Return a command that ends in `ctest` with the report asked for (CMake 3.21 and later)."""
    option = f"--output-junit {shlex.quote(path)}"
    return (*argv[:-1], f"{argv[-1]} {option}") if argv[:2] == ("sh", "-c") else (*argv, "--output-junit", path)


TOOL = Tool(
    name="ctest",
    commands=(r"ctest(?:\s|$)",),
    parse=parse,
    report_suffix=".xml",
    report_argv=report_argv,
    config_files=("CTestConfig.cmake", "CTestCustom.cmake"),
    runs_tests=True,
)
