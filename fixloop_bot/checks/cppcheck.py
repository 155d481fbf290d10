"""`cppcheck`: where it exits with an error, each finding is one."""

import re
from collections.abc import Iterator

from fixloop_bot.checks import text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.source_paths import is_source
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier

_LINE = re.compile(
    r"^([^:\n]{1,1024}):(\d{1,8}):(\d{1,8}): (error|warning|style|performance|portability): (.{1,2000}) "
    r"\[([A-Za-z]\w{1,80})\]$"
)
_OLD = re.compile(r"^\[([^:\]\n]{1,1024}):(\d{1,8})\]: \((error|warning|style|performance|portability)\) (.{1,2000})$")


def parse(output: ToolOutput) -> Parsed:
    """Read both forms of the text: that of cppcheck 2 and that of 1."""
    found = text.distinct(_diagnostics(output))
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT)


def _diagnostics(output: ToolOutput) -> Iterator[Diagnostic]:
    for line in text.lines(output.text):
        if (found := _LINE.match(line)) and is_source(found[1]):
            yield _diagnostic(output, found, found[5], rule=found[6], column=found[3])
        elif (old := _OLD.match(line)) and is_source(old[1]):
            yield _diagnostic(output, old, old[4], rule=old[3])


def _diagnostic(
    output: ToolOutput, found: re.Match[str], message: str, *, rule: str, column: str | None = None
) -> Diagnostic:
    syntax = rule in {"syntaxError", "unknownMacro"}
    return Diagnostic(
        path=locate(output, found[1]),
        line=text.number(found[2]),
        column=text.number(column),
        rule_id=rule,
        message=message,
        kind=DiagnosticKind.SYNTAX_ERROR if syntax else DiagnosticKind.LINT_ERROR,
    )


TOOL = Tool(name="cppcheck", commands=(r"cppcheck(?:\s|$)",), parse=parse)
