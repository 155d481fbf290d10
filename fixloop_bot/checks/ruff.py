"""`ruff check` and `ruff format --check`."""

import re
from collections.abc import Iterator

from fixloop_bot.checks import text
from fixloop_bot.checks.json_or_text import parse_json_or_text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind

_ARROW = re.compile(r"^\s*--> ([^\n]+):(\d+):(\d+)$")
_RULE = re.compile(r"^([A-Z]{1,8}\d{2,5}|[a-z][a-z-]{2,40})(?::| ) ?(?:\[\*\] )?(.+)$")
_CONCISE = re.compile(
    r"^([^:\n]+\.(?:pyi?|ipynb|toml|md)):(\d+):(\d+): "
    r"(?!(?:error|warning|note|info)\b)([A-Z]{1,8}\d{2,5}|[a-z-]{3,40}|SyntaxError)(?::| ) ?(?:\[\*\] )?(.+)$"
)
_WOULD_REFORMAT = re.compile(r"^Would reformat: (.+)$")
_PARSE_FAILURE = re.compile(r"^error: Failed to (?:parse|format) ([^:\n]+):(?:(\d+):(\d+):)? ?(.*)$")
_FORMAT = "format"
"""Rule of what `ruff format --check` finds; newer versions call it `unformatted`, older ones give it no name."""


def parse(output: ToolOutput) -> Parsed:
    """Read the text (full and concise forms), or JSON where the person's command asks ruff for that."""
    return parse_json_or_text(output, _from_json, _from_text)


def _from_json(output: ToolOutput, report: object) -> Iterator[Diagnostic]:
    for item in text.objects(report):
        location = text.child(item, "location")
        if not location or "filename" not in item:
            continue
        rule = text.string(item, "code") or "invalid-syntax"
        yield Diagnostic(
            path=locate(output, text.string(item, "filename")),
            line=text.integer(location, "row"),
            column=text.integer(location, "column"),
            rule_id=rule,
            message=text.string(item, "message")[: text.MAX_MESSAGE],
            kind=_kind(rule),
        )


def _from_text(output: ToolOutput) -> Iterator[Diagnostic]:
    previous = ""
    for line in text.lines(output.text):
        if (arrow := _ARROW.match(line)) and (rule := _RULE.match(previous)):
            yield _diagnostic(output, (arrow[1], arrow[2], arrow[3]), rule[1], rule[2])
        elif found := _CONCISE.match(line):
            yield _diagnostic(output, (found[1], found[2], found[3]), found[4], found[5])
        elif found := _PARSE_FAILURE.match(line):
            yield _diagnostic(output, (found[1], found[2], found[3]), "invalid-syntax", found[4])
        elif found := _WOULD_REFORMAT.match(line):
            yield _diagnostic(output, (found[1], None, None), _FORMAT, "would be reformatted")
        previous = line


def _diagnostic(output: ToolOutput, place: tuple[str, str | None, str | None], rule: str, message: str) -> Diagnostic:
    path, line, column = place
    return Diagnostic(
        path=locate(output, path),
        line=text.number(line),
        column=text.number(column),
        rule_id=_FORMAT if rule == "unformatted" else rule,
        message=message,
        kind=_kind(rule),
    )


def _kind(rule: str) -> DiagnosticKind:
    syntax = rule in {"invalid-syntax", "SyntaxError", "E999"}
    return DiagnosticKind.SYNTAX_ERROR if syntax else DiagnosticKind.LINT_ERROR


TOOL = Tool(
    name="ruff",
    commands=(r"ruff\b",),
    parse=parse,
    config_files=("ruff.toml", ".ruff.toml", "pyproject.toml"),
    ecosystem="python",
)
