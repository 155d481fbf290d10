"""`mypy`."""

import re
from collections.abc import Iterator, Sequence

from fixloop_bot.checks import text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier

_LINE = re.compile(r"^([^:\n]+\.pyi?)(?::(\d+))?(?::(\d+))?(?::\d+:\d+)?: (error|warning): (.+)$")
_CODE = re.compile(r"  \[([a-z][a-z0-9-]{1,60})\]$")
_LONE_CODE = re.compile(r" {1,3}(\[[a-z][a-z0-9-]{1,60}\])$")
_MAX_WRAPPED = 6
"""Lines."""


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
    lines = text.lines(output.text)
    for index, line in enumerate(lines):
        found = _LINE.match(line)
        if not found:
            continue
        message = _unwrapped(found[5], lines[index + 1 : index + 1 + _MAX_WRAPPED])
        code = _CODE.search(message)
        yield Diagnostic(
            path=locate(output, found[1]),
            line=text.number(found[2]),
            column=text.number(found[3]),
            level=text.level(found[4]),
            rule_id=code[1] if code else None,
            message=_CODE.sub("", message),
            kind=_kind(code[1] if code else None),
        )


def _unwrapped(message: str, below: Sequence[str]) -> str:
    """Return a message that `--pretty` broke over lines: all up to the error code, above the quoted source."""
    joined = message
    for line in below:
        if _CODE.search(joined) or line.startswith("    ") or _LINE.match(line):
            break
        joined = _LONE_CODE.sub(r"  \1", f"{joined.rstrip()} {line.strip()}")
    return joined if _CODE.search(joined) else message


def _kind(code: str | None) -> DiagnosticKind:
    return DiagnosticKind.SYNTAX_ERROR if code == "syntax" else DiagnosticKind.TYPE_ERROR


TOOL = Tool(
    name="mypy",
    commands=(r"(?:mypy|dmypy)\b",),
    parse=parse,
    config_files=("mypy.ini", ".mypy.ini", "setup.cfg", "pyproject.toml"),
    ecosystem="python",
)
