"""The last resort: any `file:line[:column]: message` whose file exists in the repository, and any JUnit XML."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from fixloop_bot.checks import junit, text
from fixloop_bot.checks.junit import Case, Verdict
from fixloop_bot.checks.paths import in_repository, locate
from fixloop_bot.checks.tool import Parsed, Tool, ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind, Level
from fixloop_bot.model.fingerprint import Tier
from fixloop_bot.model.layer import TestReport

_NAMED = r"(?:[\w@+~./-]{0,300}\.[A-Za-z]\w{0,9}|(?:[\w./-]{0,200}/)?(?:Make|Docker|Rake|Gem|Just|make|just)file)"
_COLONS = re.compile(rf"(?<![\w@+~./-])({_NAMED}):(\d{{1,8}})(?::(\d{{1,8}}))?(?![\w.])")
_PARENTHESES = re.compile(rf"(?<![\w@+~./-])({_NAMED})\((\d{{1,8}})(?:,(\d{{1,8}}))?\)")
_QUOTED = re.compile(r'(?:File|file|at) "([^"\n]{1,1000})", line (\d{1,8})()')
_ON_LINE = re.compile(rf"(?<![\w@+~./-])({_NAMED})(?: on|,) line (\d{{1,8}})()|In ({_NAMED}) line (\d{{1,8}}):")
_LINKED = re.compile(rf"(?<![\w@+~./-])({_NAMED}):\(\.[\w.]{{1,80}}\+0x[0-9a-f]{{1,16}}\)()()")
_PATTERNS = (_LINKED, _QUOTED, _COLONS, _PARENTHESES, _ON_LINE)
_SAYS_ERROR = re.compile(r"^(?:fatal |syntax |internal )?error\b", re.IGNORECASE)
_LABELLED_ERROR = re.compile(r":\d{1,8}:(?:\d{1,8}:)? (?:fatal |syntax |internal )?error\b", re.IGNORECASE)
_LABEL = re.compile(r"^[\s:,)\]-]*\[?(warning|warn|note|info|help|hint|style|convention)\b", re.IGNORECASE)
_RULE = re.compile(
    r"\[(-?[A-Za-z][\w./=+-]{2,60})\]\s*$|\b([A-Z]{1,4}\d{3,5})\b|^[\s:]*\[?[CWEF]\]? ?:? ?([A-Z]\w+/\w+):"
)
_RUST_HEAD = re.compile(r"^(error|warning)(?:\[(\w+)\])?: (.*)$")
_EXCEPTION = re.compile(r"^[A-Za-z_][\w.]*(?:Error|Exception|Warning|Exit|Interrupt)\b(?:: |$)")
_FRAME = re.compile(r"^\s+(?:at|from) \S")
_PYTHON_FRAME = re.compile(r'^\s+File "')
_THROWN = re.compile(r"(?:Error|Exception)\b.{0,40}: |\([A-Z]\w*Error\)$")
_STACK = 30
"""Lines between a frame and what was thrown."""
_ENDS_PARAGRAPH = re.compile(r"^(?:stack backtrace:|note: |\s*\d+: )")
_MAX_PARAGRAPH = 4
"""Lines."""
_MAX_HITS = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One place that a line names."""

    index: int
    path: str
    line: int | None
    column: int | None
    before: str
    after: str


def parse(output: ToolOutput) -> Parsed:
    """Read a JUnit report if there is one, else every line that names a place in the repository."""
    cases = junit.read_cases(output.report)
    if cases:
        found = text.distinct(_from_cases(output, cases))
        return Parsed(diagnostics=found, tier=Tier.STRUCTURED, tests=_tests(cases))
    lines = text.lines(output.text)
    found = _demoted(text.distinct(_from_text(output, lines)), lines)
    return Parsed(diagnostics=found, tier=Tier.PARSED if found else Tier.TEXT)


def places(output: ToolOutput, lines: Sequence[str]) -> Iterator[Hit]:
    """Yield the first place of each line that is a file in the repository, at most `_MAX_HITS` of them."""
    hits = (hit for index, line in enumerate(lines) if (hit := _hit(output, index, line)))
    yield from (hit for hit, _ in zip(hits, range(_MAX_HITS), strict=False))


def _hit(output: ToolOutput, index: int, line: str) -> Hit | None:
    for pattern in _PATTERNS:
        for found in pattern.finditer(line):
            name, number, column = (*(part for part in found.groups() if part is not None), "")[:3]
            path = in_repository(output, name)
            if path:
                return Hit(
                    index=index,
                    path=path,
                    line=text.number(number),
                    column=text.number(column),
                    before=line[: found.start()],
                    after=line[found.end() :],
                )
    return None


def _from_text(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield what each place says; of one stack's frames only the innermost, with what was thrown."""
    thrown: dict[str, Hit] = {}
    for hit in places(output, lines):
        above, below = _thrown_above(lines, hit), _thrown_below(lines, hit)
        if above:
            thrown.setdefault(above, hit)
        elif below:
            thrown[below] = hit
        else:
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
    """Return what was thrown, if this is a frame of a stack that stands below it (JavaScript, Java, Ruby)."""
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


def _from_cases(output: ToolOutput, cases: Sequence[Case]) -> Iterator[Diagnostic]:
    for case in cases:
        if case.verdict in {Verdict.FAILED, Verdict.ERROR}:
            hit = next(places(output, case.body.split("\n", text.MAX_LINES)), None)
            yield Diagnostic(
                path=(locate(output, case.file) if case.file else None) or (hit.path if hit else None),
                line=text.number(case.line) or (hit.line if hit else None),
                message=(case.message or text.message(case.body.split("\n", text.MAX_LINES)))[: text.MAX_MESSAGE],
                kind=DiagnosticKind.TEST_FAILURE,
                test_id=_name(case),
            )


def _name(case: Case) -> str:
    return " ".join(part for part in (case.classname, case.name) if part)


def _tests(cases: Sequence[Case]) -> TestReport:
    passed = tuple(_name(case) for case in cases if case.verdict is Verdict.PASSED)
    failed = tuple(_name(case) for case in cases if case.verdict in {Verdict.FAILED, Verdict.ERROR})
    skipped = tuple(_name(case) for case in cases if case.verdict is Verdict.SKIPPED)
    return TestReport(len(passed) + len(failed), passed, failed, skipped)


TOOL = Tool(name="generic", commands=(), parse=parse)
