"""Python's own `unittest`, and Django's test command, which prints the same."""

import re
from collections.abc import Iterator, Sequence

from fixloop_bot.checks import text
from fixloop_bot.checks.paths import in_repository, locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier
from fixloop_bot.model.layer import TestReport

_HEADER = re.compile(r"^(FAIL|ERROR|UNEXPECTED SUCCESS): (\S+)(?: \(([\w.<>]+)\))?(.*)$")
_FRAME = re.compile(r'^\s*File "([^"\n]+)", line (\d+)')
_RAN = re.compile(r"^Ran (\d{1,9}) tests? in ")
_SKIPPED = re.compile(r"\bskipped=(\d{1,9})\b")
_VERBOSE = re.compile(r"^(\S+) \(([\w.<>]+)\)(?:\n[^\n]*)? \.\.\. (ok|FAIL|ERROR|skipped|expected failure)\b")
_EXCEPTION = re.compile(r"^[A-Za-z_][\w.]*(?:: |$)")
_FAILED_IMPORT = "unittest.loader._FailedTest"


def parse(output: ToolOutput) -> Parsed:
    """Read the text; there is no machine-readable form."""
    lines = text.lines(output.text)
    diagnostics = text.distinct(_diagnostics(output, lines))
    tests = _tests(lines, diagnostics)
    return Parsed(diagnostics=diagnostics, tier=Tier.PARSED if diagnostics else Tier.TEXT, tests=tests)


def _diagnostics(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    for index, line in enumerate(lines):
        if line.startswith("======") and index + 1 < len(lines) and (header := _HEADER.match(lines[index + 1])):
            yield _diagnostic(output, header, _block(lines, index + 2))


def _block(lines: Sequence[str], start: int) -> Sequence[str]:
    """Return the lines below a header's rule of dashes, up to the next block or the count of tests."""
    end = start
    dashes = 0
    while end < len(lines) and not lines[end].startswith("======"):
        dashes += lines[end].startswith("------")
        if dashes > 1 and not lines[end].startswith(" "):
            break
        end += 1
    return lines[start:end]


def _diagnostic(output: ToolOutput, header: re.Match[str], block: Sequence[str]) -> Diagnostic:
    place = _place(output, block)
    message = _message(block)
    syntax = "SyntaxError: " in message or "IndentationError: " in message
    return Diagnostic(
        path=place[0] if place else None,
        line=place[1] if place else None,
        message=message,
        kind=DiagnosticKind.SYNTAX_ERROR if syntax else DiagnosticKind.TEST_FAILURE,
        test_id=_test_id(header[2], header[3]) + header[4].rstrip(),
    )


def _test_id(method: str, place: str | None) -> str:
    """Return the dotted name: up to Python 3.10 the parentheses hold the class alone."""
    if not place or place.startswith(_FAILED_IMPORT):
        return method
    return place if place.endswith("." + method) else f"{place}.{method}"


def _place(output: ToolOutput, block: Sequence[str]) -> tuple[str, int | None] | None:
    """Return the outermost frame inside the repository: the test's own file."""
    for line in block:
        frame = _FRAME.match(line)
        path = in_repository(output, frame[1]) if frame else None
        if frame and path:
            return path, text.number(frame[2])
    frame = next((found for line in block if (found := _FRAME.match(line)) and locate(output, found[1])), None)
    return (locate(output, frame[1]) or "", text.number(frame[2])) if frame else None


def _message(block: Sequence[str]) -> str:
    """Return the last exception and what follows it, without captured output."""
    ends = next((n for n, line in enumerate(block) if line in {"Stdout:", "Stderr:"}), len(block))
    shown = block[:ends]
    starts = [n for n, line in enumerate(shown) if _EXCEPTION.match(line) and not line.startswith("Traceback")]
    after_frames = max((n for n, line in enumerate(shown) if _FRAME.match(line)), default=-1)
    start = next((n for n in starts if n > after_frames), starts[-1] if starts else 0)
    return text.message(shown[start:])


def _tests(lines: Sequence[str], diagnostics: Sequence[Diagnostic]) -> TestReport | None:
    counted = [index for index, line in enumerate(lines) if _RAN.match(line)]
    if not counted:
        return None
    ran = _RAN.match(lines[counted[-1]])
    skipped = next((found for line in lines[counted[-1] : counted[-1] + 4] if (found := _SKIPPED.search(line))), None)
    executed = int(ran[1]) - (int(skipped[1]) if skipped else 0) if ran else 0
    verbose = [found for line in lines if (found := _VERBOSE.match(line))]
    passed = tuple(_test_id(found[1], found[2]) for found in verbose if found[3] in {"ok", "expected failure"})
    left_out = tuple(_test_id(found[1], found[2]) for found in verbose if found[3] == "skipped")
    failed = tuple(dict.fromkeys(item.test_id for item in diagnostics if item.test_id))
    return TestReport(max(executed, 0), passed, failed, left_out)


TOOL = Tool(
    name="unittest",
    commands=(r"unittest\b", r"(?:manage\.py|django-admin)\s+test\b"),
    parse=parse,
    runs_tests=True,
    ecosystem="python",
)
