"""What Maven's surefire and failsafe print of tests: the blocks of failures and the totals."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fixloop_bot.checks.java_reports import name_of
from fixloop_bot.checks.java_sources import JavaSources, before_frames
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.layer import TestReport

_LABEL = r"^(?:\[(?:INFO|WARNING|ERROR)\] )?"
_CLASS = re.compile(rf"{_LABEL}(?:Running|Tests run:.* (?:-|--) in) ([\w.$]+)$")
_TITLE = re.compile(
    rf"{_LABEL}(\S.{{0,1000}}?)\s{{1,4}}(?:-- )?Time elapsed: [\d.,]+ s(?:ec)?\s+<<< (?:FAILURE|ERROR)!$"
)
_BARE_METHOD = re.compile(r"^([\w$]{1,200})(?:[({\[]|$)")
_IN_CLASS = re.compile(r"^(.+)\(([\w.$]+)\)$")
_TOTALS = re.compile(
    rf"{_LABEL}Tests run: (\d{{1,9}}), Failures: \d{{1,9}}, Errors: \d{{1,9}}, Skipped: (\d{{1,9}})(?:, Flakes: \d+)?$"
)
_NONE = re.compile(rf"{_LABEL}(?:No tests to run\.|There are no tests to run\.)$")
_IN_MODULE = re.compile(r"/(?:target/(?:classes|test-classes|[\w-]{1,40}-reports)|src/(?:main|test)/\w)")
_ENDS_BLOCK = re.compile(r"^(?:\[(?:INFO|WARNING|ERROR)\]|Tests run:|Running |Results ?:|$)")

_MAX_BODY = 400
"""Lines."""


@dataclass(frozen=True, slots=True)
class Block:
    """One failed test as it was printed."""

    test_class: str
    test_id: str
    module: tuple[str, ...]
    """The folder that Maven spoke of last before it; empty if of none."""
    body: tuple[str, ...]


def modules(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the folders of the modules that Maven speaks of, in order."""
    return tuple(dict.fromkeys(module for line in lines if (module := _module(line))))


def failures(lines: Sequence[str], sources: JavaSources) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each failed test."""
    for block in _blocks(lines):
        path, line = sources.place(block.test_class, block.body, block.module)
        yield Diagnostic(
            path=path,
            line=line,
            message=before_frames(block.body),
            kind=DiagnosticKind.TEST_FAILURE,
            test_id=block.test_id,
        )


def tests(lines: Sequence[str]) -> TestReport | None:
    """Return how many tests ran in all modules and which failed; None where nothing is said of it."""
    totals = [found for line in lines if (found := _TOTALS.match(line))]
    if not totals:
        return TestReport(0) if any(_NONE.match(line) for line in lines) else None
    executed = sum(int(found[1]) - int(found[2]) for found in totals)
    return TestReport(max(executed, 0), failed=tuple(dict.fromkeys(block.test_id for block in _blocks(lines))))


def _blocks(lines: Sequence[str]) -> Iterator[Block]:
    current, module = "", ""
    for index, line in enumerate(lines):
        module = _module(line) or module
        if begins := _CLASS.match(line):
            current = begins[1]
        elif (title := _TITLE.match(line)) and not title[1].startswith("Tests run:"):
            body = _body(lines, index + 1)
            test_class, test_id = _named(title[1], _nested(title[1], current, body))
            yield Block(test_class, test_id, (module,) if module else (), body)


def _module(line: str) -> str:
    """Return the folder around the sources or classes that a line speaks of, empty if of none."""
    mark, start = _IN_MODULE.search(line), line.find(" /") + 1
    return line[start : mark.start()] if mark and 0 < start < mark.start() else ""


def _nested(title: str, current: str, body: Sequence[str]) -> str:
    """Return the class inside the current one that the stack has a bare test's method in, else the current one."""
    method = _BARE_METHOD.match(title)
    if not current or not method:
        return current
    frame = re.compile(rf"\s+at {re.escape(current)}(\$[\w$]{{1,200}})\.{re.escape(method[1])}\(")
    inside = next((found[1] for line in body if (found := frame.match(line))), "")
    return current + inside


def _named(title: str, current: str) -> tuple[str, str]:
    """Return class and name of a test: `adds(shop.AppTest)`, `shop.AppTest.adds`, or `adds` below its class."""
    inside = _IN_CLASS.match(title)
    if inside and inside[2] == current:
        return current, name_of(current, inside[1])
    if title == current or title.startswith(f"{current}."):
        return current, name_of("", title)
    if inside and not current:
        return inside[2], name_of(inside[2], inside[1])
    return current, name_of(current, title)


def _body(lines: Sequence[str], start: int) -> tuple[str, ...]:
    end = start
    while end < min(len(lines), start + _MAX_BODY) and not _ENDS_BLOCK.match(lines[end]):
        if lines[end].endswith("!") and _TITLE.match(lines[end]):
            break
        end += 1
    return tuple(lines[start:end])
