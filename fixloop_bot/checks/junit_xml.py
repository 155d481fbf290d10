"""JUnit XML of whatever test runner: a report, or an output that is one."""

import re
from collections.abc import Iterator, Sequence

from fixloop_bot.checks import places, text
from fixloop_bot.checks.junit import Case, Verdict, read_cases
from fixloop_bot.checks.paths import in_repository, locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier
from fixloop_bot.model.layer import TestReport

_FAILED = frozenset({Verdict.FAILED, Verdict.ERROR})
_ENDS = (".py", ".java", ".kt", ".scala", ".groovy", ".cs", ".js", ".ts", ".rb", ".php", ".swift", ".go")
_BASES = ("", "src/test/java/", "src/test/kotlin/", "test/", "tests/", "src/", "spec/")
"""Where the class or module of a test may lie."""
_TELLING = re.compile(r"['\"`\d]|[=<>!]=|\w[./]\w")
_FRAME = re.compile(r"^\s*(?:at \S|File \"|Traceback \(|[\^~]+\s*$|from \S+:\d)")
_MAX_BODY = 400
"""Lines."""
_MAX_LOCATED = 2_000
"""Failing cases whose file is looked for by their class's name."""


def parse(output: ToolOutput) -> Parsed:
    """Read every report that is JUnit XML, else the output itself."""
    sources = [source for source in (output.report, *output.reports) if source] or [_within(output.text)]
    cases = [case for source in sources for case in read_cases(source) or ()]
    if not cases:
        return Parsed()
    return Parsed(diagnostics=text.distinct(_failures(output, cases)), tier=Tier.STRUCTURED, tests=_tests(cases))


def _within(shown: str) -> str:
    """Return the XML amid other lines, empty if there is none."""
    starts = [at for mark in ("<testsuites", "<testsuite") if (at := shown.find(mark)) >= 0]
    if not starts:
        return ""
    end = max(shown.rfind(mark) + len(mark) for mark in ("</testsuites>", "</testsuite>"))
    return shown[min(starts) : end]


def _failures(output: ToolOutput, cases: Sequence[Case]) -> Iterator[Diagnostic]:
    failed = [case for case in cases if case.verdict in _FAILED]
    for number, case in enumerate(failed):
        lines = case.body.split("\n", text.MAX_LINES)
        hit = next(places.places(output, lines), None)
        path = locate(output, case.file) if case.file else None
        path = path or (hit.path if hit else None) or (_by_class(output, case) if number < _MAX_LOCATED else None)
        told_here = hit.line if hit and hit.path == path else None
        yield Diagnostic(
            path=path,
            line=text.number(case.line) or told_here,
            message=_message(case, lines),
            kind=DiagnosticKind.TEST_FAILURE,
            test_id=name(case),
        )


def _message(case: Case, body: Sequence[str]) -> str:
    """Return what the message attribute tells; where that would fit any failure, with the body but its frames."""
    if _TELLING.search(case.message):
        return case.message[: text.MAX_MESSAGE]
    told = [line for line in body[:_MAX_BODY] if line.strip() and not _FRAME.match(line)]
    return text.message([case.message, *told] if case.message else told)


def _by_class(output: ToolOutput, case: Case) -> str | None:
    """Return the file that the class's or module's name leads to, if there is one."""
    dotted = case.classname[:300].partition("$")[0].replace("\\", ".")
    if not dotted or " " in dotted:
        return None
    bare = dotted.replace("::", ".").replace(".", "/")
    candidates = (f"{base}{bare}{end}" for base in _BASES for end in _ENDS)
    return next((path for candidate in candidates if (path := in_repository(output, candidate))), None)


def name(case: Case) -> str:
    """Return the test's name: its class and its own."""
    return " ".join(part for part in (case.classname, case.name) if part)


def _tests(cases: Sequence[Case]) -> TestReport:
    passed = tuple(name(case) for case in cases if case.verdict is Verdict.PASSED)
    failed = tuple(name(case) for case in cases if case.verdict in _FAILED)
    skipped = tuple(name(case) for case in cases if case.verdict is Verdict.SKIPPED)
    return TestReport(len(passed) + len(failed), passed, failed, skipped)


TOOL = Tool(name="junit-xml", commands=(), parse=parse)
