"""What rustc and clippy print, on their own or under cargo."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fixloop_bot.checks import text
from fixloop_bot.checks.paths import locate
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind

_HEAD = re.compile(r"^(error|warning)(?:\[(E\d{4})\])?: (\S.*)$")
_SHORT = re.compile(r"^([^\s:][^:\n]*\.rs):(\d+):(\d+): (error|warning)(?:\[(E\d{4})\])?: (\S.*)$")
_ARROW = re.compile(r"^ *--> (\S[^:\n]*(?:\.rs|Cargo\.toml)):(\d+):(\d+)$")
_LINT = re.compile(r"^ *= note: `(?:#!?\[\w+\(([\w:]+)\)\]|-[A-Z] ([\w:-]+))`")
_CLIPPY_PAGE = re.compile(r"^ *= help: for further information visit \S+/index\.html#(\w+)$")
_EXPECTED = re.compile(r"^ *= note: +((?:expected|found) .*)$")
_FOUND = re.compile(r"^ *(found .*)$")
_QUOTED = re.compile(r"`[^`\n]*`")
_MANIFEST = re.compile(r"^failed to (?:parse|load) manifest (?:at|for) `([^`\n]+)`$")
_PLACELESS = re.compile(r"linking with `|cannot find (?:macro|attribute) |requires `|`#\[panic_handler\]` ")
_SYNTAX = re.compile(
    r"(?:expected|unexpected|unknown start of token|this file contains an un-?closed delimiter|mismatched closing"
    r"|unterminated|missing|invalid|leading|prefix `|keyword |found |unmatched|format argument)\b"
)
_MAX_BLOCK = 60
"""Lines of one message that are looked at."""


@dataclass(slots=True)
class _Block:
    """One message: its head and what stands below it."""

    level: str
    code: str
    message: str
    lines: list[str] = field(default_factory=list)

    @property
    def place(self) -> re.Match[str] | None:
        return next((found for line in self.lines[:20] if (found := _ARROW.match(line))), None)

    @property
    def lint(self) -> str:
        """Return the name of the lint that the message belongs to, where it is told."""
        for line in self.lines:
            if page := _CLIPPY_PAGE.match(line):
                return f"clippy::{page[1]}"
            if found := _LINT.match(line):
                return (found[1] or found[2]).replace("-", "_")
        return ""


def diagnostics(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield the errors and warnings, in the full and in the short form."""
    blocks = list(_blocks(lines))
    # rustc names a lint only below its first finding: the others are known by the same words.
    named = {_words(block): lint for block in blocks if (lint := block.lint)}
    for block in blocks:
        lint = block.lint or ("" if block.code else named.get(_words(block), ""))
        yield from _diagnostic(output, block, lint)
    for line in lines:
        if found := _SHORT.match(line):
            yield diagnostic(output, (found[1], found[2], found[3]), found[4], found[5] or "", found[6])


def diagnostic(
    output: ToolOutput,
    place: tuple[str, str, str] | None,
    level: str,
    rule: str,
    message: str,
) -> Diagnostic:
    """Return a diagnostic; `place` is path, line and column as printed, `rule` an error code or a lint's name."""
    return Diagnostic(
        path=locate(output, place[0]) if place else None,
        line=text.number(place[1]) if place else None,
        column=text.number(place[2]) if place else None,
        level=text.level(level),
        rule_id=rule or None,
        message=message[: text.MAX_MESSAGE],
        kind=_kind(rule, message),
    )


def counts(message: str, code: str) -> bool:
    """Return whether a message without a place is a finding, and no summary such as `could not compile`."""
    return bool(code) or _PLACELESS.match(message) is not None


def _blocks(lines: Sequence[str]) -> Iterator[_Block]:
    block: _Block | None = None
    for line in lines:
        if head := _HEAD.match(line):
            yield from [block] if block else []
            block = _Block(head[1], head[2] or "", head[3])
        elif block and not line.strip():
            yield block
            block = None
        elif block and len(block.lines) < _MAX_BLOCK:
            block.lines.append(line)
    yield from [block] if block else []


def _words(block: _Block) -> str:
    return _QUOTED.sub("``", block.message)


def _diagnostic(output: ToolOutput, block: _Block, lint: str) -> Iterator[Diagnostic]:
    place = block.place
    rule = block.code or lint
    manifest = _MANIFEST.match(block.message)
    if place:
        message = text.message([block.message, *_details(block)])
        yield diagnostic(output, (place[1], place[2], place[3]), block.level, rule, message)
    elif manifest:
        yield diagnostic(output, (manifest[1], "", ""), block.level, "manifest", "failed to parse manifest")
    elif counts(block.message, block.code):
        yield diagnostic(output, None, block.level, rule, block.message)


def _details(block: _Block) -> Iterator[str]:
    """Yield the lines above the place, the words beside the marks of the place itself, and the types that differ."""
    place = next((n for n, line in enumerate(block.lines) if _ARROW.match(line)), 0)
    yield from block.lines[:place]
    expected = False
    for line in block.lines[place + 1 :]:
        if found := (_EXPECTED.match(line) or (_FOUND.match(line) if expected else None)):
            expected = True
            yield found[1]
        elif label := _label(line):
            yield label


def _label(line: str) -> str:
    """Return what stands beside the carets of a line of marks, empty for any other line."""
    gutter, bar, rest = line.partition("|")
    at = rest.rfind("^")
    marks = rest[:at].strip(" ^-|_")
    return rest[at + 1 :].strip() if bar and not gutter.strip() and at >= 0 and not marks else ""


def _kind(rule: str, message: str) -> DiagnosticKind:
    if re.fullmatch(r"E\d{4}", rule):
        return DiagnosticKind.TYPE_ERROR
    if rule and rule != "manifest":
        return DiagnosticKind.LINT_ERROR
    return DiagnosticKind.SYNTAX_ERROR if _SYNTAX.match(message) else DiagnosticKind.BUILD_ERROR
