"""`pylint`."""

import re
from collections.abc import Iterator, Mapping

from fixloop_bot.checks import text
from fixloop_bot.checks.json_or_text import parse_json_or_text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind, Level

_ID = r"[FEWRCI]\d{4}"
_TEXT = re.compile(rf"^([^:\n]+):(\d+):(\d+): ({_ID}): (\S.*)$")
_PARSEABLE = re.compile(rf"^([^:\n]+):(\d+)(): \[({_ID})\([\w-]{{2,80}}\), [^\]\n]*\] (\S.*)$")
_MSVS = re.compile(rf"^([^:\n(]+)\((\d+)\)(): \[({_ID})\([\w-]{{2,80}}\)[^\]\n]*\] (\S.*)$")
_SYMBOL = re.compile(r" \([a-z][\w-]{1,80}\)$")
_WHERE = re.compile(r" \([^()\n]{1,200}, line \d{1,8}\)")
"""Where a syntax error is, said again within its message."""
_SYNTAX = "E0001"


def parse(output: ToolOutput) -> Parsed:
    """Read the text forms, or JSON (`json2`, or the older `json`) where the person's command asks for that."""
    return parse_json_or_text(output, _from_json, _from_text)


def _from_json(output: ToolOutput, report: object) -> Iterator[Diagnostic]:
    for item in (*text.objects(report, "messages"), *text.objects(report)):
        rule = text.string(item, "messageId") or text.string(item, "message-id")
        if rule and text.string(item, "path"):
            place = (text.string(item, "path"), text.integer(item, "line"), _column(item))
            yield _diagnostic(output, place, rule, text.string(item, "message")[: text.MAX_MESSAGE])


def _column(item: Mapping[str, object]) -> int | None:
    found = text.integer(item, "column")
    return None if found is None else found + 1


def _from_text(output: ToolOutput) -> Iterator[Diagnostic]:
    for line in text.lines(output.text):
        found = _TEXT.match(line) or _PARSEABLE.match(line) or _MSVS.match(line)
        if found:
            column = int(found[3]) + 1 if 0 < len(found[3]) < 9 and found[3].isascii() else None
            place = (found[1], text.number(found[2]), column)
            yield _diagnostic(output, place, found[4], _SYMBOL.sub("", found[5].rstrip()))


def _diagnostic(output: ToolOutput, place: tuple[str, int | None, int | None], rule: str, message: str) -> Diagnostic:
    path, line, column = place
    return Diagnostic(
        path=locate(output, path),
        line=line,
        column=column,
        # All but information sets a bit of pylint's exit code (its documentation, "Exit codes").
        level=Level.NOTE if rule.startswith("I") else Level.ERROR,
        rule_id=rule,
        message=_WHERE.sub("", message) if rule == _SYNTAX else message,
        kind=DiagnosticKind.SYNTAX_ERROR if rule == _SYNTAX else DiagnosticKind.LINT_ERROR,
    )


TOOL = Tool(
    name="pylint",
    commands=(r"pylint\b",),
    parse=parse,
    config_files=(".pylintrc", "pylintrc", ".pylintrc.toml", "pylintrc.toml", "pyproject.toml", "setup.cfg", "tox.ini"),
    ecosystem="python",
)
