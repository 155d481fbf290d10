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
_CHANGED = ("-", "+")
_SPAN = 40
"""Lines of a diff that make the message."""


def parse(output: ToolOutput) -> Parsed:
    """Read which files it would change, and which it cannot parse."""
    found = text.distinct(_diagnostics(output, text.lines(output.text)))
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT)


def _diagnostics(output: ToolOutput, lines: list[str]) -> Iterator[Diagnostic]:
    for index, line in enumerate(lines):
        old = _OLD.match(line)
        if old and lines[index + 1 : index + 2] and lines[index + 1].startswith(f"+++ {old[1]}"):
            path = in_repository(output, old[1])
            if path:
                yield _diagnostic(path, lines[index + 2 : index + 2 + _SPAN])


def _diagnostic(path: str, diff: list[str]) -> Diagnostic:
    """Return the finding of one file: the lines that would change, at the first of them."""
    end = next((n for n, line in enumerate(diff) if line.startswith(("--- ", "diff "))), len(diff))
    changed = [n for n, line in enumerate(diff[:end]) if line.startswith(_CHANGED)]
    hunk = _HUNK.match(diff[0]) if diff else None
    first = int(hunk[1]) + changed[0] - 1 if hunk and changed else None
    return Diagnostic(
        path=path,
        line=first,
        rule_id="format",
        message=text.message(["would be reformatted:", *(diff[n] for n in changed)]),
        kind=DiagnosticKind.LINT_ERROR,
    )


TOOL = Tool(name="shfmt", commands=(r"shfmt(?:\s|$)",), parse=parse, config_files=(".editorconfig",))
