"""`prettier --check`."""

import re
from collections.abc import Iterator

from fixloop_bot.checks import text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier

_UNFORMATTED = re.compile(r"^\[warn\] (\S[^\n]*)$")
_BROKEN = re.compile(r"^\[error\] ([^:\n]+): (\w*Error): (.*)$")
_WHERE = re.compile(r" \((\d+):(\d+)\)$")
_SUMMARY = ("Code style issues", "Ignored unknown option", "All matched files")


def parse(output: ToolOutput) -> Parsed:
    """Read which files are not formatted and which cannot be parsed; there is no machine-readable form."""
    diagnostics = text.distinct(_diagnostics(output))
    return Parsed(diagnostics=diagnostics, tier=Tier.PARSED if diagnostics else Tier.TEXT)


def _diagnostics(output: ToolOutput) -> Iterator[Diagnostic]:
    for line in text.lines(output.text):
        if found := _BROKEN.match(line):
            where = _WHERE.search(found[3])
            yield Diagnostic(
                path=locate(output, found[1]),
                line=text.number(where[1]) if where else None,
                column=text.number(where[2]) if where else None,
                rule_id=found[2],
                message=f"{found[2]}: {_WHERE.sub('', found[3])}",
                kind=DiagnosticKind.SYNTAX_ERROR,
            )
        elif (found := _UNFORMATTED.match(line)) and not found[1].startswith(_SUMMARY):
            yield Diagnostic(
                path=locate(output, found[1]),
                rule_id="format",
                message="is not formatted",
                kind=DiagnosticKind.LINT_ERROR,
            )


TOOL = Tool(
    name="prettier",
    commands=(r"prettier\b",),
    parse=parse,
    config_files=(".prettierrc", ".prettierrc.*", "prettier.config.*", ".prettierignore"),
    ecosystem="node",
)
