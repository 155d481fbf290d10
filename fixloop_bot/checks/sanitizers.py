"""The sanitizers of gcc and clang (address, leak, thread, memory, undefined behaviour), and valgrind's memcheck."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fixloop_bot.checks import text
from fixloop_bot.checks.source_paths import SourceFinder, is_source
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.fingerprint import Tier

_HEAD = re.compile(
    r"(?:==\d{1,10}==)?(?:ERROR|WARNING): (Address|HWAddress|Leak|Thread|Memory)Sanitizer:? ([^\n]{1,400}?)"
    r"(?: (?:on|at|in thread) (?:unknown )?address\b.*| \(pid[= ]\d{1,10}\).*| \(pc 0x.*)?$"
)
_LEAK = re.compile(r"^((?:Direct|Indirect) leak of \d{1,12} byte\(s\) in \d{1,9} object\(s\)) allocated from:")
_RUNTIME_ERROR = ": runtime error: "
_PLACE = re.compile(r"([^:\s][^:\n]{0,1000}):(\d{1,8}):(\d{1,8})$")
_VALGRIND = re.compile(
    r"^==\d{1,10}== "
    r"((?:Invalid (?:read|write|free)|Conditional jump|Use of uninitialised|Mismatched free|Syscall param"
    r"|Process terminating with|Source and destination overlap|Jump to the invalid"
    r"|Argument '\w+' of function)\b.{0,200}"
    r"|[\d,]{1,15} (?:\([^)\n]{1,100}\) )?bytes in [\d,]{1,12} blocks are definitely lost\b.{0,100})$"
)
_VALGRIND_FRAME = re.compile(
    r"^==\d{1,10}== {3,5}(?:at|by) 0x[0-9A-F]{1,16}: (\S[^\n]{0,500}?) \(([^():\n]{1,500}):(\d{1,8})\)$"
)
_FRAME = re.compile(r"^ {1,8}#\d{1,4} (?:0x[0-9a-f]{1,16} in )?(.+)$")
_MODULE = re.compile(r" \([^()]{1,300}\)$")
_AT_LINE = re.compile(r":(\d{1,8})(?::(\d{1,8}))?$")
_ACCESS = re.compile(r"\b((?:READ|WRITE|Read|Write|Atomic read|Atomic write) of size \d{1,9})\b")
_NEAR = re.compile(
    r"^(?:0x[0-9a-f]{1,16} is )?located (\d{1,12} bytes .{1,60}? (?:\d{1,12}-byte region|global variable '.{1,200}?'))"
)
_VOLATILE = re.compile(r"0x[0-9a-fA-F]{4,16}|\bloss record [\d,]+ of [\d,]+|, \d{1,12} \(.{1,80}\)")
_RULES = (
    ("signed integer overflow", "signed-integer-overflow"), ("unsigned integer overflow", "unsigned-integer-overflow"),
    ("division by zero", "division-by-zero"), ("shift exponent", "shift"), ("left shift", "shift"),
    ("out of bounds", "out-of-bounds"), ("null pointer", "null-pointer"), ("misaligned", "misaligned-address"),
    ("insufficient space", "object-size"), ("outside the range", "float-cast-overflow"),
    ("not a valid value", "invalid-value"), ("without returning a value", "missing-return"),
    ("definitely lost", "memory-leak"), ("Invalid read", "invalid-read"), ("Invalid write", "invalid-write"),
    ("Invalid free", "invalid-free"), ("uninitialised", "uninitialised-value"),
)  # fmt: skip
_SPAN = 60
"""Lines after a head in which its stack stands."""
_MAX_FOUND = 2_000


@dataclass(frozen=True, slots=True)
class _Frame:
    """One frame of a stack."""

    function: str
    file: str
    line: int | None
    column: int | None


def parse(output: ToolOutput) -> Parsed:
    """Read the reports; a place is the innermost frame that is a file of the repository."""
    found = text.distinct(diagnostics(output, text.lines(output.text)))
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT)


def diagnostics(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield one error for each report, each leak and each runtime error, at most `_MAX_FOUND`."""
    if "Sanitizer" in output.text or "runtime error: " in output.text or "== " in output.text:
        finder = SourceFinder(output, lines)
        found = (item for index, line in enumerate(lines) for item in _read(finder, lines, index, line))
        yield from (item for item, _ in zip(found, range(_MAX_FOUND), strict=False))


