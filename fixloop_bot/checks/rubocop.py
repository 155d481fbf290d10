"""`rubocop`, and `standardrb`, which is built on it."""

import re
from collections.abc import Iterator
from dataclasses import replace

from fixloop_bot.checks import text
from fixloop_bot.checks.json_or_text import parse_json_or_text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind, Level

_COP = r"[A-Z]\w{0,60}(?:/[A-Z]\w{0,80}){1,4}"
_MARK = r"(?:\[(\w{4,12})\] )?"
_PLACED = re.compile(rf"^(\S[^:\n]*):(\d{{1,8}}):(\d{{1,8}}): ([IRCWEF]): {_MARK}({_COP}): (.*)$")
_HEADED = re.compile(rf"^([IRCWEF]): {{0,8}}(\d{{1,8}}): {{0,8}}(\d{{1,8}}): {_MARK}({_COP}): (.*)$")
_FILE = re.compile(r"^== (\S[^\n]*) ==$")
_ANNOTATION = re.compile(
    rf"^::(?:error|warning) file=([^,\n]+),line=(\d{{1,8}}),col=(\d{{1,8}})::{_MARK}({_COP}): (.*)$"
)
_STANDARD = re.compile(rf"^  (\S[^:\n]*):(\d{{1,8}}):(\d{{1,8}}): ({_COP}): (.*)$")
_STANDARD_HEAD = "standard: Use Ruby Standard Style"
_CORRECTED = frozenset({"Corrected", "Todo"})
"""Marks of what is no offence any more."""
_PARSER = re.compile(r"\n?\s?\(Using Ruby [^\n]*$")
"""What rubocop adds to a syntax error on the version of Ruby that it assumes."""


def parse(output: ToolOutput) -> Parsed:
    """Read the JSON report, else the text of the formatters that give places.

    rubocop fails for conventions too, so every offence is an error; it exits with 0 where `--fail-level` lets them
    pass, and then they are warnings.
    """
    found = parse_json_or_text(output, _from_json, _from_text)
    if output.exit_code != 0:
        return found
    return replace(found, diagnostics=tuple(_passed(item) for item in found.diagnostics))


def _passed(item: Diagnostic) -> Diagnostic:
    return replace(item, level=Level.WARNING) if item.level is Level.ERROR else item


def _from_json(output: ToolOutput, report: object) -> Iterator[Diagnostic]:
    for file in text.objects(report, "files"):
        for offense in text.objects(file, "offenses"):
            place = text.child(offense, "location")
            if offense.get("corrected") is not True and "cop_name" in offense:
                yield _diagnostic(
                    output,
                    (text.string(file, "path"), text.integer(place, "line"), text.integer(place, "column")),
                    text.string(offense, "cop_name"),
                    text.string(offense, "message").removeprefix(f"{text.string(offense, 'cop_name')}: "),
                    info=text.string(offense, "severity") == "info",
                )


def _from_text(output: ToolOutput) -> Iterator[Diagnostic]:
    file, standard = "", False
    for line in text.lines(output.text):
        if found := _FILE.match(line):
            file = found[1]
        elif found := _PLACED.match(line):
            yield from _offense(output, found.groups())
        elif file and (found := _HEADED.match(line)):
            yield from _offense(output, (file, found[2], found[3], found[1], *found.groups()[3:]))
        elif found := _ANNOTATION.match(line):
            path, number, column, mark, cop, message = found.groups()
            yield from _offense(output, (path, number, column, "", mark, cop, message.partition("%0A")[0]))
        elif standard and (found := _STANDARD.match(line)):
            yield from _offense(output, (*found.groups()[:3], "", None, *found.groups()[3:]))
        standard = standard or line.startswith(_STANDARD_HEAD)


def _offense(output: ToolOutput, parts: tuple[str | None, ...]) -> Iterator[Diagnostic]:
    """Yield the diagnostic of path, line, column, severity, mark, cop and message, none for a corrected one."""
    path, line, column, severity, mark, cop, message = parts
    if mark not in _CORRECTED:
        place = (path or "", text.number(line), text.number(column))
        yield _diagnostic(output, place, cop or "", message or "", info=severity == "I")


def _diagnostic(
    output: ToolOutput, place: tuple[str, int | None, int | None], cop: str, message: str, *, info: bool
) -> Diagnostic:
    path, line, column = place
    syntax = cop == "Lint/Syntax"
    return Diagnostic(
        path=locate(output, path),
        line=line,
        column=column,
        level=Level.NOTE if info else Level.ERROR,
        rule_id=cop,
        message=_PARSER.sub("", message)[: text.MAX_MESSAGE],
        kind=DiagnosticKind.SYNTAX_ERROR if syntax else DiagnosticKind.LINT_ERROR,
    )


def report_argv(argv: tuple[str, ...], path: str) -> tuple[str, ...]:
    """Ask for JSON beside the text: the first formatter named takes the place of the default one."""
    return (*argv, "--format", "progress", "--format", "json", "--out", path)


TOOL = Tool(
    name="rubocop",
    commands=(r"rubocop\b", r"standardrb\b", r"rake\s+(?:.{0,80}\s)?(?:rubocop|standard)\b"),
    parse=parse,
    report_suffix=".json",
    report_argv=report_argv,
    config_files=(".rubocop.yml", ".rubocop_todo.yml", ".rubocop", ".standard.yml", ".standard_todo.yml"),
    ecosystem="ruby",
)
