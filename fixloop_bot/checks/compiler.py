"""What gcc and clang print: errors and warnings, each with the place in the project that a person has to look at."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fixloop_bot.checks import text
from fixloop_bot.checks.compiler_rules import rule_of
from fixloop_bot.checks.source_paths import SourceFinder, is_source
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind, Level

_LINE = re.compile(
    r"^([^:\n]{1,1024}):(\d{1,8})(?::(\d{1,8}))?: "
    r"(?:((?:fatal |internal compiler )?[Ee]rror|sorry, unimplemented|[Ww]arning|note|remark): )(.+)$"
)
_REQUIRED = re.compile(r"^([^:\n]{1,1024}):(\d{1,8})(?::(\d{1,8}))?: {1,4}(?:recursively )?required (?:from|by|for)\b")
_INCLUDED = re.compile(r"^(?:In file included from | {6,24}from )([^:\n]{1,1024}):(\d{1,8})(?::\d{1,8})?[,:]$")
_INSTANTIATION = re.compile(r"\bin instantiation of\b|\brequested here\b|\brequired\b|\bexpanded from macro\b")
_DRIVER = re.compile(r"(?:^|-)(?:gcc|g\+\+|cc|c\+\+|cc1|cc1plus|cc1obj|lto1|clang|clang\+\+)(?:-[\d.]{1,8})?$")
_REFUSED = re.compile(r"^(?:fatal )?error: (?!linker command failed|no input files)(.+)$")
_MAX_CONTEXT = 200
_MAX_FAULTS = 20_000

Place = tuple[str, int | None, int | None]


@dataclass(slots=True)
class _Fault:
    """One error or warning as printed, and the places printed around it that lie in the repository."""

    word: str
    message: str
    own: Place | None
    outside: bool
    around: list[Place] = field(default_factory=list)
    """Where a template was instantiated: gcc says it above, clang below."""
    included: Place | None = None


def diagnostics(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield errors and warnings; notes only place what they belong to. Without any error, what the driver says."""
    faults = list(_faults(SourceFinder(output, lines), lines))
    yield from (_diagnostic(fault) for fault in faults)
    if all(text.level(fault.word.split(",")[0]) is not Level.ERROR for fault in faults):
        yield from _driver(output, lines)


def _faults(finder: SourceFinder, lines: Sequence[str]) -> Iterator[_Fault]:
    reader = _Reader(finder)
    for line in lines:
        if ":" in line and not finder.enter(line):
            yield from reader.read(line)
        if reader.count >= _MAX_FAULTS:
            break
    yield from reader.end()


class _Reader:
    """Reads line by line; a fault is whole when the next one begins, as notes come after it."""

    def __init__(self, finder: SourceFinder) -> None:
        self.count = 0
        self._finder = finder
        self._open: _Fault | None = None
        self._above: list[Place] = []
        self._included: Place | None = None
        self._in_stack = False

    def read(self, line: str) -> Iterator[_Fault]:
        """Yield the fault that this line shows to be whole."""
        if included := _INCLUDED.match(line):
            self._include(included)
            return
        self._in_stack = False
        if required := _REQUIRED.match(line):
            self._keep(self._above, self._known(required))
        elif (found := _LINE.match(line)) and is_source(found[1]):
            if found[4] in {"note", "remark"}:
                self._note(found)
            else:
                yield from self.end()
                self._begin(found)

    def end(self) -> Iterator[_Fault]:
        """Yield the fault that is still open."""
        if self._open is not None:
            yield self._open
            self._open = None

    def _include(self, found: re.Match[str]) -> None:
        place = self._known(found)
        if not self._in_stack:
            self._included = None
        self._in_stack = True
        self._included = self._included or place

    def _note(self, found: re.Match[str]) -> None:
        if self._open is not None and _INSTANTIATION.search(found[5]):
            self._keep(self._open.around, self._known(found))

    def _begin(self, found: re.Match[str]) -> None:
        path = self._finder.find(found[1])
        own = (path, text.number(found[2]), text.number(found[3])) if path else None
        self._open = _Fault(found[4], found[5], own, own is None, self._above[::-1], self._included)
        self._above = []
        self.count += 1

    def _known(self, found: re.Match[str]) -> Place | None:
        path = self._finder.find_known(found[1])
        column = found[3] if found.re.groups > 2 else None
        return (path, text.number(found[2]), text.number(column)) if path else None

    @staticmethod
    def _keep(places: list[Place], place: Place | None) -> None:
        if place is not None and len(places) < _MAX_CONTEXT:
            places.append(place)


def _diagnostic(fault: _Fault) -> Diagnostic:
    rule, kind, message = rule_of(fault.message)
    fallback = fault.around[0] if fault.around else fault.included
    path, line, column = fault.own or fallback or (None, None, None)
    return Diagnostic(
        path=path,
        line=line,
        column=column,
        level=text.level(fault.word.split(",")[0]),
        rule_id=rule,
        message=message[: text.MAX_MESSAGE],
        kind=kind,
    )


def _driver(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield what the compiler's driver refuses: an option, a file that is not there."""
    finder = SourceFinder(output, lines)
    for line in lines:
        program, _, said = line.partition(": ") if "error: " in line else ("", "", "")
        found = _REFUSED.match(said) if _DRIVER.search(program[-100:].rpartition("/")[2]) else None
        if found:
            rule, _, message = rule_of(found[1])
            yield Diagnostic(
                path=finder.find_known(named) if is_source(named := found[1].partition(":")[0]) else None,
                rule_id=rule or "driver",
                message=message[: text.MAX_MESSAGE],
                kind=DiagnosticKind.BUILD_ERROR,
            )