def _read(finder: SourceFinder, lines: Sequence[str], index: int, line: str) -> Iterator[Diagnostic]:
    if _RUNTIME_ERROR in line:
        yield from _undefined(finder, line)
    elif "Sanitizer" in line and (head := _HEAD.search(line)):
        if not head[2].startswith("detected memory leaks"):
            yield _report(finder, head, lines[index + 1 : index + 1 + _SPAN])
    elif leak := _LEAK.match(line):
        yield _placed(finder, "memory-leak", leak[1], lines[index + 1 : index + 1 + _SPAN])
    elif line.startswith("==") and (memcheck := _VALGRIND.match(line)):
        said = _VOLATILE.sub("", memcheck[1]).removesuffix(" in ").rstrip()
        yield _placed(finder, _rule(said) or "memcheck", said, lines[index + 1 : index + 1 + _SPAN])


def _undefined(finder: SourceFinder, line: str) -> Iterator[Diagnostic]:
    before, _, said = line.partition(_RUNTIME_ERROR)
    number = ":".join(before.rsplit(":", 2)[-2:])
    found = _PLACE.match(f"{before.rsplit(':', 2)[0].rpartition(':')[2].strip()}:{number}")
    path = finder.find(found[1]) if found and is_source(found[1]) else None
    if found and path:
        message = _VOLATILE.sub("<address>", said)
        place = (path, text.number(found[2]), text.number(found[3]))
        yield _diagnostic(place, _rule(message) or "undefined-behavior", message)


def _report(finder: SourceFinder, head: re.Match[str], below: Sequence[str]) -> Diagnostic:
    rule = head[2].split(":")[0].removeprefix("attempting ").strip().split(" on ")[0]
    stack = _stack(below)
    access = next((found[1] for line in stack if (found := _ACCESS.search(line))), "")
    near = next((found[1] for line in below if (found := _NEAR.match(line))), "")
    said = ", ".join(part for part in (_VOLATILE.sub("<address>", head[2]), access, near) if part)
    return _placed(finder, rule.replace(" ", "-"), said, below)


def _placed(finder: SourceFinder, rule: str, message: str, below: Sequence[str]) -> Diagnostic:
    for frame in filter(None, map(_frame, _stack(below))):
        path = finder.by_name(frame.file)
        if path:
            return _diagnostic((path, frame.line, frame.column), rule, f"{message} in {frame.function[:300]}")
    return _diagnostic((None, None, None), rule, message)


def _frame(line: str) -> _Frame | None:
    """Return what a line of a stack names; the file may hold blanks if its path is absolute."""
    if valgrind := _VALGRIND_FRAME.match(line):
        return _Frame(valgrind[1], valgrind[2], text.number(valgrind[3]), None)
    found = _FRAME.match(line)
    said = _MODULE.sub("", found[1]) if found else ""
    at = _AT_LINE.search(said[-20:])
    if at is None:
        return None
    function, _, file = said[: -len(at[0])].partition(" /")
    if file:
        return _Frame(function, f"/{file}", text.number(at[1]), text.number(at[2]))
    function, _, file = function.rpartition(" ")
    return _Frame(function, file, text.number(at[1]), text.number(at[2])) if file else None


def _stack(below: Sequence[str]) -> Sequence[str]:
    """Return the lines up to the end of the first stack."""
    started = False
    for number, line in enumerate(below):
        is_frame = bool(_VALGRIND_FRAME.match(line)) or line.lstrip().startswith("#")
        if started and not is_frame and not line.startswith("=="):
            return below[:number]
        if started and line.startswith("==") and not _VALGRIND_FRAME.match(line) and " by 0x" not in line:
            return below[:number]
        started = started or is_frame
    return below


def _rule(message: str) -> str | None:
    return next((rule for words, rule in _RULES if words in message), None)


def _diagnostic(place: tuple[str | None, int | None, int | None], rule: str, message: str) -> Diagnostic:
    return Diagnostic(
        path=place[0],
        line=place[1],
        column=place[2],
        rule_id=rule,
        message=message[: text.MAX_MESSAGE],
        kind=DiagnosticKind.TEST_FAILURE,
    )


TOOL = Tool(name="sanitizers", commands=(r"(?:valgrind)\b",), parse=parse)
