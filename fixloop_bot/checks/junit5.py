"""JUnit's console launcher (JUnit Platform): its tree, its list of failures and its reports."""

import re
from collections.abc import Iterator, Sequence

from fixloop_bot.checks import text
from fixloop_bot.checks.java_reports import CONSOLE_FILES, name_of, read_reports
from fixloop_bot.checks.java_sources import JavaSources, before_frames
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier
from fixloop_bot.model.layer import TestReport

_TITLE = re.compile(r"^  (\S[^\n]*)$")
_METHOD = re.compile(
    r"^    MethodSource \[className = '([\w.$]+)', methodName = '([^'\n]+)', methodParameterTypes = '([^'\n]*)'\]$"
)
_CLASS = re.compile(r"^    ClassSource \[className = '([\w.$]+)', .*\]$")
_THROWN = re.compile(r"^    => (.*)$")
_INVOCATION = re.compile(r":\[(\d+)\]")
_TREE = re.compile(
    r"^([\u2502| ]*)(?:\u251c\u2500|\u2514\u2500|\+--|'--|`--) (\S.*?)"
    r" (\u2714|\u2718|\u21b7|\[OK\]|\[X\]|\[S\])(?: .*)?$"
)
_COUNT = re.compile(r"^\[ {0,20}(\d{1,9}) tests (found|skipped|aborted|successful|failed) {0,20}\]$")
_PASSED = frozenset({"\u2714", "[OK]"})
_FAILED = frozenset({"\u2718", "[X]"})
_MAX_DEPTH = 60


def parse(output: ToolOutput) -> Parsed:
    """Read the XML reports, else the text."""
    sources = JavaSources(output)
    reports = read_reports(output, sources)
    lines = text.lines(output.text)
    failures = reports.failures if reports else text.distinct(_failures(lines, sources))
    structured = reports is not None and failures
    return Parsed(
        diagnostics=failures,
        tier=Tier.STRUCTURED if structured else Tier.PARSED if failures else Tier.TEXT,
        tests=reports.tests if reports else _tests(lines),
    )


def _failures(lines: Sequence[str], sources: JavaSources) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each entry of the list of failures, which names class and method."""
    for index, line in enumerate(lines[:-1]):
        title = _TITLE.match(line)
        source = (_METHOD.match(lines[index + 1]) or _CLASS.match(lines[index + 1])) if title else None
        if title and source:
            body = _body(lines, index + 2)
            path, number = sources.place(source[1], body)
            yield Diagnostic(
                path=path,
                line=number,
                message=before_frames(body),
                kind=DiagnosticKind.TEST_FAILURE,
                test_id=_name(title[1], source),
            )


def _name(title: str, source: re.Match[str]) -> str:
    """Return the name that the XML report gives: with simple parameter types, and the number of an invocation."""
    if source.re is _CLASS:
        return source[1]
    types = ", ".join(part.strip().rpartition(".")[2] for part in source[3].split(",") if part.strip())
    number = _INVOCATION.search(title)
    return name_of(source[1], f"{source[2]}({types})" + (f"[{number[1]}]" if number else ""))


def _body(lines: Sequence[str], start: int) -> list[str]:
    """Return what was thrown: the lines from `=>` on, up to the next entry or a blank line."""
    thrown = _THROWN.match(lines[start]) if start < len(lines) else None
    if thrown is None:
        return []
    below = lines[start + 1 : start + 200]
    end = next((n for n, line in enumerate(below) if not line.strip() or _TITLE.match(line)), len(below))
    return [thrown[1], *(line.strip() if line.startswith("       ") else line for line in below[:end])]


def _tests(lines: Sequence[str]) -> TestReport | None:
    counts = {found[2]: int(found[1]) for line in lines if (found := _COUNT.match(line))}
    if not counts:
        return None
    leaves = list(_leaves(lines))
    return TestReport(
        counts.get("successful", 0) + counts.get("failed", 0) + counts.get("aborted", 0),
        tuple(name for name, mark in leaves if mark in _PASSED),
        tuple(name for name, mark in leaves if mark in _FAILED),
        tuple(name for name, mark in leaves if mark not in _PASSED | _FAILED),
    )


def _leaves(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield name and mark of the tree's leaves; a name is the path below the engine."""
    rows = [(len(found[1]), found[2], found[3]) for line in lines if (found := _TREE.match(line))]
    path: list[tuple[int, str]] = []
    for (indent, name, mark), following in zip(rows, [*rows[1:], (0, "", "")], strict=False):
        while path and path[-1][0] >= indent:
            path.pop()
        if following[0] <= indent:
            yield ".".join([part for _, part in path[1:]] + [name.removesuffix("()")]), mark
        elif len(path) < _MAX_DEPTH:
            path.append((indent, name))


TOOL = Tool(
    name="junit5",
    commands=(
        r"java\b.{0,6000}\borg\.junit\.platform\.console",
        r"java\b.{0,2000}\bjunit-platform-console-standalone",
    ),
    parse=parse,
    report_files=CONSOLE_FILES,
    config_files=("junit-platform.properties",),
    runs_tests=True,
    ecosystem="java",
)
