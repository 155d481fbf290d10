"""Lines by which shells, package managers and programs tell that they were used wrongly, or lack something."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from fixloop_bot.model.learning import ToolError, ToolErrorKind

MOST = 20
"""Tool errors of one output."""
LINE_LIMIT: Final = 300
"""Characters of a line that are looked at."""

_NPM = r"^(?:npm (?:ERR!|error) )?(?:Error: )?"
_SHELL = r"^(?:/bin/)?(?:ba|da|z|k)?sh: (?:line )?(?:\d+: )?"

_PATTERNS: Final[tuple[tuple[ToolErrorKind, re.Pattern[str]], ...]] = tuple(
    (kind, re.compile(pattern))
    for kind, patterns in {
        ToolErrorKind.UNKNOWN_OPTION: (
            r"^(?:[\w./-]{1,60}: )?error: unrecognized arguments: (\S+)",
            r"^error: unexpected argument '([^']+)' found",
            r"^error: unknown option '([^']+)'",
            r"^Error: No such option:? '?(-[\w-]+)",
            r"^[\w./-]{1,60}: (?:invalid|unrecognized|unknown|bad) option:? (?:-- )?['\u2018]?(-{0,2}\w[\w-]*)",
            r"^flag provided but not defined: (-[\w-]+)",
            r"^Invalid option '([^']+)'",
        ),
        ToolErrorKind.MISSING_SCRIPT: (
            r'^npm (?:ERR!|error) Missing script: "?([\w:.@/-]+)',
            r"^ ?ERR_PNPM_NO_SCRIPT {1,4}Missing script: (\S+)",
            r'^error Command "([^"]+)" not found',
            r"^make(?:\[\d+\])?: \*\*\* No rule to make target ['`]([^']+)'",
        ),
        ToolErrorKind.COMMAND_NOT_FOUND: (
            _SHELL + r"([\w./+-]+): (?:command )?not found",
            r"^(?:/usr/bin/)?env: ['\u2018]([^'\u2019]+)['\u2019]: No such file",
        ),
        ToolErrorKind.PERMISSION_DENIED: (
            _NPM + r"EACCES: permission denied, \w+ '([^']+)'",
            r"^PermissionError: \[Errno 13\] Permission denied: '([^']+)'",
            _SHELL + r"([^:\d][^:]*): Permission denied",
            r"^[a-z][\w+-]{0,40}: ([^:]+): Permission denied",
        ),
        ToolErrorKind.NO_SUCH_FILE: (
            _NPM + r"ENOENT: no such file or directory, \w+ '([^']+)'",
            r"^FileNotFoundError: \[Errno 2\] No such file or directory: '([^']+)'",
            r"^[a-z][\w+-]{0,40}: ([^:]+): No such file or directory",
        ),
        ToolErrorKind.MODULE_NOT_FOUND: (
            r"^(?:Error: )?Cannot find module '([^']+)'",
            r"^(?:ModuleNotFoundError: )?No module named '?([\w.]+)",
            r"^[\w./-]{1,200}: No module named ([\w.]+)",
        ),
    }.items()
    for pattern in patterns
)


def tool_errors(lines: Sequence[str]) -> tuple[ToolError, ...]:
    """Return the tool errors that the lines tell of, at most 20, in order; the same one is told once."""
    found: dict[tuple[ToolErrorKind, str], ToolError] = {}
    for error in _errors(lines):
        found.setdefault((error.kind, error.subject), error)
        if len(found) >= MOST:
            break
    return tuple(found.values())


def _errors(lines: Sequence[str]) -> Iterator[ToolError]:
    for line in lines:
        shown = line[:LINE_LIMIT].strip()
        for kind, pattern in _PATTERNS:
            if found := pattern.match(shown):
                yield ToolError(kind, found[1], shown)
                break
