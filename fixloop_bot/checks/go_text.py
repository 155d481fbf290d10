"""What Go's compiler, linker and `go vet` print."""

import re
from collections.abc import Iterator, Sequence

from fixloop_bot.checks import text
from fixloop_bot.checks.go_message import rule_of
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind

_HEADER = re.compile(r"^# (?:\[\S+\]|\S+(?: \[\S+\])?)$")
_PLACE = re.compile(r"^(?:vet: )?([^\s:][^:\n]*\.go):(\d+)(?::(\d+))?: (\S.*)$")
_MANIFEST = re.compile(r"^([^\s:][^:\n]*\bgo\.(?:mod|work)):(\d+)(?::(\d+))?: (\S.*)$")
_LINK = re.compile(r"^(?:runtime\.main_main\S*: (function main is undeclared in the main package)|(\S+): (relocation"
                   r" target \S+ not defined))$")  # fmt: skip
_CYCLE = re.compile(r"^\timports (\S+): (import cycle not allowed\b.*)$")
_OTHER_PLACE = re.compile(r"(?<!\S)\S+\.go:\d+(?::\d+)?: ")
_MAX_MORE = 6
"""Indented lines that go on with a message."""


def header(line: str) -> bool:
    """Return whether the line heads what is wrong with one package: `# example.com/x [example.com/x.test]`."""
    return _HEADER.match(line) is not None


def place(line: str) -> bool:
    """Return whether the line is a finding of compiler, linker or vet."""
    return any(pattern.match(line) for pattern in (_PLACE, _MANIFEST, _LINK))


def diagnostics(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield what each line says that begins with a place in Go code or in a go.mod, or that the linker prints."""
    for index, line in enumerate(lines):
        if found := _PLACE.match(line):
            rule, kind = rule_of(found[4])
            yield _diagnostic(output, found, rule, kind, [found[4], *_more(lines, index + 1)])
        elif found := _MANIFEST.match(line):
            yield _diagnostic(output, found, "go.mod", DiagnosticKind.BUILD_ERROR, [found[4]])
        elif found := _LINK.match(line):
            message = found[1] or f"{found[2]}: {found[3]}"
            yield Diagnostic(rule_id="link", message=message, kind=DiagnosticKind.BUILD_ERROR)
        elif found := _CYCLE.match(line):
            yield Diagnostic(rule_id="import", message=f"{found[1]}: {found[2]}", kind=DiagnosticKind.BUILD_ERROR)


def _diagnostic(
    output: ToolOutput, found: re.Match[str], rule: str | None, kind: DiagnosticKind, message: list[str]
) -> Diagnostic:
    return Diagnostic(
        path=locate(output, found[1]),
        line=text.number(found[2]),
        column=text.number(found[3]),
        rule_id=rule,
        message=text.message(message),
        kind=kind,
    )


def _more(lines: Sequence[str], start: int) -> Iterator[str]:
    """Yield the indented lines below a message, without the places that they name."""
    for line in lines[start : start + _MAX_MORE]:
        if not line.startswith("\t"):
            return
        yield _OTHER_PLACE.sub("", line.strip(), count=1)
