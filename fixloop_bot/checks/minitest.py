"""`minitest`, also as Rails prints it, and `test-unit`: which of the two a test file uses shows only in its output."""

import re
from collections.abc import Iterator, Sequence

from fixloop_bot.checks import ruby_frames, test_unit, text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier
from fixloop_bot.model.layer import TestReport

_HEADER = re.compile(r"^(?: {1,3}\d{1,6}\) )?(Failure|Error|Skipped):$")
_FAILED_AT = re.compile(r"^(\S[^\n]*) \[([^\[\]\n]{1,1000}):(\d{1,8})\]:$")
_ERROR_IN = re.compile(r"^(\S[^\n]*):$")
_TOTALS = re.compile(
    r"^(\d{1,9}) (?:runs|tests), (\d{1,9}) assertions, (\d{1,9}) failures, (\d{1,9}) errors, (\d{1,9}) skips$"
)
_AGAIN = re.compile(r"^(?:bin/)?rails test \S+:\d+$|^rake (?:test|aborted)\b")
_VERBOSE = re.compile(r"^(\S[^\n]*) = \d{1,6}\.\d\d s = ([.FES])$")
_NAMED = 2
"""Lines below a header in which the test is named."""


def parse(output: ToolOutput) -> Parsed:
    """Read the text; neither has a machine-readable form that it always knows."""
    lines = text.lines(output.text)
    found = text.distinct(_diagnostics(output, lines)) or text.distinct(test_unit.diagnostics(output, lines))
    tests = _tests(lines, found) or test_unit.tests(lines, found)
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT, tests=tests)


def _diagnostics(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    for index, line in enumerate(lines[:-1]):
        header = _HEADER.match(line)
        if header and header[1] == "Failure" and (named := _named(_FAILED_AT, lines[index + 1])):
            block = _block(lines, index + _NAMED)
            yield _diagnostic(named[1], (locate(output, named[2]), text.number(named[3])), block)
        elif header and header[1] == "Error" and (named := _named(_ERROR_IN, lines[index + 1])):
            block = _block(lines, index + _NAMED)
            places = ruby_frames.places(output, block)
            said = next((n for n, shown in enumerate(block) if _is_frame(shown)), len(block))
            yield _diagnostic(named[1], _own_file(places), block[:said])


def _named(pattern: re.Pattern[str], line: str) -> re.Match[str] | None:
    """Match the line that names a test as `Class#method`."""
    found = pattern.match(line)
    return found if found and "#" in found[1] else None


def _own_file(places: Sequence[ruby_frames.Place]) -> ruby_frames.Place | tuple[None, None]:
    """Return the place in the test's own file: the outermost frame names the file, the first in it the line."""
    if not places:
        return None, None
    path = places[-1][0]
    return path, ruby_frames.line_in(places, path)


def _diagnostic(test_id: str, place: tuple[str | None, int | None], said: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        path=place[0],
        line=place[1],
        message=text.message(said),
        kind=DiagnosticKind.TEST_FAILURE,
        test_id=test_id,
    )


def _block(lines: Sequence[str], start: int) -> Sequence[str]:
    """Return the lines below a test's name, up to the next header or the totals."""
    end = start
    while end < len(lines) and not _ends(lines[end]):
        end += 1
    return lines[start:end]


def _ends(line: str) -> bool:
    return any(pattern.match(line) for pattern in (_HEADER, _TOTALS, _AGAIN))


def _is_frame(line: str) -> bool:
    return line.startswith("    ") and ruby_frames.is_frame(line)


def _tests(lines: Sequence[str], diagnostics: Sequence[Diagnostic]) -> TestReport | None:
    """Return the sum of all totals: rake runs one suite after the other."""
    totals = [found for line in lines if (found := _TOTALS.match(line))]
    if not totals:
        return None
    executed = sum(int(found[1]) - int(found[5]) for found in totals)
    verbose = [found for line in lines if (found := _VERBOSE.match(line))]
    passed = tuple(found[1] for found in verbose if found[2] == ".")
    skipped = tuple(found[1] for found in verbose if found[2] == "S")
    failed = tuple(dict.fromkeys(item.test_id for item in diagnostics if item.test_id))
    return TestReport(max(executed, 0), passed, failed, skipped)


TOOL = Tool(
    name="minitest",
    commands=(
        r"ruby\b.{0,300}?(?:\btest_\w{1,80}\.rb|_test\.rb|[\s/'\"]tests?/)",
        r"rake\s+(?:.{0,80}\s)?test\b",
        r"rails\s+test\b",
        r"minitest\b",
        r"test-unit\b",
    ),
    parse=parse,
    config_files=("test_helper.rb", ".minitest"),
    runs_tests=True,
    ecosystem="ruby",
)
