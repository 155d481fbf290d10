"""Kotlin's compiler: alone, and under Gradle and Maven."""

import re
from collections.abc import Iterator, Sequence

from fixloop_bot.checks import text
from fixloop_bot.checks.message_rule import rule_of
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind, Level
from fixloop_bot.model.fingerprint import Tier

_ALONE = re.compile(r"^([^\s:][^:\n]*\.kts?):(\d+):(\d+): (error|warning): (\S.*)$")
_GRADLE = re.compile(r"^([ew]): ((?:file://)?/[^:\n]*\.kts?):(?: \()?(\d+)(?::|, )(\d+)\)?:? (\S.*)$")
_MAVEN = re.compile(r"^\[(ERROR|WARNING)\] ((?:file://)?/[^:\n]*\.kts?):(?: \()?(\d+)(?::|, )(\d+)\)?:? (\S.*)$")
_SYNTAX = re.compile(r"^(?:syntax error|expecting |unexpected tokens|missing ['\"])", re.IGNORECASE)


def parse(output: ToolOutput) -> Parsed:
    """Read every error and warning that names a Kotlin file."""
    found = text.distinct(diagnostics(output, text.lines(output.text)))
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT)


def diagnostics(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield what the compiler says among the lines of any output."""
    for line in lines:
        if alone := _ALONE.match(line):
            yield _diagnostic(output, alone, text.level(alone[4]), place=1)
        elif found := _GRADLE.match(line) or _MAVEN.match(line):
            yield _diagnostic(output, found, Level.ERROR if found[1] in {"e", "ERROR"} else Level.WARNING, place=2)


def _diagnostic(output: ToolOutput, found: re.Match[str], level: Level, *, place: int) -> Diagnostic:
    message = found[5].strip()
    return Diagnostic(
        path=locate(output, found[place]),
        line=text.number(found[place + 1]),
        column=text.number(found[place + 2]),
        level=level,
        rule_id=rule_of(message),
        message=message[: text.MAX_MESSAGE],
        kind=DiagnosticKind.SYNTAX_ERROR if _SYNTAX.match(message) else DiagnosticKind.TYPE_ERROR,
    )


TOOL = Tool(name="kotlinc", commands=(r"kotlinc(?:-jvm|-js)?\b",), parse=parse, ecosystem="java")
