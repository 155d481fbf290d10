"""`php -l`, and any script that PHP cannot load or that ends with a fatal error: it prints both alike."""

import re
from collections.abc import Iterator, Sequence

from fixloop_bot.checks import php_places, text
from fixloop_bot.checks.paths import in_repository, locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier

_FAULT = re.compile(r"^(?:PHP )?(Parse|Fatal|Compile|Core) error: +(\S.*)$")
_UNCAUGHT = re.compile(r"^Uncaught ([A-Za-z_][\w\\]{0,200})(?:: (.*))?$")
_STACK = "Stack trace:"
_PARSE_ERROR = "ParseError"
_MAX_MESSAGE_LINES = 8


def parse(output: ToolOutput) -> Parsed:
    """Read parse errors, fatal errors and uncaught exceptions; there is no machine-readable form.

    PHP may print each twice, for its log (`PHP Parse error:`) and for the person: that is one.
    """
    diagnostics = text.distinct(_diagnostics(output, text.lines(output.text)))
    return Parsed(diagnostics=diagnostics, tier=Tier.PARSED if diagnostics else Tier.TEXT)


def _diagnostics(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    for index, line in enumerate(lines):
        fault = _FAULT.match(line)
        if not fault:
            continue
        uncaught = _UNCAUGHT.match(fault[2])
        if uncaught:
            yield _thrown(output, uncaught[1], [uncaught[2] or "", *_until_stack(lines, index + 1)])
        elif parted := php_places.part_place(fault[2]):
            rule = _PARSE_ERROR if fault[1] == "Parse" else f"{fault[1]}Error"
            yield _diagnostic(output, rule, *parted)


def _until_stack(lines: Sequence[str], start: int) -> list[str]:
    """Return what an exception's message goes on with below its first line; nothing where no stack follows."""
    below = lines[start : start + _MAX_MESSAGE_LINES]
    end = next((n for n, line in enumerate(below) if line.startswith(_STACK)), 0)
    return list(below[:end])


def _thrown(output: ToolOutput, name: str, said: Sequence[str]) -> Diagnostic:
    message = "\n".join(said).rstrip("\n")
    return _diagnostic(output, name.rpartition("\\")[2], *(php_places.part_place(message) or (message, "", "")))


def _diagnostic(output: ToolOutput, rule: str, message: str, path: str, line: str) -> Diagnostic:
    syntax = rule == _PARSE_ERROR
    where = locate if syntax else in_repository
    return Diagnostic(
        path=where(output, path),
        line=text.number(line),
        rule_id=rule,
        message=message[: text.MAX_MESSAGE],
        kind=DiagnosticKind.SYNTAX_ERROR if syntax else DiagnosticKind.BUILD_ERROR,
    )


TOOL = Tool(
    name="php-lint",
    commands=(r"php\b.{0,200}?\s(?:-l|--syntax-check)\b",),
    parse=parse,
    ecosystem="php",
)
