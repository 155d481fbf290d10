"""What pytest prints."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fixloop_bot.checks import text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.pytest_report import error_lines
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.layer import TestReport

_SUMMARY_LINE = re.compile(r"^(FAILED|ERROR) (\S[^\n]*)$")
_COUNT = re.compile(r"(\d{1,9}) (passed|failed|errors?|skipped|xfailed|xpassed|deselected|warnings?)\b")
_TOTALS = re.compile(r"^(?:=+ )?(\d{1,9} [a-z]+(?:, \d{1,9} [a-z]+)*|no tests ran) in \d[\d.]*s")
_VERBOSE = re.compile(r"^(\S[^\n]*?) (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\b")
_XDIST = re.compile(r"^\[gw\d+\] \[ *\d+%\] (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS) (\S[^\n]*)$")
_PLACE = re.compile(r"^([^\s:>][^:\n]*):(\d+): ?")
_COLLECTING = "ERROR collecting "
_FIXTURE = re.compile(r"^ERROR at (?:setup|teardown) of ")


@dataclass(frozen=True, slots=True)
class Block:
    """One `____ title ____` section of the failures, with its lines."""

    title: str
    lines: list[str]


def diagnostics(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield a diagnostic per failed test or uncollectable module: named by the summary, explained by its block."""
    named = _summary(lines)
    waiting: dict[str, list[str]] = defaultdict(list)
    for test_id in named:
        waiting[_title(test_id)].append(test_id)
    for block in _blocks(lines):
        title = _FIXTURE.sub("", block.title.removeprefix(_COLLECTING))
        test_id = _claim(output, waiting, title, block)
        yield _diagnostic(output, test_id, block)
    for test_id in (test_id for ids in waiting.values() for test_id in ids):
        yield _diagnostic(output, test_id, Block("", [named[test_id]]))


def tests(lines: Sequence[str]) -> TestReport | None:
    """Return how many tests ran as the last line tells it, with their names where `-v` prints them."""
    totals = next((found[1] for line in reversed(lines) if (found := _TOTALS.match(line)) and _counts(found[1])), None)
    if totals is None:
        return None
    counts = _counts(totals)
    names = _verbose(lines)
    executed = sum(counts.get(word, 0) for word in ("passed", "failed", "xfailed", "xpassed"))
    failed = names["FAILED"] or [test_id for test_id in _summary(lines) if "::" in test_id]
    return TestReport(
        executed,
        tuple(names["PASSED"] + names["XFAIL"] + names["XPASS"]),
        tuple(failed),
        tuple(names["SKIPPED"]),
    )


def _counts(totals: str) -> dict[str, int]:
    if totals == "no tests ran":
        return {"ran": 0}
    return {found[2]: int(found[1]) for found in _COUNT.finditer(totals)}


def _verbose(lines: Sequence[str]) -> Mapping[str, list[str]]:
    names: dict[str, list[str]] = defaultdict(list)
    for line in lines:
        if (found := _VERBOSE.match(line)) and "::" in found[1]:
            names[found[2]].append(found[1])
        elif found := _XDIST.match(line):
            names[found[1]].append(found[2])
    return names


def _summary(lines: Sequence[str]) -> dict[str, str]:
    """Return test id → the short message beside it, from the `short test summary info`."""
    named: dict[str, str] = {}
    for line in lines:
        found = _SUMMARY_LINE.match(line)
        if found and (".py" in found[2] or "::" in found[2]):
            test_id, message = _split_summary(found[2])
            named.setdefault(test_id, message)
    return named


def _split_summary(rest: str) -> tuple[str, str]:
    """Part id and message; a parameter in brackets may itself hold the dash that parts them."""
    bracket = rest.find("] - ") if "[" in rest.partition(" - ")[0] else -1
    at = bracket + 1 if bracket >= 0 else rest.find(" - ")
    return (rest, "") if at < 0 else (rest[:at], rest[at + 3 :])


def _title(test_id: str) -> str:
    """Return how the failures section heads this test."""
    path, parted, name = test_id.partition("::")
    return name.replace("::", ".") if parted else path


def _blocks(lines: Sequence[str]) -> Iterator[Block]:
    inside, block = False, None
    for line in lines:
        if line.startswith("===="):
            inside = " FAILURES " in line or " ERRORS " in line
            yield from [block] if block else []
            block = None
        elif inside and line.startswith("__") and line.endswith("__") and line.strip("_").strip(" "):
            yield from [block] if block else []
            block = Block(line.strip("_").strip(" "), [])
        elif block:
            block.lines.append(line)
    yield from [block] if block else []


def _claim(output: ToolOutput, waiting: dict[str, list[str]], title: str, block: Block) -> str:
    """Take the id that the summary gave this title; of several, the one whose file the block names."""
    ids = waiting.get(title, [])
    if not ids:
        place = _first_place(output, block.lines)
        return title if title.endswith(".py") or place is None else f"{place[0]}::{title.replace('.', '::')}"
    places = {found[1] for line in block.lines if (found := _PLACE.match(line))}
    chosen = next((test_id for test_id in ids if test_id.partition("::")[0] in places), ids[0])
    ids.remove(chosen)
    return chosen


def _diagnostic(output: ToolOutput, test_id: str, block: Block) -> Diagnostic:
    path = locate(output, test_id.partition("::")[0])
    message = error_lines(block.lines) or _thrown(block.lines)
    syntax = block.title.startswith(_COLLECTING) and "SyntaxError: " in message
    return Diagnostic(
        path=path,
        line=_line_in(output, block.lines, path),
        message=message,
        kind=DiagnosticKind.SYNTAX_ERROR if syntax else DiagnosticKind.TEST_FAILURE,
        test_id=test_id,
    )


def _thrown(lines: Sequence[str]) -> str:
    """Return what stands at the end without an `E` mark: below the last frame of a native traceback, if it is one."""
    frame = max((n for n, line in enumerate(lines) if line.startswith('  File "')), default=-1)
    end = next((n for n, line in enumerate(lines) if n > frame and line.startswith("-----")), len(lines))
    unindented = (n for n in range(frame + 1, end) if lines[n][:1].strip())
    return text.message([line for line in lines[next(unindented, frame + 1) : end] if line.strip()][-5:])


def _first_place(output: ToolOutput, lines: Sequence[str]) -> tuple[str, int | None] | None:
    for line in lines:
        found = _PLACE.match(line)
        path = locate(output, found[1]) if found and found[1].endswith(".py") else None
        if found and path:
            return path, text.number(found[2])
    return None


def _line_in(output: ToolOutput, lines: Sequence[str], path: str | None) -> int | None:
    places = (found for line in lines if (found := _PLACE.match(line)))
    return next((text.number(place[2]) for place in places if locate(output, place[1]) == path), None)
