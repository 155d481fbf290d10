"""`mypy`."""

import re
from collections.abc import Iterator

from fixloop_bot.checks import text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier

_LINE = re.compile(r"^([^:\n]+\.pyi?)(?::(\d+))?(?::(\d+))?(?::\d+:\d+)?: (error|warning): (.+)$")
_CODE = re.compile(r"  \[([a-z][a-z0-9-]{1,60})\]$")


def parse(output: ToolOutput) -> Parsed:
    """Read the text, or one JSON object a line (`-O json`) where the person's command asks for that."""
    for source in (output.report, output.text):
        structured = text.distinct(_from_json(output, source or ""))
        if structured:
            return Parsed(diagnostics=structured, tier=Tier.STRUCTURED)
    diagnostics = text.distinct(_from_text(output))
    return Parsed(diagnostics=diagnostics, tier=Tier.PARSED if diagnostics else Tier.TEXT)


def _from_json(output: ToolOutput, report: str) -> Iterator[Diagnostic]:
    for line in report.split("\n", text.MAX_LINES):
        item = text.load_json(line) if line.startswith('{"file"') else None
        if not isinstance(item, dict) or text.string(item, "severity") == "note":
            continue
        code = text.string(item, "code") or None
        yield Diagnostic(
            path=locate(output, text.string(item, "file")),
            line=text.integer(item, "line"),
            column=text.integer(item, "column"),
            level=text.level(text.string(item, "severity")),
            rule_id=code,
            message=text.string(item, "message")[: text.MAX_MESSAGE],
            kind=_kind(code),
        )


def _from_text(output: ToolOutput) -> Iterator[Diagnostic]:
    for line in text.lines(output.text):
        found = _LINE.match(line)
        if not found:
            continue
        code = _CODE.search(found[5])
        yield Diagnostic(
            path=locate(output, found[1]),
            line=text.number(found[2]),
            column=text.number(found[3]),
            level=text.level(found[4]),
            rule_id=code[1] if code else None,
            message=_CODE.sub("", found[5]),
            kind=_kind(code[1] if code else None),
        )


def _kind(code: str | None) -> DiagnosticKind:
    return DiagnosticKind.SYNTAX_ERROR if code == "syntax" else DiagnosticKind.TYPE_ERROR


TOOL = Tool(
    name="mypy",
    commands=(r"(?:mypy|dmypy)\b",),
    parse=parse,
    config_files=("mypy.ini", ".mypy.ini", "setup.cfg", "pyproject.toml"),
    ecosystem="python",
)
