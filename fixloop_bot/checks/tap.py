"""The Test Anything Protocol, versions 12 to 14: nested tests, YAML blocks, and the comments of older producers."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from fixloop_bot.checks import places, text
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier
from fixloop_bot.model.layer import TestReport

JOINT = " > "
_VERSION = re.compile(r"^TAP version 1[234]\s*$")
_PLAN = re.compile(r"^( *)1\.\.(\d{1,9})\s*(?:#\s*(.*))?$")
_POINT = re.compile(r"^( *)(not ok|ok)\b(?: +(\d{1,9}))?(?: +-)?(?: +(\S(?:.*\S)?))?\s*$")
_DIRECTIVE = re.compile(r"(?<!\\)#\s*(skip|todo)\b", re.IGNORECASE)
_MEASURED = re.compile(r"(?<!\s)\s*#\s*(?:time|duration)[=:_ ][\w.= ]{1,30}$")
_FAILED_TEST = re.compile(r"^( *)#\s+Failed test '(.+)'$")
_BAIL = re.compile(r"^ *Bail out!\s*(.*)$")
_COMMENT = re.compile(r"^ *#(?!\s*Subtest\b) ?(.*)$")
_FOOTER = re.compile(r"^(?:tests|pass|fail|skip|todo|suites|cancelled|skipped|duration_ms|ok|failed|Looks like)\b")
_YAML_OPENS = re.compile(r"^\s+---\s*$")
_YAML_CLOSES = re.compile(r"^\s+\.\.\.\s*$")
_UNTOLD = re.compile(r"^\s*(?:duration_ms|location|stack|at|type|file|line|column|exitcode|failureType)\s*:")
_STACK = re.compile(r"^(\s*)stack\s*:")
_MAX_BLOCK = 400
"""Lines; so that a block without an end costs no more."""
_MAX_DEPTH = 16
"""Levels of nesting whose names are joined."""
_MAX_NAME = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One test point that stands for no others."""

    name: str
    ok: bool
    skipped: bool = False
    index: int = 0
    """Of its line, 0-based."""
    depth: int = 0


def parse(output: ToolOutput) -> Parsed:
    """Read the reports that are TAP, else the output."""
    reports = [source for source in (output.report, *output.reports) if source and _is_tap(source)]
    documents = [text.lines(source) for source in reports or [output.text] if _is_tap(source)]
    told = text.distinct(item for lines in documents for item in _from_document(output, lines))
    told = told or text.distinct(_from_comments(output, text.lines(output.text)))
    tier = Tier.STRUCTURED if reports and told else Tier.PARSED if told else Tier.TEXT
    return Parsed(diagnostics=told, tier=tier, tests=_tests(documents))


