"""`php-cs-fixer check` and `fix --dry-run`, and Laravel's `pint --test`, which is built on it."""

import re
from collections.abc import Iterator

from fixloop_bot.checks import text
from fixloop_bot.checks.json_or_text import parse_json_or_text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind

_NUMBERED = re.compile(r"^ {1,4}(\d{1,6})\) (\S.*?)(?: \(([a-z][\w/]*(?:, [\w/]+)*)\))?$")
_FOUND = re.compile(r"^(?:Found|Fixed|Checked|Check mode) .{0,60}files? ")
_BROKEN = re.compile(r"^Files that were not fixed due to errors reported during (?:linting|fixing)")
_PINT_HEAD = re.compile(r"^\s+(?:FAIL|PASS|FIXED)\s.*\d files?\b")
_PINT = re.compile(r"^ {1,4}[\u2a2f!\u2715\u2718] (\S(?:.*?\S)??) {2,}(\S.*)$")
_FORMAT = "format"


def parse(output: ToolOutput) -> Parsed:
    """Read JSON where the person's command asks for it, else the list of files that would change."""
    return parse_json_or_text(output, _from_json, _from_text)


def _from_json(output: ToolOutput, report: object) -> Iterator[Diagnostic]:
    if not isinstance(report, dict) or not {"time", "memory"} <= set(report):
        return
    for file in text.objects(report, "files"):
        fixers = file.get("appliedFixers")
        names = [name for name in fixers if isinstance(name, str)] if isinstance(fixers, list) else []
        yield _diagnostic(output, text.string(file, "name"), ", ".join(names))


def _from_text(output: ToolOutput) -> Iterator[Diagnostic]:
    lines = text.lines(output.text)
    if any(_PINT_HEAD.match(line) for line in lines):
        yield from (_diagnostic(output, row[1], row[2].strip()) for line in lines if (row := _PINT.match(line)))
    if not any(_FOUND.match(line) or _BROKEN.match(line) for line in lines):
        return
    broken, number = False, 0
    for line in lines:
        entry = _NUMBERED.match(line)
        if _BROKEN.match(line):
            broken, number = True, 0
        elif entry and int(entry[1]) == number + 1:
            number += 1
            yield _diagnostic(output, entry[2], entry[3] or "", broken=broken)


def _diagnostic(output: ToolOutput, path: str, fixers: str, *, broken: bool = False) -> Diagnostic:
    said = f"is not formatted: {fixers}" if fixers else "is not formatted"
    return Diagnostic(
        path=locate(output, path),
        rule_id="syntax" if broken else _FORMAT,
        message=("cannot be parsed" if broken else said)[: text.MAX_MESSAGE],
        kind=DiagnosticKind.SYNTAX_ERROR if broken else DiagnosticKind.LINT_ERROR,
    )


TOOL = Tool(
    name="php-cs-fixer",
    commands=(r"php-cs-fixer\b", r"pint\b"),
    parse=parse,
    config_files=(".php-cs-fixer.php", ".php-cs-fixer.dist.php", ".php_cs", ".php_cs.dist", "pint.json"),
    ecosystem="php",
)
