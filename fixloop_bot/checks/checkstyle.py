"""Checkstyle: alone, in Gradle, in Maven, and the XML that other linters write in its form too."""

import re
from collections.abc import Iterator, Sequence

from fixloop_bot.checks import text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.checks.xml_report import read_xml
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier

_ALONE = re.compile(
    r"^(?:\[ant:checkstyle\] )?\[(ERROR|WARN|INFO)\] ([^\s:][^:\n]*\.\w+):(\d+)(?::(\d+))?: (\S.*) \[([\w$.-]+)\]$"
)
_FAULT = re.compile(r"^Caused by: [\w.]+: ([^\s:][^:\n]*\.\w+):(\d+)(?::(\d+))?: (\S.*)$")
"""A file that could not be parsed ends the run with a stack trace."""
_DONE = "</checkstyle>"


def parse(output: ToolOutput) -> Parsed:
    """Read the XML, as a report or amid the text, else the text."""
    for source in (output.report, *output.reports, _within(output.text)):
        structured = text.distinct(_from_xml(output, source))
        if structured:
            return Parsed(diagnostics=structured, tier=Tier.STRUCTURED)
    lines = text.lines(output.text)
    found = text.distinct(diagnostics(output, lines)) or text.distinct(_faults(output, lines))
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT)


def diagnostics(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield the violations among the lines of any output."""
    for line in lines:
        found = _ALONE.match(line)
        if found:
            yield Diagnostic(
                path=locate(output, found[2]),
                line=text.number(found[3]),
                column=text.number(found[4]),
                level=text.level(found[1]),
                rule_id=_short(found[6]),
                message=found[5][: text.MAX_MESSAGE],
                kind=DiagnosticKind.LINT_ERROR,
            )


def _faults(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    if not any(line.startswith("com.puppycrawl.tools.checkstyle.") for line in lines):
        return
    for line in lines:
        found = _FAULT.match(line)
        if found:
            yield Diagnostic(
                path=locate(output, found[1]),
                line=text.number(found[2]),
                column=text.number(found[3]),
                rule_id="syntax",
                message=found[4][: text.MAX_MESSAGE],
                kind=DiagnosticKind.SYNTAX_ERROR,
            )


def _within(shown: str) -> str | None:
    """Return the XML amid other lines, None if there is none."""
    start, end = shown.find("<checkstyle"), shown.rfind(_DONE)
    return shown[start : end + len(_DONE)] if 0 <= start < end else None


def _from_xml(output: ToolOutput, report: str | None) -> Iterator[Diagnostic]:
    root = read_xml(report, "<checkstyle")
    for file in root.findall("file") if root is not None else ():
        path = locate(output, file.get("name", ""))
        for error in file.findall("error"):
            yield Diagnostic(
                path=path,
                line=text.number(error.get("line")),
                column=text.number(error.get("column")),
                level=text.level(error.get("severity", "")),
                rule_id=_short(error.get("source", "")) or None,
                message=error.get("message", "")[: text.MAX_MESSAGE],
                kind=DiagnosticKind.LINT_ERROR,
            )


def _short(source: str) -> str:
    """Return `NeedBraces` for `com.puppycrawl.tools.checkstyle.checks.blocks.NeedBracesCheck`."""
    return source.rpartition(".")[2].removesuffix("Check")[:100]


TOOL = Tool(
    name="checkstyle",
    commands=(r"checkstyle\b", r"java\b.{1,2000}\bcheckstyle-[\w.-]{1,100}-all\.jar", r"java\b.{1,2000}puppycrawl"),
    parse=parse,
    config_files=("checkstyle*.xml", ".checkstyle", "*checkstyle.xml", "config/checkstyle/**"),
    ecosystem="java",
)
