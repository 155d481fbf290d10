"""`phpstan analyse`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from fixloop_bot.checks import text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier

_RULE = re.compile(r"^ -{2,} -{3,}\s*$")
_HEAD = re.compile(r"^  Line {3}(\S.*)$")
_CONTEXT = re.compile(r" \(in context of [^()\n]*\)$")
_ROW = re.compile(r"^  :?(\d{1,8}|\?) {1,8}(\S.*)$")
_MORE = re.compile(r"^ {6,12}(\S.*)$")
_IDENTIFIER = re.compile(r"^\U0001faaa\s+([\w.]+)")
_ASIDE = ("\U0001f4a1", "\u270f", "at ")
"""What begins a tip or a link to the editor."""
_RAW = re.compile(r"^(\S[^:\n]*\.php)(?: \(in context of [^()\n]*\))?:(\d{1,8}|\?):(\S.*)$")
_RAW_IDENTIFIER = re.compile(r" \[identifier=([\w.]{1,200})\]$")


@dataclass(slots=True)
class Row:
    """One row of a file's table."""

    path: str
    line: str
    said: list[str]
    identifier: str = ""
    aside: bool = field(default=False)


def parse(output: ToolOutput) -> Parsed:
    """Read JSON where the person's command asks for it, amid notes on the configuration, else the text."""
    for document in text.json_documents(output.text):
        structured = text.distinct(_from_json(output, document))
        if structured:
            return Parsed(diagnostics=structured, tier=Tier.STRUCTURED)
    found = text.distinct(_from_text(output))
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT)


def _from_json(output: ToolOutput, report: object) -> Iterator[Diagnostic]:
    if not isinstance(report, dict) or "totals" not in report:
        return
    files = report.get("files")
    for path, file in (files if isinstance(files, dict) else {}).items():
        for item in text.objects(file, "messages"):
            if "ignorable" in item:
                number = text.integer(item, "line")
                yield _diagnostic(output, path, number, text.string(item, "message"), text.string(item, "identifier"))
    errors = report.get("errors")
    for said in errors if isinstance(errors, list) else ():
        if isinstance(said, str):
            yield _diagnostic(output, "", None, said, "")


def _from_text(output: ToolOutput) -> Iterator[Diagnostic]:
    lines = text.lines(output.text)
    for row in _rows(lines):
        yield _diagnostic(output, row.path, text.number(row.line), text.message([" ".join(row.said)]), row.identifier)
    for line in lines:
        raw = _RAW.match(line)
        if raw:
            identifier = _RAW_IDENTIFIER.search(raw[3])
            said = raw[3][: identifier.start()] if identifier else raw[3]
            yield _diagnostic(output, raw[1], text.number(raw[2]), said, identifier[1] if identifier else "")


def _rows(lines: list[str]) -> Iterator[Row]:
    """Yield the rows of the tables: a message goes on below its first line, then come identifier and tips."""
    path, current = "", None
    for line in lines:
        if head := _HEAD.match(line):
            path = _CONTEXT.sub("", head[1].rstrip())
        elif not path:
            continue
        elif (row := _ROW.match(line)) or (_RULE.match(line) and current) or not line.strip():
            yield from [current] if current else []
            current = Row(path, row[1], [row[2].rstrip()]) if row else None
            path = path if line.strip() else ""
        elif current and (more := _MORE.match(line)):
            _go_on(current, more[1].rstrip())
    yield from [current] if current else []


def _go_on(row: Row, said: str) -> None:
    if identifier := _IDENTIFIER.match(said):
        row.identifier, row.aside = identifier[1], True
    elif said.startswith(_ASIDE):
        row.aside = True
    elif not row.aside:
        row.said.append(said)


def _diagnostic(output: ToolOutput, path: str, line: int | None, message: str, identifier: str) -> Diagnostic:
    return Diagnostic(
        path=locate(output, _CONTEXT.sub("", path)),
        line=line,
        rule_id=identifier or None,
        message=message[: text.MAX_MESSAGE],
        kind=DiagnosticKind.SYNTAX_ERROR if identifier == "phpstan.parse" else DiagnosticKind.TYPE_ERROR,
    )


TOOL = Tool(
    name="phpstan",
    commands=(r"phpstan\b",),
    parse=parse,
    config_files=("phpstan.neon", "phpstan.neon.dist", "phpstan.dist.neon", "phpstan-baseline.*"),
    ecosystem="php",
)
