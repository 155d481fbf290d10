"""`gofmt -l`, and `goimports` and `gofumpt`, which print the same: one file name a line."""

import re
from collections.abc import Iterator

from fixloop_bot.checks import text
from fixloop_bot.checks.paths import in_repository, locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier

_SYNTAX = re.compile(r"^([^\s:][^:\n]*\.go):(\d+):(\d+): (\S.*)$")


def parse(output: ToolOutput) -> Parsed:
    """Read the names of files that are not formatted, and the places of syntax errors."""
    found = text.distinct(_diagnostics(output))
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT)


def _diagnostics(output: ToolOutput) -> Iterator[Diagnostic]:
    for line in text.lines(output.text):
        if syntax := _SYNTAX.match(line):
            yield Diagnostic(
                path=locate(output, syntax[1]),
                line=text.number(syntax[2]),
                column=text.number(syntax[3]),
                rule_id="syntax-error",
                message=text.message([syntax[4]]),
                kind=DiagnosticKind.SYNTAX_ERROR,
            )
        elif path := _unformatted(output, line):
            kind = DiagnosticKind.LINT_ERROR
            yield Diagnostic(path=path, rule_id="format", message="would be reformatted", kind=kind)


def _unformatted(output: ToolOutput, line: str) -> str | None:
    """Return the file that a line names, and does nothing else; it must exist, as any text could end so."""
    name = line.rpartition(" ")[2] if line.startswith("diff ") else line
    return in_repository(output, name) if name.endswith(".go") and ": " not in name else None


TOOL = Tool(name="gofmt", commands=(r"gofmt\b", r"go fmt\b", r"goimports\b", r"gofumpt\b"), parse=parse, ecosystem="go")
