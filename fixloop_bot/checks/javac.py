"""`javac`: its plain form, the same amid a build tool's lines, and that of `-XDrawDiagnostics`."""

import re
from collections.abc import Iterator, Sequence

from fixloop_bot.checks import text
from fixloop_bot.checks.java_sources import JavaSources
from fixloop_bot.checks.message_rule import rule_of
from fixloop_bot.checks.paths import in_repository, locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind, Level
from fixloop_bot.model.fingerprint import Tier

_PLAIN = re.compile(r"^( {0,6})(?::[\w:-]{1,200}(?=/))?([^\s:][^:\n]*\.java):(\d+): (error|warning): (\S.*)$")
"""Gradle indents it where it sums up, and old ones print it right after the task's name."""
_RAW = re.compile(r"^([^\s:][^:\n]*\.java):(\d+):(\d+): compiler\.(err|warn)\.([\w.]+)(?:: (.*))?$")
_CARET = re.compile(r"^( *)\^\s*$")
_LINT = re.compile(r"^\[([\w-]+)\] ")
_BARE = re.compile(
    r"^error: ((?:release version|invalid (?:source|target) release|invalid flag)\b.*"
    r"|file not found: .*\.java|no source files|warnings found and -Werror specified)$"
)
_SYNTAX = re.compile(
    r"expected$|^(?:illegal |not a statement|reached end of file while parsing|unclosed |empty character literal"
    r"|malformed |unmatched |integer number too large|invalid method declaration|orphaned |premature end"
    r"|'(?:else|catch|try|finally)' without |class, interface)"
)
_RAW_SYNTAX = re.compile(
    r"^(?:expected|illegal|not\.stmt|premature|unclosed|empty\.char|malformed|orphaned|int\.number)"
)
_BEFORE_CARET = 8
"""Lines between a message and the mark below the source line."""


def parse(output: ToolOutput) -> Parsed:
    """Read every error and warning that names a Java file."""
    found = text.distinct(diagnostics(output, text.lines(output.text)))
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT)


def diagnostics(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield what javac says among the lines of any output."""
    sources = JavaSources(output)
    for index, line in enumerate(lines):
        if found := _PLAIN.match(line):
            yield _plain(output, found, lines[index + 1 : index + 1 + text.MAX_MESSAGE_LINES])
        elif raw := _RAW.match(line):
            yield _raw(output, raw, sources)
        elif bare := _BARE.match(line):
            yield Diagnostic(message=bare[1], rule_id=rule_of(bare[1]), kind=DiagnosticKind.BUILD_ERROR)


def diagnostic(path: str | None, place: tuple[int | None, int | None], level: Level, said: Sequence[str]) -> Diagnostic:
    """Return what a message of javac's says, whoever printed it; `place` is line and column."""
    head = said[0].strip()
    lint = _LINT.match(head)
    return Diagnostic(
        path=path,
        line=place[0],
        column=place[1],
        level=level,
        rule_id=lint[1] if lint else rule_of(head),
        message=text.message([head, *said[1:]]),
        kind=DiagnosticKind.SYNTAX_ERROR if _SYNTAX.search(head) else DiagnosticKind.TYPE_ERROR,
    )


def _plain(output: ToolOutput, found: re.Match[str], below: Sequence[str]) -> Diagnostic:
    indent = len(found[1])
    block = [line[indent:] for line in below]
    marks = ((n, mark) for n, line in enumerate(block[:_BEFORE_CARET]) if (mark := _CARET.match(line)))
    at, caret = next(marks, (0, None))
    details = _details(block[at + 1 :]) if caret else []
    column = len(caret[1]) + 1 if caret else None
    place = (text.number(found[3]), column)
    return diagnostic(locate(output, found[2]), place, text.level(found[4]), [found[5], *details])


def _details(below: Sequence[str]) -> list[str]:
    """Return the indented lines that explain an error below its source line."""
    end = next((n for n, line in enumerate(below) if not line.startswith("  ") or not line.strip()), len(below))
    return [line for line in below[:end] if not _PLAIN.match(line)]


def _raw(output: ToolOutput, found: re.Match[str], sources: JavaSources) -> Diagnostic:
    """Read the form that names the file without its folder."""
    path = in_repository(output, found[1]) or sources.named("", found[1]) or locate(output, found[1])
    return Diagnostic(
        path=path,
        line=text.number(found[2]),
        column=text.number(found[3]),
        level=Level.ERROR if found[4] == "err" else Level.WARNING,
        rule_id=found[5],
        message=(found[6] or found[5])[: text.MAX_MESSAGE],
        kind=DiagnosticKind.SYNTAX_ERROR if _RAW_SYNTAX.match(found[5]) else DiagnosticKind.TYPE_ERROR,
    )


TOOL = Tool(name="javac", commands=(r"javac\b",), parse=parse, ecosystem="java")
