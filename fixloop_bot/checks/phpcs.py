"""`phpcs` (PHP_CodeSniffer)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from fixloop_bot.checks import text
from fixloop_bot.checks.json_or_text import parse_json_or_text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind, Level

_FILE = re.compile(r"^FILE: (\S.*)$")
_ROW = re.compile(r"^ {0,8}(\d{1,8}) \| (ERROR|WARNING) {0,2} \| (?:\[[x ]\] )?(\S.*)$")
_MORE = re.compile(r"^ {1,9}\| {7,9}\| (?:    )?(\S.*)$")
_SOURCE = re.compile(r"(?:^| )\(([\w-]+(?:\.[\w-]+){2,4})\)$")
_EMACS = re.compile(r"^(\S[^:\n]*\.\w{1,10}):(\d{1,8}):(\d{1,8}): (error|warning) - (\S.*)$")


@dataclass(frozen=True, slots=True)
class Place:
    """Where an offence is."""

    path: str
    line: int | None
    column: int | None = None


def parse(output: ToolOutput) -> Parsed:
    """Read the JSON report, else the text (`full` and `emacs`).

    phpcs fails for warnings too unless it is told not to, so all of what a failed run names are errors.
    """
    found = parse_json_or_text(output, _from_json, _from_text)
    if output.exit_code == 0:
        return found
    return replace(found, diagnostics=tuple(replace(item, level=Level.ERROR) for item in found.diagnostics))


def _from_json(output: ToolOutput, report: object) -> Iterator[Diagnostic]:
    files = report.get("files") if isinstance(report, dict) and "totals" in report else None
    for path, file in (files if isinstance(files, dict) else {}).items():
        for item in text.objects(file, "messages"):
            if "source" in item and "severity" in item:
                place = Place(path, text.integer(item, "line"), text.integer(item, "column"))
                yield _diagnostic(
                    output, place, text.string(item, "type"), text.string(item, "message"), text.string(item, "source")
                )


def _from_text(output: ToolOutput) -> Iterator[Diagnostic]:
    lines = text.lines(output.text)
    file = ""
    for index, line in enumerate(lines):
        if head := _FILE.match(line):
            file = head[1].rstrip()
        elif file and (row := _ROW.match(line)):
            said = _joined([row[3], *_below(lines, index + 1)])
            yield _with_source(output, Place(file, text.number(row[1])), row[2], said)
        elif emacs := _EMACS.match(line):
            place = Place(emacs[1], text.number(emacs[2]), text.number(emacs[3]))
            yield _with_source(output, place, emacs[4], emacs[5])


def _below(lines: Sequence[str], start: int) -> Iterator[str]:
    """Yield what a message goes on with below its row."""
    for line in lines[start : start + text.MAX_MESSAGE_LINES]:
        more = _MORE.match(line)
        if not more:
            return
        yield more[1]


def _joined(said: Sequence[str]) -> str:
    return " ".join(part.strip() for part in said)


def _with_source(output: ToolOutput, place: Place, level: str, said: str) -> Diagnostic:
    source = _SOURCE.search(said)
    message = said[: source.start()] if source else said
    return _diagnostic(output, place, level, message, source[1] if source else "")


def _diagnostic(output: ToolOutput, place: Place, level: str, message: str, source: str) -> Diagnostic:
    return Diagnostic(
        path=locate(output, place.path),
        line=place.line,
        column=place.column,
        level=text.level(level),
        rule_id=source or None,
        message=message[: text.MAX_MESSAGE],
        kind=DiagnosticKind.LINT_ERROR,
    )


def report_argv(argv: tuple[str, ...], path: str) -> tuple[str, ...]:
    """Ask for JSON beside the text."""
    return (*argv, "--report-full", f"--report-json={path}")


TOOL = Tool(
    name="phpcs",
    commands=(r"phpcs(?:\.phar)?(?![\w-])",),
    parse=parse,
    report_suffix=".json",
    report_argv=report_argv,
    config_files=("phpcs.xml", ".phpcs.xml", "phpcs.xml.dist", ".phpcs.xml.dist", "phpcs.ruleset.xml"),
    ecosystem="php",
)
