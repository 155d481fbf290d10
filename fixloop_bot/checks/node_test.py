"""`node --test`."""

import re
from collections.abc import Iterator, Sequence

from fixloop_bot.checks import junit, node_tap, stack, text
from fixloop_bot.checks.junit import Case, Verdict
from fixloop_bot.checks.node_tap import JOINT, Result
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier
from fixloop_bot.model.layer import TestReport

_COUNT = re.compile(r"^(?:#|\u2139) (tests|pass|fail|cancelled|skipped|todo) (\d{1,9})$")
_CAUSE = re.compile(r"^ {2}cause: (.*)$")


def parse(output: ToolOutput) -> Parsed:
    """Read the JUnit report, else TAP (the default without a terminal up to Node 22) or the `spec` form."""
    cases = junit.read_cases(output.report)
    lines = text.lines(output.text)
    if cases is not None:
        found = text.distinct(_from_cases(output, cases, lines))
        return Parsed(diagnostics=found, tier=Tier.STRUCTURED, tests=_tests_from_cases(cases))
    results = list(node_tap.read_tap(lines)) or list(node_tap.read_spec(lines))
    tests = _tests(lines, results)
    found = text.distinct(_from_results(output, results)) if tests else ()
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT, tests=tests)


def _from_cases(output: ToolOutput, cases: Sequence[Case], lines: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield the failed cases; where the report names no file, the text or the outermost frame does."""
    told = {result.name: result for result in node_tap.read_tap(lines) if not result.ok}
    for case in cases:
        if case.verdict not in {Verdict.FAILED, Verdict.ERROR}:
            continue
        places = stack.places(output, case.body.split("\n", text.MAX_LINES))
        printed = case.file or (told[_name(case)].path if _name(case) in told else "")
        path = locate(output, printed) or (places[-1][0] if places else None)
        line, column = stack.line_in(places, path)
        yield Diagnostic(
            path=path,
            line=line,
            column=column,
            message=_cause(case),
            kind=DiagnosticKind.TEST_FAILURE,
            test_id=_test_id(output, _name(case)),
        )


def _name(case: Case) -> str:
    return JOINT.join(part for part in (case.suite, case.name) if part)


def _cause(case: Case) -> str:
    """Return what was thrown: the report wraps it, and its `message` attribute has lost the line ends."""
    lines = case.body.split("\n", text.MAX_LINES)
    start = next((n for n, line in enumerate(lines) if _CAUSE.match(line)), None)
    if start is None:
        return case.message[: text.MAX_MESSAGE]
    first = _CAUSE.match(lines[start])
    thrown = [first[1] if first else "", *(line.strip() for line in lines[start + 1 :])]
    return stack.before_stack("\n".join(thrown))


def _tests_from_cases(cases: Sequence[Case]) -> TestReport:
    passed = tuple(_name(case) for case in cases if case.verdict is Verdict.PASSED)
    failed = tuple(_name(case) for case in cases if case.verdict in {Verdict.FAILED, Verdict.ERROR})
    skipped = tuple(_name(case) for case in cases if case.verdict is Verdict.SKIPPED)
    return TestReport(len(passed) + len(failed), passed, failed, skipped)


def _from_results(output: ToolOutput, results: Sequence[Result]) -> Iterator[Diagnostic]:
    for result in results:
        if not result.ok and not result.suite and not result.skipped:
            yield Diagnostic(
                path=locate(output, result.path or result.name),
                line=text.number(result.line),
                column=text.number(result.column),
                message=text.message(result.detail),
                kind=DiagnosticKind.TEST_FAILURE,
                test_id=_test_id(output, result.name),
            )


def _test_id(output: ToolOutput, name: str) -> str:
    """Return the name; a file that could not be loaded is named by its absolute path, which goes."""
    return (locate(output, name) or name) if name.startswith("/") else name


def _tests(lines: Sequence[str], results: Sequence[Result]) -> TestReport | None:
    counts = {found[1]: int(found[2]) for line in lines[-40_000:] if (found := _COUNT.match(line))}
    if "tests" not in counts or "pass" not in counts:
        return None
    leaves = [result for result in results if not result.suite]
    return TestReport(
        counts["pass"] + counts.get("fail", 0) + counts.get("cancelled", 0),
        tuple(result.name for result in leaves if result.ok and not result.skipped),
        tuple(result.name for result in leaves if not result.ok and not result.skipped),
        tuple(result.name for result in leaves if result.skipped),
    )


def report_argv(argv: tuple[str, ...], path: str) -> tuple[str, ...]:
    """Ask for JUnit XML beside the text.

    `NODE_OPTIONS` could carry the same, but node refuses it together with a reporter that the person's command
    names, and every nested `node` would truncate the file: so only commands that fixloop composed are asked.
    """
    first, *rest = argv
    reporters = ("--test-reporter=spec", "--test-reporter-destination=stdout")
    report = ("--test-reporter=junit", f"--test-reporter-destination={path}")
    return (first, *reporters, *report, *rest)


TOOL = Tool(
    name="node-test",
    commands=(r"node\b.{0,200}?\s--test(?![\w-])",),
    parse=parse,
    report_suffix=".xml",
    report_argv=report_argv,
    runs_tests=True,
    ecosystem="node",
)
