"""`psalm`."""

import re
from collections.abc import Iterator

from fixloop_bot.checks import text
from fixloop_bot.checks.json_or_text import parse_json_or_text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind, Level

_ISSUE = re.compile(r"^(ERROR|INFO): ([A-Z]\w{2,80}) - (\S[^\n]*?):(\d{1,8}):(\d{1,8})(?: - (.*))?$")
_LINK = re.compile(r" \(see https?://[^\s()]{1,200}\)$")


def parse(output: ToolOutput) -> Parsed:
    """Read JSON where the person's command asks for it, else the console form."""
    return parse_json_or_text(output, _from_json, _from_text)


def _from_json(output: ToolOutput, report: object) -> Iterator[Diagnostic]:
    for item in text.objects(report):
        if "line_from" in item and "column_from" in item and "type" in item:
            yield _diagnostic(
                output,
                (text.string(item, "file_name"), text.integer(item, "line_from"), text.integer(item, "column_from")),
                text.string(item, "severity"),
                text.string(item, "type"),
                text.string(item, "message"),
            )


def _from_text(output: ToolOutput) -> Iterator[Diagnostic]:
    for line in text.lines(output.text):
        found = _ISSUE.match(line)
        if found:
            place = (found[3], text.number(found[4]), text.number(found[5]))
            yield _diagnostic(output, place, found[1], found[2], _LINK.sub("", found[6] or ""))


def _diagnostic(
    output: ToolOutput, place: tuple[str, int | None, int | None], severity: str, rule: str, message: str
) -> Diagnostic:
    path, line, column = place
    return Diagnostic(
        path=locate(output, path),
        line=line,
        column=column,
        level=Level.NOTE if severity.lower() == "info" else Level.ERROR,
        rule_id=rule,
        message=message[: text.MAX_MESSAGE],
        kind=DiagnosticKind.SYNTAX_ERROR if rule == "ParseError" else DiagnosticKind.TYPE_ERROR,
    )


TOOL = Tool(
    name="psalm",
    commands=(r"psalm(?:\.phar)?\b",),
    parse=parse,
    config_files=("psalm.xml", "psalm.xml.dist", "psalm-baseline.xml"),
    ecosystem="php",
)