def _from_document(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    yield from _failures(output, lines, read_points(lines))
    yield from _bailed(lines)


def _from_comments(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield what comments tell where a harness has swallowed the test points."""
    for name, block in _commented(lines).items():
        yield _diagnostic(output, name, block)


def _commented(lines: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Return what comments tell of failed tests, by name: Perl writes them apart from the test points."""
    waiting: list[Point] = []
    for index, line in enumerate(lines):
        if found := _FAILED_TEST.match(line):
            _close(waiting, Point(name=found[2][:_MAX_NAME], ok=False, index=index, depth=_depth(found[1] + ".")))
    return {point.name: _block(lines, point.index + 1) for point in waiting}


def _is_tap(source: str) -> bool:
    """Return whether a text is TAP: it has test points, and a version or a plan; or it bails out."""
    lines = text.lines(source)
    versioned = any(_VERSION.match(line) for line in lines)
    planned = any(_PLAN.match(line) for line in lines)
    pointed = any((found := _POINT.match(line)) and (versioned or found[3]) for line in lines)
    bailed = any(_BAIL.match(line) for line in lines)
    return (planned and (pointed or _planned_none(lines))) or (versioned and (pointed or bailed))


def read_points(lines: Sequence[str]) -> Iterator[Point]:
    """Yield the test points; one that merely sums up those indented above or braced below it is left out."""
    waiting: list[Point] = []
    braced: list[Point] = []
    for index, line in enumerate(lines):
        if braced and line.strip() == "}" and _depth(line) == braced[-1].depth:
            _close(waiting, braced.pop())
        elif found := _POINT.match(line):
            point = _point(found, index)
            if (found[4] or "").endswith("{"):
                braced.append(point)
                continue
            _close(waiting, point)
        if waiting and not braced and waiting[-1].depth == 0:
            yield from waiting
            waiting.clear()
    yield from waiting


def _depth(line: str) -> int:
    return min((len(line) - len(line.lstrip(" "))) // 4, _MAX_DEPTH)


def _point(found: re.Match[str], index: int) -> Point:
    said = (found[4] or "").removesuffix("{").rstrip()
    directive = _DIRECTIVE.search(said)
    name = said[: directive.start()] if directive else _MEASURED.sub("", said)
    return Point(
        name=name.strip().replace("\\#", "#")[:_MAX_NAME] or f"test {found[3] or index + 1}",
        ok=found[2] == "ok" or (directive is not None and directive[1].lower() == "todo"),
        skipped=directive is not None,
        index=index,
        depth=_depth(found[1] + "."),
    )


def _close(waiting: list[Point], point: Point) -> None:
    """Add a point to those still to be told; the deeper ones before it are its own, and are named after it."""
    own: list[Point] = []
    while waiting and waiting[-1].depth > point.depth:
        own.append(waiting.pop())
    own.reverse()
    waiting += [replace(child, name=f"{point.name}{JOINT}{child.name}"[:_MAX_NAME], depth=point.depth) for child in own]
    if not own or not (point.ok or any(not child.ok for child in own)):
        waiting.append(point)


def _failures(output: ToolOutput, lines: Sequence[str], points: Iterable[Point]) -> Iterator[Diagnostic]:
    commented = _commented(lines)
    for point in points:
        if not point.ok and not point.skipped:
            block = _block(lines, point.index + 1) or commented.get(point.name, ())
            yield _diagnostic(output, point.name, block)


def _diagnostic(output: ToolOutput, name: str, block: Sequence[str]) -> Diagnostic:
    hit = next(places.places(output, _places_first(block)), None)
    return Diagnostic(
        path=hit.path if hit else None,
        line=hit.line if hit else None,
        column=hit.column if hit else None,
        message=text.message(_told(block)),
        kind=DiagnosticKind.TEST_FAILURE,
        test_id=name,
    )


def _block(lines: Sequence[str], start: int) -> Sequence[str]:
    """Return what follows a test point and explains it: its YAML block, else its comments."""
    end = start
    if start < len(lines) and _YAML_OPENS.match(lines[start]):
        while end < min(len(lines), start + _MAX_BLOCK) and not _ends(lines[end], end - start):
            end += 1
        return lines[start + 1 : end]
    comments: list[str] = []
    while end < min(len(lines), start + _MAX_BLOCK) and (found := _COMMENT.match(lines[end])):
        comments.append(found[1])
        end += 1
    return comments


def _ends(line: str, number: int) -> bool:
    """Return whether a YAML block ends here, also where its own end is missing."""
    opens_another = number > 0 and (_YAML_OPENS.match(line) or _POINT.match(line))
    return bool(_YAML_CLOSES.match(line) or opens_another)


def _places_first(block: Sequence[str]) -> list[str]:
    """Return the block's lines with those that are made to tell the place first; `file` and `line` apart are joined."""
    fields = {key.strip(): value.strip(" '\"") for key, _, value in (line.partition(":") for line in block)}
    joined = [f"{fields['file']}:{fields['line']}"] if {"file", "line"} <= set(fields) else []
    named = ("fileName", "lineNumber")
    joined += [f"{fields[named[0]]}:{fields[named[1]]}"] if set(named) <= set(fields) else []
    return [*joined, *(line for line in block if re.match(r"^\s*(?:at|location)\s*:", line)), *block]


def _told(block: Sequence[str]) -> list[str]:
    """Return the lines that tell what is wrong, without places, times and stacks."""
    told: list[str] = []
    stack: int | None = None
    for line in block:
        indent = len(line) - len(line.lstrip())
        if stack is not None and (indent > stack or not line.strip()):
            continue
        opens = _STACK.match(line)
        stack = len(opens[1]) if opens else None
        if not _UNTOLD.match(line) and not _FOOTER.match(line) and line.strip():
            told.append(line.strip())
    return told


def _bailed(lines: Sequence[str]) -> Iterator[Diagnostic]:
    for line in lines:
        if found := _BAIL.match(line):
            said = f"Bail out! {found[1]}".strip()[: text.MAX_MESSAGE]
            yield Diagnostic(message=said, kind=DiagnosticKind.TEST_FAILURE)


def _planned_none(lines: Sequence[str]) -> bool:
    return any((plan := _PLAN.match(line)) and not plan[1] and int(plan[2]) == 0 for line in lines)


def _tests(documents: Sequence[Sequence[str]]) -> TestReport | None:
    points = [point for lines in documents for point in read_points(lines)]
    if not points and not any(_planned_none(lines) for lines in documents):
        return None
    ran = [point for point in points if not point.skipped]
    return TestReport(
        len(ran),
        tuple(point.name for point in ran if point.ok),
        tuple(point.name for point in ran if not point.ok),
        tuple(point.name for point in points if point.skipped),
    )


TOOL = Tool(name="tap", commands=(r"tape\b", r"prove\b"), parse=parse, runs_tests=True)
