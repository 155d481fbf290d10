"""`ktlint` and `detekt`, alone and under a build tool."""

import re
from collections.abc import Iterator, Sequence

from fixloop_bot.checks import text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier

_LINE = re.compile(
    r"^(?:\[ERROR\] )?([^\s:][^:\n]*\.kts?):(\d+):(\d+):? (\S.*?)"
    r" ?(?:\((?:cannot be auto-corrected\) \()?((?:[\w-]+:)?[a-z][a-z0-9-]+)\)|\[([A-Z]\w+)\])$"
)


def parse(output: ToolOutput) -> Parsed:
    """Read every line that names a Kotlin file, a place and a rule."""
    found = text.distinct(diagnostics(output, text.lines(output.text)))
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT)


def diagnostics(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield the violations among the lines of any output."""
    for line in lines:
        found = _LINE.match(line)
        if found:
            yield Diagnostic(
                path=locate(output, found[1]),
                line=text.number(found[2]),
                column=text.number(found[3]),
                rule_id=found[5] or found[6],
                message=found[4][: text.MAX_MESSAGE],
                kind=DiagnosticKind.LINT_ERROR,
            )


TOOL = Tool(
    name="ktlint",
    commands=(r"ktlint\b", r"detekt\b"),
    parse=parse,
    config_files=(".editorconfig", "detekt*.yml", "config/detekt/**"),
    ecosystem="java",
)
