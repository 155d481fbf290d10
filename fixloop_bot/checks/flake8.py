"""`flake8`, and `pycodestyle`, which prints as it does."""

import re
from collections.abc import Iterator

from fixloop_bot.checks import text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier

_CODE = r"[A-Z]{1,3}\d{1,3}"
"""What flake8 lets its plugins use (its documentation, `flake8:local-plugins`)."""
_DEFAULT = re.compile(rf"^([^:\n]+\.pyi?):(\d+):(\d+): ({_CODE}) (\S.*)$")
_PYLINT_FORM = re.compile(rf"^([^:\n]+\.pyi?):(\d+)(): \[({_CODE})\] (\S.*)$")
_SYNTAX = frozenset({"E999", "E902"})


def parse(output: ToolOutput) -> Parsed:
    """Read the text, also in flake8's `pylint` format; it has no machine-readable form of its own."""
    diagnostics = text.distinct(_diagnostics(output))
    return Parsed(diagnostics=diagnostics, tier=Tier.PARSED if diagnostics else Tier.TEXT)


def _diagnostics(output: ToolOutput) -> Iterator[Diagnostic]:
    for line in text.lines(output.text):
        found = _DEFAULT.match(line) or _PYLINT_FORM.match(line)
        if found:
            yield Diagnostic(
                path=locate(output, found[1]),
                line=text.number(found[2]),
                column=text.number(found[3]),
                rule_id=found[4],
                message=found[5].rstrip(),
                kind=DiagnosticKind.SYNTAX_ERROR if found[4] in _SYNTAX else DiagnosticKind.LINT_ERROR,
            )


TOOL = Tool(
    name="flake8",
    commands=(r"(?:flake8|pycodestyle)\b",),
    parse=parse,
    config_files=(".flake8", "setup.cfg", "tox.ini"),
    ecosystem="python",
)
