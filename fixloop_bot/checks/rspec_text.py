"""What rspec prints: every formatter of its own ends with the same list of failures."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fixloop_bot.checks import ruby_frames, text
from fixloop_bot.checks.paths import in_repository, locate
from fixloop_bot.checks.ruby_syntax import syntax_errors
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.layer import TestReport

_TOTALS = re.compile(
    r"^(\d{1,9}) examples?, (\d{1,9}) failures?(?:, (\d{1,9}) pending)?(?:, (\d{1,9}) errors? occurred outside of "
    r"examples)?$"
)
_NUMBERED = re.compile(r"^  (\d{1,6})\) (\S.*)$")
_RERUN = re.compile(r"^rspec '?([^\s'][^#'\n]*?)(?::\d{1,8}|\[[\d:]{1,200}\])'? # (\S.*)$")
_OUTSIDE = re.compile(r"^An error occurred (?:while loading (\S.*?)|in an? (.{1,80}))\.(?: - Did you mean\?)?$")
_ENDS = (
    "Finished in ",
    "Failed examples:",
    "Failures:",
    "Pending: ",
    "An error occurred ",
    "Randomized with ",
    "No examples found",
)
_FIXED = " FIXED"
"""Follows the name of a pending example that passes."""


@dataclass(slots=True)
class Failure:
    """One numbered entry of the list of failures."""

    title: str
    lines: list[str] = field(default_factory=list)


def diagnostics(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield a diagnostic per failed example, named by the list of examples to run again, and per error outside."""
    if not any(_TOTALS.match(line) or _OUTSIDE.match(line) for line in lines):
        return
    failures = list(_failures(lines))
    again = [found for line in lines if (found := _RERUN.match(line))]
    for index, failure in enumerate(failures):
        named = again[index] if len(again) == len(failures) else None
        yield _diagnostic(output, failure, named)
    yield from outside_errors(output, lines)


def tests(lines: Sequence[str]) -> TestReport | None:
    """Return how many examples ran as the last line of totals tells it, None if there is none."""
    totals = next((found for line in reversed(lines) if (found := _TOTALS.match(line))), None)
    if totals is None:
        return None
    failed = tuple(found[2] for line in lines if (found := _RERUN.match(line)))
    return TestReport(max(int(totals[1]) - int(totals[3] or 0), 0), failed=failed)


def outside_errors(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield what went wrong outside of examples: in a file that was loaded, or in a hook of the suite."""
    for index, line in enumerate(lines):
        found = _OUTSIDE.match(line)
        if not found:
            continue
        block = _block(lines, index + 1)
        syntax = list(syntax_errors(output, block)) if "SyntaxError:" in block else []
        yield from syntax or [_outside(output, found, block)]


def _outside(output: ToolOutput, found: re.Match[str], block: Sequence[str]) -> Diagnostic:
    places = ruby_frames.places(output, block)
    loaded = in_repository(output, found[1]) if found[1] else None
    path = loaded or (places[-1][0] if places else None)
    return Diagnostic(
        path=path,
        line=ruby_frames.line_in(places, path),
        message=_message([line for line in block if not line.startswith(("  " * 5 + "rspec ", "  " * 10))]),
        kind=DiagnosticKind.TEST_FAILURE,
        test_id=loaded or found[1] or found[2],
    )


def _block(lines: Sequence[str], start: int) -> Sequence[str]:
    end = next((n for n in range(start, len(lines)) if lines[n].startswith(_ENDS)), len(lines))
    return lines[start:end]


def _failures(lines: Sequence[str]) -> Iterator[Failure]:
    """Yield the numbered entries below `Failures:`; their numbers follow one another, whatever the messages hold."""
    current: Failure | None = None
    inside, number = False, 0
    for line in lines:
        if line.startswith(_ENDS):
            inside = line.startswith("Failures:")
            number = 0 if line.startswith("Failures:") else number
        elif inside and (found := _NUMBERED.match(line)) and int(found[1]) == number + 1:
            yield from [current] if current else []
            current, number = Failure(found[2]), number + 1
        elif inside and current:
            current.lines.append(line)
    yield from [current] if current else []


def _diagnostic(output: ToolOutput, failure: Failure, named: re.Match[str] | None) -> Diagnostic:
    places = ruby_frames.places(output, failure.lines)
    path = locate(output, named[1]) if named else (places[-1][0] if places else None)
    return Diagnostic(
        path=path,
        line=ruby_frames.line_in(places, path),
        message=_message(failure.lines),
        kind=DiagnosticKind.TEST_FAILURE,
        test_id=named[2] if named else failure.title.removesuffix(_FIXED),
    )


def _message(lines: Sequence[str]) -> str:
    said = [line.strip() for line in lines if line.strip() and not _is_frame(line)]
    return text.message(said)


def _is_frame(line: str) -> bool:
    return line.lstrip().startswith("# ") and ruby_frames.is_frame(line)
