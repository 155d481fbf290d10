"""`black --check`."""

import re
from collections.abc import Iterator

from fixloop_bot.checks import text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier

_UNFORMATTED = re.compile(r"^would reformat (\S[^\n]*)$")
_BROKEN = re.compile(r"^error: cannot parse: ([^:\n]+):(\d+):(\d+)()$")
_BROKEN_BEFORE = re.compile(
    r"^error: cannot format ([^:\n]+): Cannot parse(?: for target version [^:\n]{1,60})?: (\d+):(\d+): ?(.*)$"
)
"""As black wrote it until 2025."""


def parse(output: ToolOutput) -> Parsed:
    """Read which files are not formatted and which cannot be parsed; there is no machine-readable form."""
    diagnostics = text.distinct(_diagnostics(output))
    return Parsed(diagnostics=diagnostics, tier=Tier.PARSED if diagnostics else Tier.TEXT)


def _diagnostics(output: ToolOutput) -> Iterator[Diagnostic]:
    lines = text.lines(output.text)
    for index, line in enumerate(lines):
        if found := _BROKEN.match(line) or _BROKEN_BEFORE.match(line):
            shown = found[4] or "".join(lines[index + 1 : index + 2])
            yield Diagnostic(
                path=locate(output, found[1]),
                line=text.number(found[2]),
                column=text.number(found[3]),
                rule_id="invalid-syntax",
                message=f"cannot be parsed: {shown.strip()}",
                kind=DiagnosticKind.SYNTAX_ERROR,
            )
        elif found := _UNFORMATTED.match(line):
            yield Diagnostic(
                path=locate(output, found[1]),
                rule_id="format",
                message="would be reformatted",
                kind=DiagnosticKind.LINT_ERROR,
            )


TOOL = Tool(
    name="black",
    commands=(r"black\b",),
    parse=parse,
    config_files=("pyproject.toml",),
    ecosystem="python",
)
