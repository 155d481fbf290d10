"""`mocha`."""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence

from fixloop_bot.checks import stack, text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier
from fixloop_bot.model.layer import TestReport

_TOTALS = re.compile(r"^ {2}(\d{1,9}) (passing|failing|pending)\b")
_NUMBERED = re.compile(r"^ {2}(\d{1,6})\) (\S[^\n]*)$")
_NO_TESTS = re.compile(r"^Error: No test files found", re.MULTILINE)
_MAX_TITLE_LINES = 12


def parse(output: ToolOutput) -> Parsed:
    """Read the JSON report, else the text of the `spec` and `dot` reporters."""
    for source in (output.report, output.text):
        report = text.load_json(source)
        if isinstance(report, dict) and isinstance(report.get("failures"), list) and "stats" in report:
            found = text.distinct(_from_json(output, report))
            return Parsed(diagnostics=found, tier=Tier.STRUCTURED, tests=_tests_from_json(report))
    lines = text.lines(output.text)
    found = text.distinct(_from_text(output, lines))
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT, tests=_tests(lines, found))


def _from_json(output: ToolOutput, report: Mapping[str, object]) -> Iterator[Diagnostic]:
    for case in text.objects(report, "failures"):
        error = text.child(case, "err")
        thrown = text.string(error, "stack") or text.string(error, "message")
        places = stack.places(output, thrown.split("\n", text.MAX_LINES))
        path = locate(output, text.string(case, "file")) or (places[-1][0] if places else None)
        yield _diagnostic(path, places, text.string(case, "fullTitle"), stack.before_stack(thrown))


def _diagnostic(path: str | None, places: Sequence[stack.Place], test_id: str, message: str) -> Diagnostic:
    line, column = stack.line_in(places, path)
    kind = DiagnosticKind.TEST_FAILURE
    return Diagnostic(path=path, line=line, column=column, message=message, kind=kind, test_id=test_id)


def _tests_from_json(report: Mapping[str, object]) -> TestReport:
    passed = tuple(text.string(case, "fullTitle") for case in text.objects(report, "passes"))
    failed = tuple(text.string(case, "fullTitle") for case in text.objects(report, "failures"))
    pending = tuple(text.string(case, "fullTitle") for case in text.objects(report, "pending"))
    return TestReport(len(passed) + len(failed), passed, failed, pending)


def _from_text(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    start = next((n for n, line in enumerate(lines) if (m := _TOTALS.match(line)) and m[2] == "failing"), len(lines))
    heads = [n for n in range(start, len(lines)) if _NUMBERED.match(lines[n])]
    for head, end in itertools.pairwise([*heads, len(lines)]):
        test_id, body = _title(lines[head:end])
        places = stack.places(output, body)
        path = places[-1][0] if places else None
        stop = next((n for n, line in enumerate(body) if stack.is_frame(line)), len(body))
        yield _diagnostic(path, places, test_id, text.message([line.strip() for line in body[:stop]]))


def _title(block: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Part the titles of suites and test, the last of which ends with a colon, from what was thrown."""
    numbered = _NUMBERED.match(block[0])
    titles = [numbered[2] if numbered else block[0].strip()]
    for index, line in enumerate(block[1 : _MAX_TITLE_LINES + 1], start=1):
        if titles[-1].endswith(":"):
            return " ".join(titles)[:-1], block[index:]
        if line.strip():
            titles.append(line.strip())
    return titles[0].removesuffix(":"), block[1:]


def _tests(lines: Sequence[str], diagnostics: Sequence[Diagnostic]) -> TestReport | None:
    counts = {found[2]: int(found[1]) for line in lines if (found := _TOTALS.match(line))}
    if "passing" not in counts:
        return TestReport(0) if any(_NO_TESTS.match(line) for line in lines) else None
    failed = tuple(dict.fromkeys(item.test_id for item in diagnostics if item.test_id))
    return TestReport(counts["passing"] + counts.get("failing", 0), failed=failed)


TOOL = Tool(
    name="mocha",
    commands=(r"_?mocha\b",),
    parse=parse,
    config_files=(".mocharc.*", "package.json"),
    runs_tests=True,
    ecosystem="node",
)
