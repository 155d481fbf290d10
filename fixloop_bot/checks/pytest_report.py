"""What pytest writes into JUnit XML."""

import re
import textwrap
from collections.abc import Iterator, Sequence

from fixloop_bot.checks import text
from fixloop_bot.checks.junit import Case, Verdict
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.layer import TestReport

COLLECTION = "collection failure"
_PLACE = re.compile(r"^([^\s:][^:\n]*):(\d+): ", re.MULTILINE)


def diagnostics(output: ToolOutput, cases: Sequence[Case]) -> Iterator[Diagnostic]:
    """Yield a diagnostic per failed case; for collection errors, whose message says nothing, from the `E` lines."""
    for case in cases:
        if case.verdict not in {Verdict.FAILED, Verdict.ERROR}:
            continue
        test_id = node_id(output, case)
        path = locate(output, test_id.partition("::")[0])
        yield Diagnostic(
            path=path,
            line=_line(output, case, path),
            message=error_lines(case.body.split("\n", text.MAX_LINES)) or case.message[: text.MAX_MESSAGE],
            kind=_kind(case),
            test_id=test_id,
        )


def error_lines(body: Sequence[str]) -> str:
    """Return the lines that pytest marks with `E`, without the mark and the indentation that they share."""
    marked = [line[1:] for line in body if line[:2] == "E " or line == "E"][: text.MAX_MESSAGE_LINES]
    return text.message(textwrap.dedent("\n".join(marked)).split("\n"))


def tests(output: ToolOutput, cases: Sequence[Case]) -> TestReport:
    """Return which tests ran; a module that could not be collected is no test."""
    ran = [(case.verdict, node_id(output, case)) for case in cases if case.message != COLLECTION]
    passed = tuple(name for verdict, name in ran if verdict is Verdict.PASSED)
    failed = tuple(name for verdict, name in ran if verdict in {Verdict.FAILED, Verdict.ERROR})
    skipped = tuple(name for verdict, name in ran if verdict is Verdict.SKIPPED)
    return TestReport(len(passed) + len(failed), passed, failed, skipped)


def node_id(output: ToolOutput, case: Case) -> str:
    """Return pytest's own name of the test, `path::Class::name`, from what JUnit keeps of it."""
    if not case.classname:
        return case.file or case.name.replace(".", "/") + ".py"
    module = case.file.removesuffix(".py").replace("/", ".")
    if case.file and (case.classname + ".").startswith(module + "."):
        classes = case.classname[len(module) + 1 :]
        return "::".join(filter(None, (case.file, *classes.split("."), case.name)))
    return _guessed_id(output, case)


def _guessed_id(output: ToolOutput, case: Case) -> str:
    """Without a file attribute, find where the module ends: the longest start that is a file, else by case."""
    parts = case.classname.split(".")[:50]
    by_case = next((n for n, part in enumerate(parts) if n and part[:1].isupper()), len(parts))
    for count in (by_case, *range(len(parts), 0, -1)):
        path = "/".join(parts[:count]) + ".py"
        located = locate(output, path)
        if located is not None and output.exists(located):
            return "::".join((path, *parts[count:], case.name))
    return "::".join(("/".join(parts[:by_case]) + ".py", *parts[by_case:], case.name))


def _line(output: ToolOutput, case: Case, path: str | None) -> int | None:
    """Return the line in the test's own file that the traceback names first, else where the test begins."""
    for place in _PLACE.finditer(case.body[:200_000]):
        if locate(output, place[1]) == path:
            return text.number(place[2])
    begins = text.number(case.line)
    return begins + 1 if begins is not None else None


def _kind(case: Case) -> DiagnosticKind:
    syntax = case.message == COLLECTION and "\nE   SyntaxError" in case.body
    return DiagnosticKind.SYNTAX_ERROR if syntax else DiagnosticKind.TEST_FAILURE
