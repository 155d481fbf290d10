"""TypeScript's `tsc`, and `vue-tsc`, which prints the same."""

import re
from collections.abc import Iterator

from fixloop_bot.checks import text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier

_PLAIN = re.compile(r"^([^\s(][^(\n]*)\((\d+),(\d+)\): (error|warning) (TS\d+): (.+)$")
_PRETTY = re.compile(r"^([^\s:][^:\n]*):(\d+):(\d+) - (error|warning) (TS\d+): (.+)$")
_GLOBAL = re.compile(r"^()()()(error) (TS\d+): (.+)$")


def parse(output: ToolOutput) -> Parsed:
    """Read the plain and the pretty form; tsc has no machine-readable one."""
    diagnostics = text.distinct(_diagnostics(output))
    return Parsed(diagnostics=diagnostics, tier=Tier.PARSED if diagnostics else Tier.TEXT)


def _diagnostics(output: ToolOutput) -> Iterator[Diagnostic]:
    lines = text.lines(output.text)
    for index, line in enumerate(lines):
        found = _PLAIN.match(line) or _PRETTY.match(line) or _GLOBAL.match(line)
        if not found:
            continue
        more = _elaboration(lines[index + 1 : index + text.MAX_MESSAGE_LINES])
        yield Diagnostic(
            path=locate(output, found[1]),
            line=text.number(found[2]),
            column=text.number(found[3]),
            level=text.level(found[4]),
            rule_id=found[5],
            message=text.message([found[6], *more]),
            kind=_kind(found[5]),
        )


def _elaboration(lines: list[str]) -> list[str]:
    """Return the indented lines that go on with a message; a blank line or a code frame ends them."""
    end = next((n for n, line in enumerate(lines) if not line.startswith("  ") or not line.strip()), len(lines))
    return lines[:end]


def _kind(code: str) -> DiagnosticKind:
    """Return the kind by TypeScript's numbering: 1000 to 1999 is syntax, 5000 to 6999 the compiler's options."""
    number = int(code[2:10])
    if 1000 <= number < 2000:
        return DiagnosticKind.SYNTAX_ERROR
    return DiagnosticKind.BUILD_ERROR if 5000 <= number < 7000 else DiagnosticKind.TYPE_ERROR


TOOL = Tool(
    name="tsc",
    commands=(r"(?:vue-)?tsc\b",),
    parse=parse,
    config_files=("tsconfig*.json", "jsconfig.json"),
    ecosystem="node",
)
