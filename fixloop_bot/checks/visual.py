"""The visual layer's own check: `fixloop visual`."""

import re
from collections.abc import Iterator

from fixloop_bot.checks import text
from fixloop_bot.checks.paths import in_repository
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind, Level
from fixloop_bot.model.fingerprint import Tier
from fixloop_bot.model.layer import TestReport
from fixloop_bot.model.visual import COMMAND, HEADER, SCHEMA, PageStatus
from fixloop_bot.model.visual import TOOL as NAME

_FAILED = re.compile(r"^(FAIL|NONE) ([^:\n]{1,500}): (.+)$")
MAX_LOADED = 50


def parse(output: ToolOutput) -> Parsed:
    """Read the report, else the text."""
    report = text.load_json(output.report)
    if isinstance(report, dict) and report.get("schema") == SCHEMA:
        return _from_report(output, report)
    found = text.distinct(_from_text(output))
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT)


def _from_report(output: ToolOutput, report: dict[str, object]) -> Parsed:
    pages = list(text.objects(report, "pages"))
    failures = [item for page in pages for item in _of_page(output, page)]
    by_status = {
        status: tuple(text.string(page, "name")[: text.MAX_NAME] for page in pages if page.get("status") == status)
        for status in PageStatus
    }
    failed = by_status[PageStatus.DIFFERS] + by_status[PageStatus.UNRENDERED]
    passed = by_status[PageStatus.SAME] + by_status[PageStatus.RECORDED]
    return Parsed(
        diagnostics=text.distinct(iter(failures)),
        tier=Tier.STRUCTURED,
        tests=TestReport(
            executed=len(passed) + len(failed),
            passed=passed,
            failed=failed,
            skipped=by_status[PageStatus.NO_BASELINE],
        ),
    )


def _of_page(output: ToolOutput, page: dict[str, object] | object) -> Iterator[Diagnostic]:
    if not isinstance(page, dict):
        return
    name, status = text.string(page, "name"), text.string(page, "status")
    if status not in (PageStatus.DIFFERS, PageStatus.UNRENDERED, PageStatus.NO_BASELINE):
        return
    path = in_repository(output, text.string(page, "path"))
    yield _failure(path, name, text.string(page, "message"), missing=status == PageStatus.NO_BASELINE)
    loaded = page.get("loaded")
    for file in loaded[:MAX_LOADED] if isinstance(loaded, list) and status == PageStatus.DIFFERS else ():
        if isinstance(file, str) and (part := in_repository(output, file)) and part != path:
            yield Diagnostic(
                path=part, level=Level.NOTE, message=f"{name} is made of it"[:500], kind=DiagnosticKind.TEST_FAILURE
            )


def _from_text(output: ToolOutput) -> Iterator[Diagnostic]:
    lines = text.lines(output.text)
    if not any(line.startswith(HEADER) for line in lines[:20]):
        return
    for line in lines:
        if found := _FAILED.match(line):
            path = in_repository(output, re.split(r"[?#]", found[2])[0])
            yield _failure(path, found[2], found[3], missing=found[1] == "NONE")


def _failure(path: str | None, name: str, message: str, *, missing: bool) -> Diagnostic:
    """Return the diagnostic of a page. A missing baseline is no fault of the code: only a person makes one."""
    return Diagnostic(
        path=path,
        rule_id=name,
        message=message[: text.MAX_MESSAGE],
        kind=DiagnosticKind.ENVIRONMENT if missing else DiagnosticKind.TEST_FAILURE,
        test_id=None if missing else name,
    )


def _with_report(argv: tuple[str, ...], path: str) -> tuple[str, ...]:
    return (*argv[: len(COMMAND)], "--report", path, *argv[len(COMMAND) :])


TOOL = Tool(
    name=NAME,
    commands=(r"fixloop visual\b",),
    parse=parse,
    report_suffix=".json",
    report_argv=_with_report,
    keeps_pictures=True,
    runs_tests=True,
)
