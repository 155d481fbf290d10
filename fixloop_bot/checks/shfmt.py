"""`shfmt -d`, which prints what it would change as a diff."""

import re
from collections.abc import Iterator

from fixloop_bot.checks import text
from fixloop_bot.checks.paths import in_repository
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier

_OLD = re.compile(r"^--- (\S.{0,1000}?)\.orig(?:\t.*)?$")
_HUNK = re.compile(r"^@@ -(\d{1,8})")
_SYNTAX = re.compile(r"^([^:\n]{1,1024}):(\d{1,8}):(\d{1,8}): (.{1,1000})$")


def parse(output: ToolOutput) -> Parsed:
    """Read which files it would change, and which it cannot parse."""
    found = text.distinct(_diagnostics(output, text.lines(output.text)))
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT)


def _diagnostics(output: ToolOutput, lines: list[str]) -> Iterator[Diagnostic]:
    for index, line in enumerate(lines):
        old = _OLD.match(line)
        if old and lines[index + 1 : index + 2] and lines[index + 1].startswith(f"+++ {old[1]}"):
            hunk = next((found for row in lines[index + 2 : index + 3] if (found := _HUNK.match(row))), None)
            path = in_repository(output, old[1])
            yield _diagnostic(path, hunk[1] if hunk else None, "would be reformatted", "format")


def _diagnostic(path: str | None, line: str | None, message: str, rule: str) -> Diagnostic:
    return Diagnostic(path=path, line=text.number(line), rule_id=rule, message=message, kind=DiagnosticKind.LINT_ERROR)


TOOL = Tool(name="shfmt", commands=(r"shfmt(?:\s|$)",), parse=parse, config_files=(".editorconfig",))
