"""What PHPUnit prints."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from fixloop_bot.checks import php_places, text
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind, Level
from fixloop_bot.model.layer import TestReport

_BANNER = re.compile(r"^(?:PHPUnit \d|ParaTest v?\d)")
_SECTION = re.compile(
    r"^(?:There (?:was|were) \d{1,9} (\w[\w ]{1,60})|\d{1,9} tests? triggered \d{1,9} (\w[\w ]{1,60})):$"
)
_ENTRY = re.compile(r"^(\d{1,6})\) (\S.*)$")
_END = re.compile(
    r"^(?:FAILURES!|ERRORS!|WARNINGS!|OK \(\d|OK, but |No tests executed!|Tests: \d{1,9}, Assertions: \d|Legend:$)"
)
_OK = re.compile(r"^OK \((\d{1,9}) tests?, ")
_TOTALS = re.compile(r"^Tests: (\d{1,9}), Assertions: \d{1,9}(?:, [^\n]*)?\.$")
_LEFT_OUT = re.compile(r"\b(?:Skipped|Incomplete): (\d{1,9})\b")
_NAME = re.compile(r"^\\?[A-Za-z_][\w\\]*::\S")
_DATA = re.compile(r"^(.{0,2000}? with data set (?:#\d{1,9}|\"[^\"\n]*\"))(?: \(|$)")
_ERRORS = frozenset({"error", "errors", "failure", "failures", "PHPUnit error", "PHPUnit errors"})


@dataclass(slots=True)
class Entry:
    """One numbered entry of a section."""

    section: str
    title: str
    lines: list[str] = field(default_factory=list)


def diagnostics(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield a diagnostic per entry; of warnings, risky tests and deprecations errors where only they failed the run."""
    if not any(_BANNER.match(line) for line in lines):
        return
    found = [_diagnostic(output, entry) for entry in _entries(lines)]
    fails = output.exit_code != 0 and not any(item.level is Level.ERROR for item in found)
    yield from (replace(item, level=Level.ERROR) if fails else item for item in found)


def tests(lines: Sequence[str]) -> TestReport | None:
    """Return how many tests ran, None if the output is none of PHPUnit's or does not come to its end."""
    if not any(_BANNER.match(line) for line in lines):
        return None
    failed = tuple(dict.fromkeys(test_name(one.title) for one in _entries(lines) if one.section in _ERRORS))
    for line in reversed(lines):
        if ok := _OK.match(line):
            return TestReport(int(ok[1]))
        if totals := _TOTALS.match(line):
            left_out = sum(int(found[1]) for found in _LEFT_OUT.finditer(line))
            return TestReport(max(int(totals[1]) - left_out, 0), failed=failed)
        if line.startswith("No tests executed!"):
            return TestReport(0)
    return None


def test_name(title: str) -> str:
    """Return a test's name without the values of its data set, which say the same as the set's own name."""
    found = _DATA.match(title)
    return found[1] if found else title.rstrip()


def message(lines: Sequence[str]) -> str:
    """Return what a failure says, without the places below it."""
    end = next((n for n, line in enumerate(lines) if line.startswith(("Stack trace:", "Triggered by:"))), len(lines))
    return text.message([line for line in lines[:end] if not php_places.is_place(line)])


def _entries(lines: Sequence[str]) -> Iterator[Entry]:
    """Yield the entries, whose numbers follow one another within a section, whatever their messages hold."""
    section, number = "", 0
    current: Entry | None = None
    for line in lines:
        headed = _SECTION.match(line)
        if headed or _END.match(line):
            yield from [current] if current else []
            current, number = None, 0
            section = (headed[1] or headed[2]) if headed else ""
        elif section and (entry := _ENTRY.match(line)) and int(entry[1]) == number + 1:
            yield from [current] if current else []
            current, number = Entry(section, entry[2]), number + 1
        elif current and line != "--":
            current.lines.append(line)
    yield from [current] if current else []


def _diagnostic(output: ToolOutput, entry: Entry) -> Diagnostic:
    named = _NAME.match(entry.title) is not None
    path, line = _place(output, entry)
    return Diagnostic(
        path=path,
        line=line,
        level=Level.ERROR if entry.section in _ERRORS else Level.WARNING,
        rule_id=None if named else entry.section.removesuffix("s"),
        message=message(entry.lines) or entry.title,
        kind=DiagnosticKind.TEST_FAILURE,
        test_id=test_name(entry.title) if named else None,
    )


def _place(output: ToolOutput, entry: Entry) -> php_places.Place | tuple[None, None]:
    """Return the place that the title is, else the one in the test's own file, else the one amid the message."""
    within = [f"{found[1]}:{found[2]}" for said in entry.lines if (found := php_places.part_place(said))]
    for lines in ([entry.title], entry.lines, within[:1]):
        places = php_places.places(output, lines)
        if places:
            return php_places.own_file(places)
    return None, None
