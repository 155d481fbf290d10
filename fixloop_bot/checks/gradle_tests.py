"""What Gradle prints of tests."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fixloop_bot.checks import text
from fixloop_bot.checks.java_reports import name_of
from fixloop_bot.checks.java_sources import JavaSources, before_frames
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.layer import TestReport

_TASK = re.compile(r"^(?:> Task )?((?::[\w.-]{1,100}){1,20})(?:$| (\S.*)$)")
_OUTCOME = re.compile(r"^(\S(?:(?! > )[^\n])*+ > [^\n]+) (PASSED|FAILED|SKIPPED)$")
_RUNNER = re.compile(r"^Gradle Test (?:Run|Executor) \S+$")
_SHORT = re.compile(r"^( *\S+) at ([\w$-]+\.(?:java|kt|groovy|scala)):(\d{1,8})$")
_COMPLETED = re.compile(r"^(\d{1,9}) tests? completed(?:, \d{1,9} failed)?(?:, (\d{1,9}) skipped)?$")
_TEST_TASK = re.compile(r"^(?:test|\w{0,80}Test)$")
_MAX_BODY = 400
"""Lines."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One test's line, and what is printed below it."""

    test_class: str
    test_id: str
    verdict: str
    module: tuple[str, ...]
    """The folder of the subproject whose task was named last before it; empty for the root project."""
    body: tuple[str, ...]


def modules(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the folders that the subprojects named among the tasks lie in by default: `:a:b:test` in `a/b`."""
    return tuple(dict.fromkeys(_folder(task[1]) for line in lines if (task := _TASK.match(line)) and _folder(task[1])))


def failures(lines: Sequence[str], sources: JavaSources) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each failed test."""
    for outcome in _outcomes(lines):
        if outcome.verdict != "FAILED":
            continue
        body = [line.removeprefix("    ") for line in outcome.body]
        path, line = sources.place(outcome.test_class, body, outcome.module)
        short = _SHORT.match(body[0]) if body else None
        if short and (path is None or path.rpartition("/")[2] == short[2]):
            line = text.number(short[3])
        yield Diagnostic(
            path=path,
            line=line,
            message=short[1] if short else before_frames(body),
            kind=DiagnosticKind.TEST_FAILURE,
            test_id=outcome.test_id,
        )


def tests(lines: Sequence[str]) -> TestReport | None:
    """Return how many tests ran; None where nothing is said of it, as when all of them passed."""
    outcomes = list(_outcomes(lines))
    named = {verdict: tuple(one.test_id for one in outcomes if one.verdict == verdict) for verdict in _VERDICTS}
    totals = [found for line in lines if (found := _COMPLETED.match(line))]
    if not totals and not outcomes:
        return TestReport(0) if _all_without_tests(lines) else None
    counted = sum(int(found[1]) - int(found[2] or 0) for found in totals)
    executed = max(counted, len(named["PASSED"]) + len(named["FAILED"]))
    return TestReport(executed, named["PASSED"], named["FAILED"], named["SKIPPED"])


_VERDICTS = ("PASSED", "FAILED", "SKIPPED")


def _all_without_tests(lines: Sequence[str]) -> bool:
    ends = [task[2] for line in lines if (task := _TASK.match(line)) and _TEST_TASK.match(task[1].rpartition(":")[2])]
    return bool(ends) and all(end == "NO-SOURCE" for end in ends)


def _outcomes(lines: Sequence[str]) -> Iterator[Outcome]:
    module = ""
    for index, line in enumerate(lines):
        if task := _TASK.match(line):
            module = _folder(task[1])
        elif found := _OUTCOME.match(line):
            parts = [part for part in found[1].split(" > ") if not _RUNNER.match(part)]
            name = name_of(parts[0], " > ".join(parts[1:]))
            yield Outcome(parts[0], name, found[2], (module,) if module else (), _body(lines, index + 1))


def _folder(task: str) -> str:
    return "/".join(task.split(":")[1:-1])


def _body(lines: Sequence[str], start: int) -> tuple[str, ...]:
    """Return the indented lines below, with the blank ones between them."""
    end = start
    while end < min(len(lines), start + _MAX_BODY) and (lines[end].startswith("    ") or not lines[end].strip()):
        end += 1
    return tuple(lines[start:end])
