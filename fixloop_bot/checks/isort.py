"""`isort --check`."""

import re
from collections.abc import Iterator

from fixloop_bot.checks import text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier

_UNSORTED = re.compile(r"^ERROR: (\S[^\n]*) Imports are incorrectly sorted and/or formatted\.$")


def parse(output: ToolOutput) -> Parsed:
    """Read which files' imports are out of order; there is no machine-readable form."""
    diagnostics = text.distinct(_diagnostics(output))
    return Parsed(diagnostics=diagnostics, tier=Tier.PARSED if diagnostics else Tier.TEXT)


def _diagnostics(output: ToolOutput) -> Iterator[Diagnostic]:
    for line in text.lines(output.text):
        if found := _UNSORTED.match(line):
            yield Diagnostic(
                path=locate(output, found[1]),
                rule_id="imports",
                message="imports are not sorted as configured",
                kind=DiagnosticKind.LINT_ERROR,
            )


TOOL = Tool(
    name="isort",
    commands=(r"isort\b",),
    parse=parse,
    config_files=(".isort.cfg", "pyproject.toml", "setup.cfg", "tox.ini"),
    ecosystem="python",
)
