"""Spotless, which names the files that it would format, under Maven and Gradle."""

import re
from collections.abc import Iterator, Sequence

from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind

_TITLE = re.compile(r"The following files had format violations:$")
_FILE = re.compile(r"^(?:\[ERROR\] )?( {2,8})(\S[^\n]*\.\w+)$")
_PREFIX = re.compile(r"^\[ERROR\]")
_MAX_BLOCK = 2_000
"""Lines below the title: file names and the beginnings of their differences."""


def diagnostics(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield one diagnostic for each file that is named below a title."""
    for index, line in enumerate(lines):
        if _TITLE.search(line):
            yield from _files(output, lines[index + 1 : index + 1 + _MAX_BLOCK])


def _files(output: ToolOutput, block: Sequence[str]) -> Iterator[Diagnostic]:
    """Read the files at the indentation of the first; what is indented more belongs to a difference."""
    indent = ""
    for line in block:
        if _TITLE.search(line):
            return
        found = _FILE.match(line)
        indent = indent or (found[1] if found else "")
        shown = _PREFIX.sub("", line).strip()
        if shown and not _PREFIX.sub("", line).startswith(indent[:2] or " "):
            return
        if found and found[1] == indent:
            yield Diagnostic(
                path=locate(output, found[2]),
                rule_id="format",
                message="not formatted as configured",
                kind=DiagnosticKind.LINT_ERROR,
            )
