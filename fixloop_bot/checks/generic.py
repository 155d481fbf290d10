"""The last resort: any `file:line[:column]: message` whose file exists in the repository."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from fixloop_bot.checks import text
from fixloop_bot.checks.places import Hit, places
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind, Level
from fixloop_bot.model.fingerprint import Tier

_SAYS_ERROR = re.compile(r"^(?:fatal |syntax |internal )?error\b", re.IGNORECASE)
_LABELLED_ERROR = re.compile(r":\d{1,8}:(?:\d{1,8}:)? (?:fatal |syntax |internal )?error\b", re.IGNORECASE)
_LABEL = re.compile(r"^[\s:,)\]-]*\[?(warning|warn|note|info|help|hint|style|convention)\b", re.IGNORECASE)
_RULE = re.compile(
    r"\[(-?[A-Za-z][\w./=+-]{2,60})\]\s*$|\b([A-Z]{1,4}\d{3,5})\b|^[\s:]*\[?[CWEF]\]? ?:? ?([A-Z]\w+/\w+):"
)
_RUST_HEAD = re.compile(r"^(error|warning)(?:\[(\w+)\])?: (.*)$")
_EXCEPTION = re.compile(r"^[A-Za-z_][\w.]*(?:Error|Exception|Warning|Exit|Interrupt)\b(?:: |$)")
_FRAME = re.compile(
    r"^\s+(?:at|from|#\d{1,4} 0x[0-9a-f]+ in) \S|^(?:<internal:)?[^\s:][^:\n]*:\d{1,8}:in [`'][^\n]{0,500}'$"
)
_PYTHON_FRAME = re.compile(r'^\s+File "')
_THROWN = re.compile(r"(?:Error|Exception)\b.{0,40}: |\bpanicked at |ERROR: \w+Sanitizer: |\([A-Z]\w*Error\)$")
_ECHO = re.compile(r"^g?make(?:\[\d{1,4}\])?: \*\*\* \[")
"""make names the recipe that failed, which is no finding: the recipe's own words are, or what its program lacks."""
_STACK = 30
"""Lines between a frame and what was thrown."""
_ENDS_PARAGRAPH = re.compile(r"^(?:stack backtrace:|note: |\s*\d+: )")
_MAX_PARAGRAPH = 4
"""Lines."""


def parse(output: ToolOutput) -> Parsed:
    """Read every line that names a place in the repository."""
    lines = text.lines(output.text)
    found = _demoted(text.distinct(_from_text(output, lines)), lines)
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT)


def _from_text(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield what each place says; of one stack's frames only the innermost, with what was thrown."""
    thrown: dict[str, Hit] = {}
    told: set[str] = set()
    for hit in places(output, lines):
        if _ECHO.match(lines[hit.index]):
            continue
        above, below = _thrown_above(lines, hit), _thrown_below(lines, hit)
        if above in told:
            continue
        if above:
            thrown.setdefault(above, hit)
        elif below:
            thrown[below] = hit
        else:
            told.add(lines[hit.index].strip())
            yield _diagnostic(hit, *_read(lines, hit))
    yield from (_diagnostic(hit, None, Level.ERROR, message) for message, hit in thrown.items())


def _diagnostic(hit: Hit, rule: str | None, level: Level, message: str) -> Diagnostic:
    return Diagnostic(
        path=hit.path,
        line=hit.line,
        column=hit.column,
        level=level,
        rule_id=rule,
        message=message[: text.MAX_MESSAGE],
        kind=DiagnosticKind.BUILD_ERROR,
    )


def _thrown_above(lines: Sequence[str], hit: Hit) -> str:
    """Return what was thrown, if this is a frame of a stack that stands below it (JavaScript, Java, Ruby, Rust, C)."""
    if not _FRAME.match(lines[hit.index]):
        return ""
    above = lines[max(hit.index - _STACK, 0) : hit.index]
    return next((line.strip() for line in reversed(above) if _THROWN.search(line) and not _FRAME.match(line)), "")


def _thrown_below(lines: Sequence[str], hit: Hit) -> str:
    """Return what was thrown, if this is a frame of a Python traceback, which ends with it."""
    if not _PYTHON_FRAME.match(lines[hit.index]):
        return ""
    below = lines[hit.index + 1 : hit.index + _STACK]
    return next((line for line in below if _EXCEPTION.match(line)), "")


def _read(lines: Sequence[str], hit: Hit) -> tuple[str | None, Level, str]:
    """Return rule, level and message of a hit: from its own line, else from the line that heads or follows it."""
    previous = lines[hit.index - 1] if hit.index else ""
    if hit.before.strip() == "-->" and (head := _RUST_HEAD.match(previous)):
        return head[2], text.level(head[1]), head[3]
    message = hit.after.lstrip(" \t:)]-,'\"").rstrip()
    if len(message) < 3 and lines[hit.index].rstrip().endswith(":"):
        message = text.message(_paragraph(lines[hit.index + 1 : hit.index + 1 + _MAX_PARAGRAPH]))
    if len(message) < 3:
        message = hit.before.strip(" \t:([-,'\"") or previous.strip()
    rule = _RULE.search(hit.after)
    label = _LABEL.match(hit.after)
    level = text.level(label[1]) if label else Level.ERROR
    return (next(filter(None, rule.groups()), None) if rule else None), level, message


def _paragraph(following: Sequence[str]) -> list[str]:
    """Return the lines up to a blank one or the frames of a stack."""
    end = next(
        (n for n, line in enumerate(following) if not line.strip() or _ENDS_PARAGRAPH.match(line)), len(following)
    )
    return [line.strip() for line in following[:end]]


def _demoted(found: tuple[Diagnostic, ...], lines: Sequence[str]) -> tuple[Diagnostic, ...]:
    """Where a compiler labels its errors, places without a label are mere mentions."""
    if not any(_LABELLED_ERROR.search(line) for line in lines):
        return found
    return tuple(item if item.rule_id or _SAYS_ERROR.search(item.message) else _note(item) for item in found)


def _note(item: Diagnostic) -> Diagnostic:
    return replace(item, level=Level.NOTE) if item.level is Level.ERROR else item


TOOL = Tool(name="generic", commands=(), parse=parse)
