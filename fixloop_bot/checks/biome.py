"""`biome check`, `ci`, `lint` and `format`: as text, or with the reporters `json` and `github`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from urllib.parse import unquote

from fixloop_bot.checks import text
from fixloop_bot.checks.json_or_text import parse_json_or_text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind, Level

_CATEGORY = re.compile(r"(?:lint|assist|suppressions|syntax)(?:/[\w/-]{1,120})?|parse|format|organizeImports")
_PLACE = re.compile(r"^(.+?)(?::(\d{1,8}):(\d{1,8}))?$")
_SAYS = re.compile(r"^  (\u00d7|✖|!|⚠|i|\u2139) (\S.*)$")
_GITHUB = re.compile(r"^::(error|warning|notice) title=([^,:\n]+),file=([^,\n]+),line=(\d+),endLine=\d+,col=(\d+),")
_LEVELS = {"\u00d7": Level.ERROR, "✖": Level.ERROR, "!": Level.WARNING, "⚠": Level.WARNING}
_LEVEL_WORDS = {"error": Level.ERROR, "fatal": Level.ERROR, "warning": Level.WARNING}
_ECHO = "Code formatting aborted due to parsing errors"
"""The formatter's remark on a file whose parse error stands there as well."""
_UNFORMATTED = "is not formatted"
_SPAN = 6
"""Lines between the heading and what it says."""


def parse(output: ToolOutput) -> Parsed:
    """Read the default text form, workflow commands or JSON, whichever the person's command asks for."""
    return parse_json_or_text(_with_json_line(output), _from_json, _from_text)


def _with_json_line(output: ToolOutput) -> ToolOutput:
    """Return the output with biome's JSON as its report: it stands on one line among others."""
    if output.report is not None or '{"summary":{' not in output.text:
        return output
    start = output.text.index('{"summary":{')
    line = output.text[start:].partition("\n")[0]
    return replace(output, report=line)


def _from_json(output: ToolOutput, report: object) -> Iterator[Diagnostic]:
    for item in text.objects(report, "diagnostics"):
        location = text.child(item, "location")
        start = text.child(location, "start")
        path = location.get("path")
        path = text.string(path, "file") if isinstance(path, dict) else path
        category = text.string(item, "category")
        message = item.get("message") or item.get("description")
        if isinstance(path, str) and _CATEGORY.fullmatch(category) and isinstance(message, str):
            level = _LEVEL_WORDS.get(text.string(item, "severity"), Level.NOTE)
            place = (path, text.integer(start, "line"), text.integer(start, "column"))
            yield from _diagnostic(output, place, category, level, message[: text.MAX_MESSAGE])


def _from_text(output: ToolOutput) -> Iterator[Diagnostic]:
    lines = text.lines(output.text)
    for index, line in enumerate(lines):
        if line.endswith("━"):
            yield from _below_heading(output, line, lines[index + 1 : index + 1 + _SPAN])
        elif (found := _GITHUB.match(line)) and _CATEGORY.fullmatch(found[2]):
            message = unquote(line.partition("::")[2].partition("::")[2])
            place = (unquote(found[3]), text.number(found[4]), text.number(found[5]))
            level = _LEVEL_WORDS.get(found[1], Level.NOTE)
            yield from _diagnostic(output, place, found[2], level, message)


def _below_heading(output: ToolOutput, heading: str, below: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield what stands below a heading: place, category, perhaps `FIXABLE`, then a rule to the line's end."""
    words = heading.rstrip("━ ").removesuffix("FIXABLE").rstrip()
    where, _, category = words.rpartition(" ")
    place = _PLACE.match(where)
    said = next((found for line in below if (found := _SAYS.match(line))), None)
    if place and said and _CATEGORY.fullmatch(category):
        located = (place[1], text.number(place[2]), text.number(place[3]))
        yield from _diagnostic(output, located, category, _LEVELS.get(said[1], Level.NOTE), said[2].rstrip())


def _diagnostic(
    output: ToolOutput, place: tuple[str, int | None, int | None], category: str, level: Level, message: str
) -> Iterator[Diagnostic]:
    if message.startswith(_ECHO):
        return
    path, line, column = place
    unformatted = category == "format"
    yield Diagnostic(
        path=locate(output, path),
        line=None if unformatted else line or None,
        column=None if unformatted else column or None,
        level=level,
        rule_id=category,
        message=_UNFORMATTED if unformatted else message,
        kind=DiagnosticKind.SYNTAX_ERROR if category == "parse" else DiagnosticKind.LINT_ERROR,
    )


TOOL = Tool(
    name="biome",
    commands=(r"biome\b",),
    parse=parse,
    config_files=("biome.json", "biome.jsonc", ".biome.json", ".biome.jsonc"),
    ecosystem="node",
)
