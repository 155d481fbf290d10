"""`dotnet build` and `dotnet format`, and MSBuild in general: `file(line,column): error CODE: message [project]`."""

import re
from collections.abc import Iterator, Sequence

from fixloop_bot.checks import text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind, Level
from fixloop_bot.model.fingerprint import Tier

_LINE = re.compile(
    r"^\s*(?:\d{1,3}>)?([^\s(:][^(:\n]*\.\w{1,10})\((\d+)(?:,(\d+))?(?:,\d+,\d+)?\)\s?: (error|warning)"
    r" (?!TS\d|C\d{4}|LNK\d)([A-Z][A-Za-z]{0,15}\d{0,6}): (\S.*?)(?: \[([^\[\]\n]{1,1024})\])?$"
)
_WITHOUT_LINE = re.compile(
    r"^\s*(?:\d{1,3}>)?(CSC|MSBUILD|/[^(:\n]*\.\w{1,10}) ?: (error|warning) ([A-Z][A-Za-z]{0,15}\d{1,6}): (\S.*?)"
    r"(?: \[([^\[\]\n]{1,1024})\])?$"
)
_SYNTAX = frozenset({
    "CS1001", "CS1002", "CS1003", "CS1009", "CS1010", "CS1012", "CS1022", "CS1026", "CS1029", "CS1031", "CS1035",
    "CS1039", "CS1040", "CS1041", "CS1056", "CS1514", "CS1513", "CS1515", "CS1517", "CS1518", "CS1519", "CS1520",
    "CS1524", "CS1525", "CS1528", "CS1585", "CS1646", "CS8124", "CS8180", "CS8635", "CS8641", "CS8803", "CS8997",
    "FS0010", "BC30035", "BC30036", "BC30201",
})  # fmt: skip
"""Codes of parsers, by the lists of messages that the compilers' documentation has."""
_COMPILERS = re.compile(r"^(?:CS|FS|BC|VB)\d")
_BUILD = re.compile(r"^(?:MSB|NU|NETSDK|ALINK|AL)\d")


def parse(output: ToolOutput) -> Parsed:
    """Read every error and warning; MSBuild prints them again at its end."""
    found = text.distinct(diagnostics(output, text.lines(output.text)))
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT)


def diagnostics(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield what MSBuild says among the lines of any output."""
    for line in lines:
        if found := _LINE.match(line):
            yield _diagnostic(
                locate(output, found[1]), (text.number(found[2]), text.number(found[3])), *found.groups()[3:6]
            )
        elif bare := _WITHOUT_LINE.match(line):
            file = bare[1] if "." in bare[1] else bare[5] or ""
            yield _diagnostic(locate(output, file) if file else None, (None, None), *bare.groups()[1:4])


def _diagnostic(
    path: str | None, place: tuple[int | None, int | None], level: str, code: str, message: str
) -> Diagnostic:
    kind = _kind(code)
    fault = path if kind is not DiagnosticKind.BUILD_ERROR or place[0] else None
    return Diagnostic(
        path=fault,
        line=place[0],
        column=place[1],
        level=text.level(level) if level == "warning" else Level.ERROR,
        rule_id=code,
        message=message[: text.MAX_MESSAGE],
        kind=kind,
    )


def _kind(code: str) -> DiagnosticKind:
    if code in _SYNTAX:
        return DiagnosticKind.SYNTAX_ERROR
    if _COMPILERS.match(code):
        return DiagnosticKind.TYPE_ERROR
    return DiagnosticKind.BUILD_ERROR if _BUILD.match(code) else DiagnosticKind.LINT_ERROR


CONFIG_FILES = (
    "*.csproj", "*.fsproj", "*.vbproj", "*.sln", "*.slnx", "Directory.*.props", "Directory.*.targets", "global.json",
    "nuget.config", "NuGet.Config", ".editorconfig", ".globalconfig", "*.ruleset", "stylecop.json", "*.runsettings",
)  # fmt: skip
TOOL = Tool(
    name="dotnet-build",
    commands=(r"dotnet (?:build|format|publish|restore|pack|msbuild|run|clean)\b", r"msbuild\b"),
    parse=parse,
    config_files=CONFIG_FILES,
    ecosystem="dotnet",
)
