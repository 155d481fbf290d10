"""`pest`, and Laravel's `artisan test`, which prints the same."""

import re
from collections.abc import Iterator, Sequence

from fixloop_bot.checks import php_places, phpunit, text
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier
from fixloop_bot.model.layer import TestReport

_FAILED = re.compile(r"^ {1,4}FAILED {1,4}(\S.*)$")
_TITLE = re.compile(r"^(\S[^>\n]*) > (\S(?:.*?\S)??)(?: {2,}+(?:[\w\\]+ *)?| )?$")
_TOTALS = re.compile(r"^ {2}Tests: {2,6}(\d{1,9} [a-z]+(?:, \d{1,9} [a-z]+)*)(?: \(\d{1,9} assertions?\))?$")
_COUNT = re.compile(r"(\d{1,9}) ([a-z]+)")
_RAN = frozenset({"failed", "passed", "risky", "warning", "warnings", "deprecated", "notice", "warn"})
_SOURCE = re.compile(r"^(?: {1,8}|  \u279c +)\d{1,8}\u2595")
_RULER = "  \u2500\u2500\u2500"


def parse(output: ToolOutput) -> Parsed:
    """Read the JUnit report, which is PHPUnit's own, else the text."""
    if output.report:
        reported = phpunit.parse(output)
        if reported.tests is not None:
            return reported
    lines = text.lines(output.text)
    found = text.distinct(_diagnostics(output, lines))
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT, tests=_tests(lines, found))


def _diagnostics(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    for index, line in enumerate(lines):
        failed = _FAILED.match(line.rstrip())
        title = _TITLE.match(failed[1]) if failed else None
        if title:
            block = _block(lines, index + 1)
            path, number = php_places.own_file(php_places.places(output, [_unnumbered(shown) for shown in block]))
            yield Diagnostic(
                path=path,
                line=number,
                message=_message(block),
                kind=DiagnosticKind.TEST_FAILURE,
                test_id=f"{title[1]}::{title[2]}",
            )


def _block(lines: Sequence[str], start: int) -> Sequence[str]:
    end = start
    while end < len(lines) and not (_FAILED.match(lines[end]) or _TOTALS.match(lines[end])):
        end += 1
    return [line.rstrip() for line in lines[start:end]]


def _unnumbered(line: str) -> str:
    """Return a frame without its number; frames stand below the excerpt of the source."""
    return re.sub(r"^  (?:\d{1,4} {1,4}|at )", "", line)


def _message(block: Sequence[str]) -> str:
    end = next((n for n, line in enumerate(block) if line.startswith("  at ") or _SOURCE.match(line)), len(block))
    return text.message([line.strip() for line in block[:end] if not line.startswith(_RULER)])


def _tests(lines: Sequence[str], diagnostics: Sequence[Diagnostic]) -> TestReport | None:
    totals = next((found for line in reversed(lines) if (found := _TOTALS.match(line.rstrip()))), None)
    if totals is None:
        return None
    executed = sum(int(found[1]) for found in _COUNT.finditer(totals[1]) if found[2] in _RAN)
    failed = tuple(dict.fromkeys(item.test_id for item in diagnostics if item.test_id))
    return TestReport(executed, failed=failed)


TOOL = Tool(
    name="pest",
    commands=(r"pest\b", r"artisan\s+test\b"),
    parse=parse,
    report_suffix=".xml",
    report_argv=phpunit.report_argv,
    config_files=("Pest.php", *phpunit.TOOL.config_files),
    runs_tests=True,
    ecosystem="php",
)
