"""`python -m compileall` and `python -m py_compile`."""

import re
from collections.abc import Iterator, Sequence

from fixloop_bot.checks import text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier

_HEADER = re.compile(r"^\*\*\* Error compiling '([^'\n]+)'\.\.\.$")
_FRAME = re.compile(r'^\s*File "([^"\n]+)", line (\d+)')
_FAULT = re.compile(r"^(?:Sorry: )?(SyntaxError|IndentationError|TabError|UnicodeDecodeError|ValueError): (.*)$")
_WHERE = re.compile(r" \(([^()\n]+), line (\d+)\)$")
_ALONE = frozenset({"SyntaxError", "IndentationError", "TabError"})
"""Faults that speak of a file's syntax even where `compileall` is not named."""
_SPAN = 12


def parse(output: ToolOutput) -> Parsed:
    """Read the syntax errors; there is no machine-readable form."""
    diagnostics = text.distinct(_diagnostics(output, text.lines(output.text)))
    return Parsed(diagnostics=diagnostics, tier=Tier.PARSED if diagnostics else Tier.TEXT)


def _diagnostics(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    compiling, path, line, seen_at = "", "", "", -_SPAN
    for index, text_line in enumerate(lines):
        if header := _HEADER.match(text_line):
            compiling, path, line, seen_at = header[1], header[1], "", index
        elif frame := _FRAME.match(text_line):
            path, line, seen_at = compiling or frame[1], frame[2], index
        elif (fault := _FAULT.match(text_line)) and (named := _named(fault, path if index - seen_at <= _SPAN else "")):
            if compiling or fault[1] in _ALONE:
                yield _diagnostic(output, named, line if path else "", fault)
                compiling, path, line = "", "", ""
        elif not text_line.strip() and line:
            compiling = ""


def _named(fault: re.Match[str], path: str) -> str:
    """Return the file of a fault: the one above it, else what `py_compile` says behind it, a name without folder."""
    where = _WHERE.search(fault[2]) if not path and fault[0].startswith("Sorry: ") else None
    return where[1] if where else path


def _diagnostic(output: ToolOutput, path: str, line: str, fault: re.Match[str]) -> Diagnostic:
    where = _WHERE.search(fault[2])
    return Diagnostic(
        path=locate(output, path),
        line=text.number(line or (where[2] if where else None)),
        rule_id=fault[1],
        message=f"{fault[1]}: {_WHERE.sub('', fault[2])}",
        kind=DiagnosticKind.SYNTAX_ERROR,
    )


TOOL = Tool(name="compileall", commands=(r"(?:compileall|py_compile)\b",), parse=parse, ecosystem="python")
