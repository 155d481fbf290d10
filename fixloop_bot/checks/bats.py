"""`bats`: TAP, its own layout, and JUnit XML."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fixloop_bot.checks import junit, text
from fixloop_bot.checks.junit import Case, Verdict
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier
from fixloop_bot.model.layer import TestReport

_TAP = re.compile(r"^(not )?ok \d{1,7} (.{1,1000}?)(?: in \d{1,9}ms)?( # (?:skip|SKIP|TODO)\b.*)?$")
_MARK = re.compile("[\u2713\u2717] ")
_TOOK = re.compile(r" \[\d{1,9}\]$")
_SUMMARY = re.compile(r"^(\d{1,7}) tests?, (\d{1,7}) failures?")
_PLACE = re.compile(r"([^,\n]{1,1024}), line (\d{1,8})")
_BROKEN = re.compile(r"^(/?[^:\n]{1,1024}\.(?:bats|bash|sh)): line (\d{1,8}): ")
_WHERE = re.compile(r"^\(?(?:from function|in test file| in test file)\b")
_MAX_SAID = 400


@dataclass(slots=True)
class _Test:
    """One test as printed, and the lines below it."""

    name: str
    verdict: Verdict
    said: list[str] = field(default_factory=list)


def parse(output: ToolOutput) -> Parsed:
    """Read a JUnit report if there is one (or on the output), else TAP or the pretty layout."""
    for report in (output.report, output.text):
        cases = junit.read_cases(report)
        if cases and _is_bats(cases):
            tests = [_Test(case.name, case.verdict, case.body.split("\n")) for case in cases]
            return _parsed(output, tests, Tier.STRUCTURED)
    tests = _tests(text.lines(output.text))
    none = not tests and output.text.startswith("1..0")
    return _parsed(output, tests, Tier.PARSED) if tests or none else Parsed()


def _is_bats(cases: Sequence[Case]) -> bool:
    return any(case.classname.endswith(".bats") for case in cases)


def _parsed(output: ToolOutput, tests: Sequence[_Test], tier: Tier) -> Parsed:
    failed = [test for test in tests if test.verdict in {Verdict.FAILED, Verdict.ERROR}]
    names = {verdict: tuple(test.name for test in tests if test.verdict is verdict) for verdict in Verdict}
    report = TestReport(
        len(failed) + len(names[Verdict.PASSED]),
        names[Verdict.PASSED],
        tuple(test.name for test in failed),
        names[Verdict.SKIPPED],
    )
    found = text.distinct(_diagnostic(output, test) for test in failed)
    return Parsed(diagnostics=found, tier=tier if found else Tier.TEXT, tests=report)


def _tests(lines: Sequence[str]) -> list[_Test]:
    """Return the tests of an output that only bats can have printed: something failed at a place as bats words it."""
    pretty = [line for line in lines if _SUMMARY.match(line)]
    found = list(_from_pretty(lines) if pretty else _from_tap(lines))
    failed = [test for test in found if test.verdict is Verdict.FAILED]
    telling = any(_place_of(test.said) for test in failed)
    plan = any(re.match(r"^1\.\.\d{1,7}$", line) for line in lines)
    whole = (plan or bool(pretty)) and not failed and not any(line.startswith("TAP version") for line in lines)
    return found if telling or whole else []


def _from_tap(lines: Sequence[str]) -> Iterator[_Test]:
    test: _Test | None = None
    for line in lines:
        if found := _TAP.match(line):
            if test:
                yield test
            verdict = Verdict.SKIPPED if found[3] else Verdict.FAILED if found[1] else Verdict.PASSED
            test = _Test(found[2], verdict)
        elif test and len(test.said) < _MAX_SAID:
            test.said += [line[2:]] if line.startswith("# ") else [line[4:]] if line.startswith("    ") else []
    if test:
        yield test


def _from_pretty(lines: Sequence[str]) -> Iterator[_Test]:
    test: _Test | None = None
    for line in lines:
        begun = _begun(line)
        if begun:
            if test:
                yield test
            test = begun
        elif test and line.startswith("   ") and len(test.said) < _MAX_SAID:
            test.said.append(line[3:])
    if test:
        yield test


def _begun(line: str) -> _Test | None:
    """Return the test that a line tells of: its mark stands behind a name that was overwritten on a terminal."""
    if line.startswith(("   (", "     ")):
        return None
    mark = _MARK.search(line)
    if mark:
        name = _TOOK.sub("", line[mark.end() :])
        return _Test(name, Verdict.PASSED if mark[0][0] == "\u2713" else Verdict.FAILED)
    before, skipped, _ = line.partition(" (skipped")
    name = before.partition("- ")[2]
    return _Test(name, Verdict.SKIPPED) if skipped and name else None


def _place_of(said: Sequence[str]) -> tuple[str, str] | None:
    """Return file and line of the test: the last place of the trace, which is the test's own."""
    named = (line.rpartition(" file ")[2] for line in said if " file " in line and ", line " in line)
    places = [(found[1], found[2]) for rest in named if (found := _PLACE.match(rest))]
    broken = [(found[1], found[2]) for line in said if (found := _BROKEN.match(line))]
    return next(reversed(places or broken), None)


def _diagnostic(output: ToolOutput, test: _Test) -> Diagnostic:
    place = _place_of(test.said)
    return Diagnostic(
        path=locate(output, place[0]) if place else None,
        line=text.number(place[1]) if place else None,
        message=text.message([line for line in test.said if not _WHERE.match(line)]),
        kind=DiagnosticKind.TEST_FAILURE,
        test_id=test.name,
    )


TOOL = Tool(
    name="bats",
    commands=(r"bats(?:\s|$)",),
    parse=parse,
    runs_tests=True,
)
