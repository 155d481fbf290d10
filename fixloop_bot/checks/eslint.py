"""`eslint`, and what prints as it does (`xo`, `standard` with its default formatter)."""

import re
from collections.abc import Iterator, Mapping

from fixloop_bot.checks import text
from fixloop_bot.checks.json_or_text import parse_json_or_text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind, Level

_FILE = re.compile(r"^(?:[A-Za-z]:\\|/|\./|\w)[^\n]*\.\w{1,10}$")
_FINDING = re.compile(r"^\s{1,12}(\d+):(\d+)\s{1,20}(error|warning)\s{1,20}(\S.*)$")


def parse(output: ToolOutput) -> Parsed:
    """Read the default text form, or JSON where the person's command asks for that."""
    return parse_json_or_text(output, _from_json, _from_text)


def _from_json(output: ToolOutput, report: object) -> Iterator[Diagnostic]:
    for file in text.objects(report):
        path = text.string(file, "filePath")
        if path:
            yield from (_from_message(output, path, item) for item in text.objects(file, "messages"))


def _from_message(output: ToolOutput, path: str, item: Mapping[str, object]) -> Diagnostic:
    rule = text.string(item, "ruleId") or None
    return Diagnostic(
        path=locate(output, path),
        line=text.integer(item, "line"),
        column=text.integer(item, "column"),
        level=Level.ERROR if item.get("severity") == 2 else Level.WARNING,
        rule_id=rule,
        message=text.string(item, "message")[: text.MAX_MESSAGE],
        kind=_kind(rule),
    )


def _from_text(output: ToolOutput) -> Iterator[Diagnostic]:
    path = ""
    for line in text.lines(output.text):
        found = _FINDING.match(line)
        if found and path:
            message, rule = _split_rule(found[4].rstrip())
            yield Diagnostic(
                path=locate(output, path),
                line=text.number(found[1]),
                column=text.number(found[2]),
                level=text.level(found[3]),
                rule_id=rule,
                message=message,
                kind=_kind(rule),
            )
        elif _FILE.match(line):
            path = line


def _split_rule(message: str) -> tuple[str, str | None]:
    """Part message and rule, which two or more blanks hold apart; a parse error has no rule."""
    before, gap, rule = message.rpartition("  ")
    if not gap or not rule.strip() or " " in rule.strip():
        return message, None
    return before.rstrip(), rule.strip()


def _kind(rule: str | None) -> DiagnosticKind:
    return DiagnosticKind.LINT_ERROR if rule else DiagnosticKind.SYNTAX_ERROR


TOOL = Tool(
    name="eslint",
    commands=(r"(?:eslint|xo)\b",),
    parse=parse,
    config_files=("eslint.config.*", ".eslintrc", ".eslintrc.*", ".eslintignore"),
    ecosystem="node",
)
