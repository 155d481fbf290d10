"""`node --check`, and any script that node cannot load: it prints both the same way."""

import re
from collections.abc import Iterator, Sequence

from fixloop_bot.checks import text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier

_PLACE = re.compile(r"^(?:file://)?(\S[^\n]*\.[cm]?[jt]sx?):(\d+)$")
_FAULT = re.compile(r"^(?:Uncaught )?(\w*Error)(?: \[\w+\])?: (.*)$")
_SPAN = 12


def parse(output: ToolOutput) -> Parsed:
    """Read the place and the error below it; there is no machine-readable form."""
    diagnostics = text.distinct(_diagnostics(output, text.lines(output.text)))
    return Parsed(diagnostics=diagnostics, tier=Tier.PARSED if diagnostics else Tier.TEXT)


def _diagnostics(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    place, seen_at = None, -_SPAN
    for index, line in enumerate(lines):
        if found := _PLACE.match(line):
            place, seen_at = found, index
        elif place and index - seen_at <= _SPAN and (fault := _FAULT.match(line)):
            syntax = fault[1] == "SyntaxError"
            yield Diagnostic(
                path=locate(output, place[1]),
                line=text.number(place[2]),
                rule_id=fault[1],
                message=f"{fault[1]}: {fault[2]}",
                kind=DiagnosticKind.SYNTAX_ERROR if syntax else DiagnosticKind.BUILD_ERROR,
            )
            place = None


TOOL = Tool(name="node-check", commands=(r"node\b.{0,200}?\s(?:--check|-c)\b",), parse=parse, ecosystem="node")
