"""`vitest`."""

import re
from collections.abc import Iterator, Sequence

from fixloop_bot.checks import junit, stack, text
from fixloop_bot.checks.junit import Case, Verdict
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier
from fixloop_bot.model.layer import TestReport

_FAIL = re.compile(r"^\s*FAIL\s+(?:\|[^|\n]*\|\s+|\[[^\]\n]*\]\s+)?(\S+\.\w+)(?: > (.*\S)| \[ .* \])?\s*$")
_TOTALS = re.compile(r"^\s*Tests\s+(\S[^\n]*)$")
_COUNT = re.compile(r"(\d{1,9}) (failed|passed|skipped|todo)\b")
_MARK = re.compile(r"^\s+([\u2713\u2714\u221a]|\u2193) (\S[^\n]*?)(?:(?<!\s)\s{1,40}\d[\d.]*\s?m?s)?$")
_NO_TESTS = re.compile(r"^No test (?:files|suite) found", re.MULTILINE)


def parse(output: ToolOutput) -> Parsed:
    """Read the JUnit report, else the text."""
    cases = junit.read_cases(output.report)
    if cases is not None:
        found = text.distinct(_from_cases(output, cases))
        return Parsed(diagnostics=found, tier=Tier.STRUCTURED, tests=_tests_from_cases(cases))
    lines = text.lines(output.text)
    found = text.distinct(_from_text(output, lines))
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT, tests=_tests(lines, found))


def _from_cases(output: ToolOutput, cases: Sequence[Case]) -> Iterator[Diagnostic]:
    for case in cases:
        if case.verdict in {Verdict.FAILED, Verdict.ERROR}:
            path = locate(output, case.classname)
            body = case.body.strip("\n").split("\n", text.MAX_LINES)
            line, column = stack.line_in(stack.places(output, body), path)
            yield Diagnostic(
                path=path,
                line=line,
                column=column,
                message=stack.before_stack("\n".join(body)) or case.message[: text.MAX_MESSAGE],
                kind=DiagnosticKind.TEST_FAILURE,
                test_id=case.name,
            )


def _tests_from_cases(cases: Sequence[Case]) -> TestReport:
    passed = tuple(case.name for case in cases if case.verdict is Verdict.PASSED)
    failed = tuple(case.name for case in cases if _is_failed_test(case))
    skipped = tuple(case.name for case in cases if case.verdict is Verdict.SKIPPED)
    return TestReport(len(passed) + len(failed), passed, failed, skipped)


def _is_failed_test(case: Case) -> bool:
    """Return whether it is a test: a file that could not be loaded bears its own name."""
    return case.verdict in {Verdict.FAILED, Verdict.ERROR} and case.name != case.classname


def _from_text(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    for index, line in enumerate(lines):
        if not (fail := _FAIL.match(line)):
            continue
        path = locate(output, fail[1])
        block = _block(lines, index + 1)
        place = stack.line_in(stack.places(output, block), path)
        end = next((n for n, shown in enumerate(block) if stack.is_frame(shown)), len(block))
        yield Diagnostic(
            path=path,
            line=place[0],
            column=place[1],
            message=text.message(block[:end]),
            kind=DiagnosticKind.TEST_FAILURE,
            test_id=(fail[2] or fail[1]).strip(),
        )


def _block(lines: Sequence[str], start: int) -> Sequence[str]:
    """Return the lines below a failure's title, up to the rule or the next title."""
    end = start
    while end < len(lines) and not lines[end].startswith("\u23af\u23af") and not _FAIL.match(lines[end]):
        end += 1
    return lines[start:end]


def _tests(lines: Sequence[str], diagnostics: Sequence[Diagnostic]) -> TestReport | None:
    totals = next((found[1] for line in reversed(lines) if (found := _TOTALS.match(line))), None)
    counts = {found[2]: int(found[1]) for found in _COUNT.finditer(totals or "")}
    if not counts:
        none = (totals or "").startswith("no tests") or any(_NO_TESTS.match(line) for line in lines)
        return TestReport(0) if none else None
    marks = [found for line in lines if (found := _MARK.match(line))]
    return TestReport(
        counts.get("passed", 0) + counts.get("failed", 0),
        tuple(found[2] for found in marks if found[1] != "\u2193"),
        tuple(dict.fromkeys(item.test_id for item in diagnostics if item.test_id and item.test_id != item.path)),
        tuple(found[2] for found in marks if found[1] == "\u2193"),
    )


def report_argv(argv: tuple[str, ...], path: str) -> tuple[str, ...]:
    """Ask for JUnit XML beside the default reporter, which goes on printing."""
    return (*argv, "--reporter=default", "--reporter=junit", f"--outputFile.junit={path}")


TOOL = Tool(
    name="vitest",
    commands=(r"vitest\b",),
    parse=parse,
    report_suffix=".xml",
    report_argv=report_argv,
    config_files=("vitest.config.*", "vitest.workspace.*", "vite.config.*"),
    runs_tests=True,
    ecosystem="node",
)
