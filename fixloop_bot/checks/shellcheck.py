"""`shellcheck`: its own layout, `-f gcc`, and `-f json` or `json1`. Whatever it finds fails the check."""

import re
from collections.abc import Iterator

from fixloop_bot.checks import text
from fixloop_bot.checks.json_or_text import parse_json_or_text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind

_IN = re.compile(r"^In (\S[^\n]{0,1000}) line (\d{1,8}):$")
_FOUND = re.compile(r"^ {0,4000}\^(?:-{1,4000}\^?|) ?-{0,2} ?(SC\d{4}) \((\w{4,7})\): (.+)$")
_GCC = re.compile(r"^([^:\n]{1,1024}):(\d{1,8}):(\d{1,8}): (?:error|warning|note): (.+) \[(SC\d{4})\]$")


def parse(output: ToolOutput) -> Parsed:
    """Read the JSON where the person's command asks for it, else either text form."""
    return parse_json_or_text(output, _from_json, _from_text)


def _from_json(output: ToolOutput, report: object) -> Iterator[Diagnostic]:
    for item in text.objects(report, "comments"):
        code, file = text.integer(item, "code"), text.string(item, "file")
        if code is not None and file:
            place = (locate(output, file), text.integer(item, "line"), text.integer(item, "column"))
            yield _diagnostic(place, f"SC{code}", text.string(item, "message"))


def _from_text(output: ToolOutput) -> Iterator[Diagnostic]:
    path, line = None, None
    for row in text.lines(output.text):
        if head := _IN.match(row):
            path, line = locate(output, head[1]), text.number(head[2])
        elif path and "^" in row and (found := _FOUND.match(row)):
            yield _diagnostic((path, line, row.index("^") + 1), found[1], found[3])
        elif "[SC" in row and (found := _GCC.match(row)):
            place = (locate(output, found[1]), text.number(found[2]), text.number(found[3]))
            yield _diagnostic(place, found[5], found[4])


def _diagnostic(place: tuple[str | None, int | None, int | None], rule: str, message: str) -> Diagnostic:
    syntax = rule.startswith("SC1")
    return Diagnostic(
        path=place[0],
        line=place[1],
        column=place[2],
        rule_id=rule,
        message=message[: text.MAX_MESSAGE],
        kind=DiagnosticKind.SYNTAX_ERROR if syntax else DiagnosticKind.LINT_ERROR,
    )


TOOL = Tool(
    name="shellcheck",
    commands=(r"shellcheck(?:\s|$)",),
    parse=parse,
    config_files=(".shellcheckrc", "shellcheckrc"),
)
