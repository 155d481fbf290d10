"""JUnit 4's own text runner, `org.junit.runner.JUnitCore`."""

import re
from collections.abc import Iterator, Sequence

from fixloop_bot.checks import text
from fixloop_bot.checks.java_reports import name_of
from fixloop_bot.checks.java_sources import JavaSources, before_frames
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier
from fixloop_bot.model.layer import TestReport

_HEADER = re.compile(r"^There (?:was 1 failure|were \d{1,9} failures):$")
_TITLE = re.compile(r"^\d{1,9}\) (\S.{0,1000}?)\(([\w.$]+)\)$")
_TOTALS = re.compile(r"^(?:OK \((\d{1,9}) tests?\)|Tests run: (\d{1,9}),  Failures: \d{1,9})$")
_END = re.compile(r"^(?:FAILURES!!!|Tests run: .*)?$")


def parse(output: ToolOutput) -> Parsed:
    """Read the list of failures and the totals."""
    lines = text.lines(output.text)
    found = text.distinct(_failures(lines, JavaSources(output)))
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT, tests=_tests(lines, found))


def _failures(lines: Sequence[str], sources: JavaSources) -> Iterator[Diagnostic]:
    start = next((n for n, line in enumerate(lines) if _HEADER.match(line)), len(lines))
    for index in range(start + 1, len(lines)):
        title = _TITLE.match(lines[index])
        if title:
            body = _body(lines, index + 1)
            path, line = sources.place(title[2], body)
            yield Diagnostic(
                path=path,
                line=line,
                message=before_frames(body),
                kind=DiagnosticKind.TEST_FAILURE,
                test_id=name_of(title[2], title[1]),
            )


def _body(lines: Sequence[str], start: int) -> Sequence[str]:
    below = lines[start : start + 200]
    end = next((n for n, line in enumerate(below) if _END.match(line) or _TITLE.match(line)), len(below))
    return below[:end]


def _tests(lines: Sequence[str], found: Sequence[Diagnostic]) -> TestReport | None:
    totals = next((total for line in lines if (total := _TOTALS.match(line))), None)
    if totals is None:
        return None
    return TestReport(int(totals[1] or totals[2]), failed=tuple(item.test_id for item in found if item.test_id))


TOOL = Tool(
    name="junit4",
    commands=(r"java\b.{0,6000}\b(?:org\.junit\.runner\.JUnitCore|junit\.textui\.TestRunner)\b",),
    parse=parse,
    runs_tests=True,
    ecosystem="java",
)
