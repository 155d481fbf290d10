"""What make says of the Makefile itself. `*** [target] Error N` only repeats that a command failed: never read."""

import re
from collections.abc import Iterator, Sequence

from fixloop_bot.checks import text
from fixloop_bot.checks.source_paths import SourceFinder
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind

_PLACED = re.compile(r"^([^:\n]{1,1024}):(\d{1,8}): \*\*\* (.{1,1000}?)\.? {1,2}Stop\.$")
_NO_RULE = re.compile(
    r"^g?make(?:\[\d{1,4}\])?: \*\*\* (No rule to make target [`']([^'\n]{1,500})', needed by [`']([^'\n]{1,500})')\."
    r"(?: {1,2}Stop\.)?$"
)
_NINJA = re.compile(
    r"^ninja: error: (?:([^:\n]{1,1024}):(\d{1,8}): )?"
    r"('[^'\n]{1,500}', needed by '[^'\n]{1,500}', missing .{1,200}|.{1,300})$"
)
_SYNTAX = (
    "missing separator",
    "commands commence",
    "recipe commences",
    "missing `endif'",
    "missing 'endif'",
    "extraneous",
)
_NAMES = ("GNUmakefile", "makefile", "Makefile")


def diagnostics(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield faults of the Makefile: what make cannot read, and prerequisites that nothing makes."""
    finder = SourceFinder(output, lines)
    for line in lines:
        if "***" not in line and not line.startswith("ninja: error"):
            finder.enter(line)
        elif placed := _PLACED.match(line):
            yield _placed(finder, placed)
        elif wanted := _NO_RULE.match(line):
            path = next((path for name in _NAMES if (path := finder.find_known(name))), None)
            yield _diagnostic(path, None, "no-rule", wanted[1])
        elif (ninja := _NINJA.match(line)) and "loading 'build.ninja'" not in line:
            rule = "no-rule" if "needed by" in line else "ninja"
            yield _diagnostic(finder.find_known(ninja[1]) if ninja[1] else None, ninja[2], rule, ninja[3])


def _placed(finder: SourceFinder, found: re.Match[str]) -> Diagnostic:
    syntax = found[3].startswith(_SYNTAX)
    path = finder.find(found[1])
    if syntax:
        return _diagnostic(path, found[2], "syntax", found[3], DiagnosticKind.SYNTAX_ERROR)
    return _diagnostic(path, found[2], "makefile", found[3])


def _diagnostic(
    path: str | None,
    line: str | None,
    rule: str,
    message: str,
    kind: DiagnosticKind = DiagnosticKind.BUILD_ERROR,
) -> Diagnostic:
    return Diagnostic(path=path, line=text.number(line), rule_id=rule, message=message, kind=kind)
