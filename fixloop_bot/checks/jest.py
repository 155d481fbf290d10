"""`jest`."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from fixloop_bot.checks import stack, text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier
from fixloop_bot.model.layer import TestReport

_SUITE = re.compile(r"^(FAIL|PASS)\s+(?:\S+\s+)?(\S+\.\w+)(?: \(.*\))?$")
_TITLE = re.compile(r"^ {2}\u25cf (\S[^\n]*)$")
_TOTALS = re.compile(r"^Tests:\s+(\S[^\n]*)$")
_COUNT = re.compile(r"(\d{1,9}) (failed|passed|skipped|todo|total)\b")
_CODE_FRAME = re.compile(r"^\s{0,20}>?\s{0,20}\d{0,8} \|")
_MARK = re.compile(r"^\s+([\u2713\u2714\u221a]|[\u2715\u2717\u00d7]|[\u25cb\u270e]) (.*?)(?: \(\d[\d.]* m?s\))?$")
_NO_TESTS = re.compile(r"^No tests found, exiting with code", re.MULTILINE)
_RUN_FAILED = "Test suite failed to run"
_NOT_TESTS = ("Console", "Deprecation Warning", "Validation Warning")
JOINT = " \u203a "


def parse(output: ToolOutput) -> Parsed:
    """Read the JSON report, else the text."""
    for source in (output.report, output.text):
        report = text.load_json(source)
        if isinstance(report, dict) and isinstance(report.get("testResults"), list):
            found = text.distinct(_from_json(output, report))
            return Parsed(diagnostics=found, tier=Tier.STRUCTURED, tests=_tests_from_json(report))
    lines = text.lines(output.text)
    found = text.distinct(_from_text(output, lines))
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT, tests=_tests(lines, found))


def _from_json(output: ToolOutput, report: Mapping[str, object]) -> Iterator[Diagnostic]:
    for suite in text.objects(report, "testResults"):
        path = locate(output, text.string(suite, "name"))
        failed = [case for case in text.objects(suite, "assertionResults") if case.get("status") == "failed"]
        for case in failed:
            thrown = case.get("failureMessages")
            message = "\n".join(part for part in thrown if isinstance(part, str)) if isinstance(thrown, list) else ""
            yield _diagnostic(output, path, _name(case), text.uncoloured(message))
        if not failed and text.string(suite, "status") == "failed":
            said = text.uncoloured(text.string(suite, "message")).split("\n", text.MAX_LINES)
            yield replace(_diagnostic(output, path, _RUN_FAILED, "\n".join(said)), message=_message(said[1:]))


def _diagnostic(output: ToolOutput, path: str | None, test_id: str, thrown: str) -> Diagnostic:
    line, column = stack.line_in(stack.places(output, thrown.split("\n", text.MAX_LINES)), path)
    return Diagnostic(
        path=path,
        line=line,
        column=column,
        message=stack.before_stack(thrown),
        kind=DiagnosticKind.TEST_FAILURE,
        test_id=test_id,
    )


def _name(case: Mapping[str, object]) -> str:
    parents = case.get("ancestorTitles")
    titles = [part for part in parents if isinstance(part, str)] if isinstance(parents, list) else []
    return JOINT.join([*titles, text.string(case, "title")])


def _tests_from_json(report: Mapping[str, object]) -> TestReport:
    names: dict[str, list[str]] = {}
    for suite in text.objects(report, "testResults"):
        for case in text.objects(suite, "assertionResults"):
            names.setdefault(text.string(case, "status"), []).append(_name(case))
    passed, failed = tuple(names.get("passed", ())), tuple(names.get("failed", ()))
    skipped = tuple(name for status in ("pending", "skipped", "todo", "disabled") for name in names.get(status, ()))
    return TestReport(len(passed) + len(failed), passed, failed, skipped)


def _from_text(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    path, failing = None, False
    for index, line in enumerate(lines):
        if suite := _SUITE.match(line):
            path, failing = locate(output, suite[2]), suite[1] == "FAIL"
        elif failing and (title := _TITLE.match(line)) and not title[1].startswith(_NOT_TESTS):
            block = _block(lines, index + 1)
            place = stack.line_in(stack.places(output, block), path)
            yield Diagnostic(
                path=path,
                line=place[0],
                column=place[1],
                message=_message(block),
                kind=DiagnosticKind.TEST_FAILURE,
                test_id=title[1].rstrip(),
            )


def _block(lines: Sequence[str], start: int) -> Sequence[str]:
    """Return the indented lines below a title, up to the next title or suite."""
    end = start
    while end < len(lines) and (not lines[end].strip() or lines[end].startswith("   ")):
        end += 1
    return lines[start:end]


def _message(block: Sequence[str]) -> str:
    """Return what was thrown, up to the code frame or the stack."""
    end = next((n for n, line in enumerate(block) if _CODE_FRAME.match(line) or stack.is_frame(line)), len(block))
    return text.message([line.removeprefix("    ") for line in block[:end]])


def _tests(lines: Sequence[str], diagnostics: Sequence[Diagnostic]) -> TestReport | None:
    totals = next((found[1] for line in reversed(lines) if (found := _TOTALS.match(line))), None)
    if totals is None or not totals.endswith(" total"):
        return TestReport(0) if any(_NO_TESTS.match(line) for line in lines) else None
    counts = {found[2]: int(found[1]) for found in _COUNT.finditer(totals)}
    marks = [found for line in lines if (found := _MARK.match(line))]
    return TestReport(
        counts.get("passed", 0) + counts.get("failed", 0),
        tuple(found[2] for found in marks if found[1] in "\u2713\u2714\u221a"),
        tuple(dict.fromkeys(item.test_id for item in diagnostics if item.test_id and item.test_id != _RUN_FAILED)),
        tuple(found[2].removeprefix("skipped ") for found in marks if found[1] in "\u25cb\u270e"),
    )


def report_argv(argv: tuple[str, ...], path: str) -> tuple[str, ...]:
    """Ask for the JSON report; the text stays as it is."""
    return (*argv, "--json", f"--outputFile={path}")


TOOL = Tool(
    name="jest",
    commands=(r"jest\b", r"react-scripts\s+test\b"),
    parse=parse,
    report_suffix=".json",
    report_argv=report_argv,
    config_files=("jest.config.*", "jest.setup.*", "package.json"),
    runs_tests=True,
    ecosystem="node",
)
