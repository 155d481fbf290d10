"""`pyright` and `basedpyright`."""

import re
from collections.abc import Iterator, Mapping

from fixloop_bot.checks import text
from fixloop_bot.checks.json_or_text import parse_json_or_text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind

_LINE = re.compile(r"^ {2}(\S[^\n]*?):(\d+):(\d+) - (error|warning|information|hint): (.+)$")
_NO_BREAK_SPACE = "\u00a0"
"""What pyright indents the lines of a message with."""
_RULE = re.compile(r" ?\((report[A-Za-z]+)\)$")


def parse(output: ToolOutput) -> Parsed:
    """Read the text, or `--outputjson` where the person's command asks for that."""
    return parse_json_or_text(output, _from_json, _from_text)


def _from_json(output: ToolOutput, report: object) -> Iterator[Diagnostic]:
    for item in text.objects(report, "generalDiagnostics"):
        start = text.child(text.child(item, "range"), "start")
        rule = text.string(item, "rule") or None
        yield Diagnostic(
            path=locate(output, text.string(item, "file")),
            line=_one_based(start, "line"),
            column=_one_based(start, "character"),
            level=text.level(text.string(item, "severity")),
            rule_id=rule,
            message=text.message(text.string(item, "message").split("\n")),
            kind=_kind(rule),
        )


def _one_based(start: Mapping[str, object], key: str) -> int | None:
    found = text.integer(start, key)
    return None if found is None else found + 1


def _from_text(output: ToolOutput) -> Iterator[Diagnostic]:
    lines = text.lines(output.text.replace(_NO_BREAK_SPACE, " "))
    for index, line in enumerate(lines):
        found = _LINE.match(line)
        if not found:
            continue
        following = lines[index + 1 : index + text.MAX_MESSAGE_LINES]
        more = [following[n] for n in range(_continued(following))]
        message = text.message([found[5], *more])
        rule = _RULE.search(message)
        yield Diagnostic(
            path=locate(output, found[1]),
            line=text.number(found[2]),
            column=text.number(found[3]),
            level=text.level(found[4]),
            rule_id=rule[1] if rule else None,
            message=_RULE.sub("", message),
            kind=_kind(rule[1] if rule else None),
        )


def _continued(lines: list[str]) -> int:
    """Return how many lines belong to the message before: they are indented deeper than a finding."""
    return next((index for index, line in enumerate(lines) if not line.startswith("    ")), len(lines))


def _kind(rule: str | None) -> DiagnosticKind:
    """Return the kind: of its findings only syntax errors bear no rule."""
    return DiagnosticKind.TYPE_ERROR if rule else DiagnosticKind.SYNTAX_ERROR


TOOL = Tool(
    name="pyright",
    commands=(r"(?:based)?pyright\b",),
    parse=parse,
    config_files=("pyrightconfig.json", "pyproject.toml"),
    ecosystem="python",
)
