"""`golangci-lint`, and `staticcheck`, which prints the same."""

import re
from collections.abc import Iterator

from fixloop_bot.checks import text
from fixloop_bot.checks.json_or_text import parse_json_or_text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind

_LINE = re.compile(r"^([^\s:][^:\n]*\.go):(\d+)(?::(\d+))?: (\S.*) \(([A-Za-z][\w-]{1,40})\)$")
_TYPECHECK = "typecheck"
"""The linter under whose name golangci-lint tells that the code does not compile."""


def parse(output: ToolOutput) -> Parsed:
    """Read the text, or JSON where the person's command asks for that."""
    return parse_json_or_text(output, _from_json, _from_text)


def _from_json(output: ToolOutput, report: object) -> Iterator[Diagnostic]:
    for issue in text.objects(report, "Issues"):
        position = text.child(issue, "Pos")
        if "FromLinter" in issue and position:
            yield Diagnostic(
                path=locate(output, text.string(position, "Filename")),
                line=text.integer(position, "Line"),
                column=text.integer(position, "Column") or None,
                level=text.level(text.string(issue, "Severity")),
                rule_id=text.string(issue, "FromLinter"),
                message=text.string(issue, "Text")[: text.MAX_MESSAGE],
                kind=_kind(text.string(issue, "FromLinter")),
            )


def _from_text(output: ToolOutput) -> Iterator[Diagnostic]:
    for line in text.lines(output.text):
        if found := _LINE.match(line):
            yield Diagnostic(
                path=locate(output, found[1]),
                line=text.number(found[2]),
                column=text.number(found[3]),
                rule_id=found[5],
                message=text.message([found[4]]),
                kind=_kind(found[5]),
            )


def _kind(linter: str) -> DiagnosticKind:
    return DiagnosticKind.BUILD_ERROR if linter == _TYPECHECK else DiagnosticKind.LINT_ERROR


TOOL = Tool(
    name="golangci-lint",
    commands=(r"golangci-lint\b", r"staticcheck\b"),
    parse=parse,
    config_files=(".golangci.y*ml", ".golangci.toml", ".golangci.json", "staticcheck.conf"),
    ecosystem="go",
)
