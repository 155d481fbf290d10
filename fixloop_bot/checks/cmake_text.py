"""What CMake prints while it configures."""

import re
from collections.abc import Iterator, Sequence

from fixloop_bot.checks import text
from fixloop_bot.checks.paths import in_repository
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind

_HEAD = re.compile(
    r"^CMake Error(?: \(dev\))?(?: (?:at|in) ([^\n]{1,1000}?)(?::(\d{1,8}))?(?: \((\w{1,100})\))?)?:(?: (.{1,2000}))?$"
)
_CALLED = re.compile(r"^  ([^\n]{1,1000}?):(\d{1,8}) \((\w{1,100})\)$")
_STACK = "Call Stack (most recent call first):"
_FOLLOWS = re.compile(r"^CMAKE_\w+ not set, after EnableLanguage")
"""What CMake adds when it could not find a compiler, which it has said before."""
_SPECIAL = (("Parse error.", "parse-error"), ("Unknown CMake command", "unknown-command"))
_MAX_BLOCK = 60
_MAX_HEAD = 1_500
"""Characters."""


def diagnostics(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield the errors; the rule is the command that failed. The place is the innermost one in the repository."""
    for index, line in enumerate(lines):
        head = _HEAD.match(line[:_MAX_HEAD]) if line.startswith("CMake Error") else None
        if head and not _FOLLOWS.match(head[4] or ""):
            yield _diagnostic(output, head, _block(lines[index + 1 : index + 1 + _MAX_BLOCK]))


def _block(below: Sequence[str]) -> list[str]:
    """Return the indented lines and the call stack that belong to a head."""
    end = next((n for n, line in enumerate(below) if line and not line.startswith("  ") and line != _STACK), len(below))
    return list(below[:end])


def _diagnostic(output: ToolOutput, head: re.Match[str], block: list[str]) -> Diagnostic:
    told = block.index(_STACK) if _STACK in block else len(block)
    message = text.message([head[4] or "", *(line.strip() for line in block[:told])])
    path, line, command = _place(output, head, block[told:])
    special = next((rule for words, rule in _SPECIAL if message.startswith(words)), None)
    return Diagnostic(
        path=path,
        line=line,
        rule_id=special or command or head[3],
        message=message,
        kind=DiagnosticKind.SYNTAX_ERROR if special == "parse-error" else DiagnosticKind.BUILD_ERROR,
    )


def _place(output: ToolOutput, head: re.Match[str], stack: Sequence[str]) -> tuple[str | None, int | None, str | None]:
    """Return path, line and command of the innermost call that stands in the repository."""
    calls = [(head[1] or "", head[2], head[3])]
    calls += [(found[1], found[2], found[3]) for line in stack if (found := _CALLED.match(line))]
    for printed, number, command in calls:
        path = in_repository(output, printed) if printed else None
        if path:
            return path, text.number(number), command
    return None, None, None
