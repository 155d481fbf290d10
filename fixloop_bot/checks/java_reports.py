"""JUnit XML as surefire, failsafe, Gradle and JUnit's own console write it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape

from fixloop_bot.checks import junit, text
from fixloop_bot.checks.java_sources import JavaSources, before_frames
from fixloop_bot.checks.junit import Case, Verdict
from fixloop_bot.checks.tool import Parsed, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind, Level
from fixloop_bot.model.fingerprint import Tier
from fixloop_bot.model.layer import TestReport

MAVEN_FILES = ("**/target/surefire-reports/TEST-*.xml", "**/target/failsafe-reports/TEST-*.xml")
GRADLE_FILES = ("**/build/test-results/**/*.xml",)
CONSOLE_FILES = ("**/TEST-junit-*.xml",)
"""What JUnit's console launcher writes below the folder that `--reports-dir` names."""
_BASEDIR = re.compile(r'<property name="basedir" value="([^"\n]{1,1024})"')
_FAILED = frozenset({Verdict.FAILED, Verdict.ERROR})


@dataclass(frozen=True, slots=True)
class JavaTests:
    """What the reports of one run say."""

    failures: tuple[Diagnostic, ...]
    tests: TestReport


def read_reports(output: ToolOutput, sources: JavaSources) -> JavaTests | None:
    """Return what the reports say, None where there is none."""
    read = [(report, cases) for report in (output.report, *output.reports) if (cases := junit.read_cases(report))]
    if not read:
        return None
    failures = text.distinct(item for report, cases in read for item in _failures(sources, report or "", cases))
    return JavaTests(failures, _tests([case for _, cases in read for case in cases]))


def read_build(
    reports: JavaTests | None,
    *,
    printed: Iterator[Diagnostic],
    counted: TestReport | None,
    found: Iterator[Diagnostic],
    rest: Iterator[Diagnostic],
) -> Parsed:
    """Return what a build says: compilers and linters from the text, tests from the reports, else as `printed`.

    `rest`, goals or tasks that failed, counts where nothing else tells an error.
    """
    failures = reports.failures if reports else text.distinct(printed)
    told = text.distinct(found)
    errors = any(item.level is Level.ERROR for item in (*told, *failures))
    diagnostics = (*told, *failures) if errors else (*told, *text.distinct(rest))
    return Parsed(
        diagnostics=diagnostics,
        tier=Tier.STRUCTURED if reports and failures else Tier.PARSED if diagnostics else Tier.TEXT,
        tests=reports.tests if reports else counted,
    )


def name_of(class_name: str, method: str) -> str:
    """Return a test's name, `shop.AppTest.adds`, as all Java tools' outputs can be brought to."""
    return ".".join(part for part in (class_name, method.strip().removesuffix("()")) if part)


def _failures(sources: JavaSources, report: str, cases: Sequence[Case]) -> Iterator[Diagnostic]:
    basedir = _BASEDIR.search(report)
    module = (unescape(basedir[1]),) if basedir else ()
    for case in cases:
        if case.verdict not in _FAILED:
            continue
        body = case.body.strip("\r\n").split("\n", text.MAX_LINES)
        path, line = sources.place(case.classname, body, module)
        yield Diagnostic(
            path=path,
            line=line,
            message=before_frames(body) or case.message[: text.MAX_MESSAGE],
            kind=DiagnosticKind.TEST_FAILURE,
            test_id=name_of(case.classname, case.name),
        )


def _tests(cases: Sequence[Case]) -> TestReport:
    named = [(case.verdict, name_of(case.classname, case.name)) for case in cases]
    passed = tuple(name for verdict, name in named if verdict is Verdict.PASSED)
    failed = tuple(name for verdict, name in named if verdict in _FAILED)
    skipped = tuple(name for verdict, name in named if verdict is Verdict.SKIPPED)
    return TestReport(len(passed) + len(failed), passed, failed, skipped)
