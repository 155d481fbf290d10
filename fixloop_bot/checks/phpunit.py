"""`phpunit`, also under paratest."""

import re
from collections.abc import Iterator, Sequence

from fixloop_bot.checks import junit, php_places, phpunit_text, text
from fixloop_bot.checks.junit import Case, Verdict
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind, Level
from fixloop_bot.model.fingerprint import Tier
from fixloop_bot.model.layer import TestReport

_RISKY = re.compile(
    r"^PHPUnit\\Framework\\(?:RiskyTestError|OutputError|MissingCoversAnnotationException|"
    r"(?:Covered|Unintentionally)\w{1,60}|Warning)$"
)
"""Types of what PHPUnit 9 and earlier report as an error and count as none."""


def parse(output: ToolOutput) -> Parsed:
    """Read the JUnit report, else the text, also for what the report does not hold: a warning that fails the run.

    Warnings, risky tests and deprecations count as errors where nothing else explains that the run failed.
    """
    lines = text.lines(output.text)
    cases = junit.read_cases(output.report)
    tests = _tests(cases) if cases else phpunit_text.tests(lines)
    if cases:
        found = text.distinct(_from_cases(output, cases))
        if output.exit_code == 0 or any(item.level is Level.ERROR for item in found):
            return Parsed(diagnostics=found, tier=Tier.STRUCTURED, tests=tests)
    found = text.distinct(phpunit_text.diagnostics(output, lines))
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT, tests=tests)


def _from_cases(output: ToolOutput, cases: Sequence[Case]) -> Iterator[Diagnostic]:
    for case in cases:
        if case.verdict not in {Verdict.FAILED, Verdict.ERROR}:
            continue
        body = case.body.split("\n", text.MAX_LINES)
        path, line = php_places.own_file(php_places.places(output, body))
        yield Diagnostic(
            path=(locate(output, case.file.partition("::")[0]) if case.file else None) or path,
            line=line or text.number(case.line),
            level=Level.WARNING if _RISKY.match(case.type) else Level.ERROR,
            message=phpunit_text.message(_without_name(body, _id(case))),
            kind=DiagnosticKind.TEST_FAILURE,
            test_id=_id(case),
        )


def _without_name(body: Sequence[str], test_id: str) -> Sequence[str]:
    """Return the text of a failure without its first line, which is the test's name."""
    return body[1:] if body and phpunit_text.test_name(body[0]) == test_id else body


def _id(case: Case) -> str:
    """Return PHPUnit's own name of the test; JUnit keeps the class with dots for its backslashes."""
    return "::".join(part for part in (case.classname.replace(".", "\\"), case.name) if part)


def _tests(cases: Sequence[Case]) -> TestReport:
    failed = tuple(_id(case) for case in cases if _failed(case))
    skipped = tuple(_id(case) for case in cases if case.verdict is Verdict.SKIPPED)
    passed = tuple(_id(case) for case in cases if case.verdict is not Verdict.SKIPPED and not _failed(case))
    return TestReport(len(passed) + len(failed), passed, failed, skipped)


def _failed(case: Case) -> bool:
    return case.verdict in {Verdict.FAILED, Verdict.ERROR} and not _RISKY.match(case.type)


def report_argv(argv: tuple[str, ...], path: str) -> tuple[str, ...]:
    """Ask for JUnit XML beside the text."""
    return (*argv, "--log-junit", path)


TOOL = Tool(
    name="phpunit",
    commands=(r"phpunit\b", r"simple-phpunit\b", r"paratest\b"),
    parse=parse,
    report_suffix=".xml",
    report_argv=report_argv,
    config_files=("phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"),
    runs_tests=True,
    ecosystem="php",
)
