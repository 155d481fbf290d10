"""What linkers print (GNU ld, gold, lld), mapped to the source files that they name."""

import re
from collections.abc import Iterator, Sequence

from fixloop_bot.checks import text
from fixloop_bot.checks.source_paths import SourceFinder
from fixloop_bot.checks.tool import ToolOutput
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind

_FAULTS = (
    ("undefined reference to ", "undefined-reference"),
    ("multiple definition of ", "multiple-definition"),
    ("relocation truncated to fit: ", "relocation"),
)
_SYMBOL = re.compile(r"^[`'\"]([^'\"\n]{1,1000})['\"]")
_IN_FUNCTION = re.compile(
    r"^(?:\S{0,300}ld(?:\.\w{1,10})?: )?(\S{1,1000}?\.(?:o|obj|a|lo)(?:\([^()\n]{1,300}\))?): "
    r"in function [`'][^'\n]{1,1000}': ?"
)
_LD = re.compile(r"^(?:\S{0,300}/)?(?:[\w-]{1,60}-)?ld(?:\.(?:bfd|gold|lld|mold))?: ")
_PLACED = re.compile(
    r"^(?:(\S{1,1000}?\.(?:o|obj|lo)):)?([^:\n]{1,1000}):(?:(\d{1,8})|\(\.[^()\n]{1,300}\)|function [^\n]{1,300}?): "
)
_OBJECT = re.compile(r"^(\S{1,1000}?\.(?:o|obj|lo)):? ?(?:\(\.[^()\n]{1,300}\): )?")
_LLD = re.compile(r"^(?:\S{0,300}/)?ld(?:64)?\.lld: error: (undefined|duplicate) symbol: (.{1,1000})$")
_LLD_PLACE = re.compile(
    r"^>>> (?:referenced by|defined at) ([^:\n(]{1,1000}?)(?::(\d{1,8}))?(?: \(([^:\n]{1,1000}):\d{1,8}\))?$"
)
_LLD_SPAN = 6
_OBJECTS = (".o", ".obj", ".lo")

Place = tuple[str | None, int | None]


def diagnostics(output: ToolOutput, lines: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield each symbol that is missing or defined twice, once for each place that the linker tells apart."""
    if not any("undefined " in line or " definition of " in line or "duplicate symbol" in line for line in lines):
        return
    finder = SourceFinder(output, lines)
    compiled = ""
    for index, line in enumerate(lines):
        if finder.enter(line):
            continue
        inside = _IN_FUNCTION.match(line) if ": in function " in line else None
        if inside:
            compiled = inside[1]
        if lld := _LLD.match(line):
            yield _from_lld(finder, lld, lines[index + 1 : index + 1 + _LLD_SPAN])
        else:
            said = line[inside.end() :] if inside else _LD.sub("", line)
            yield from _from_ld(finder, said.removeprefix("error: "), compiled)


def _from_ld(finder: SourceFinder, line: str, compiled: str) -> Iterator[Diagnostic]:
    for words, rule in _FAULTS:
        before, found, after = line.rpartition(words)
        if found:
            symbol = _SYMBOL.match(after)
            named = f"`{symbol[1]}'" if symbol else after
            yield _diagnostic(rule, f"{words}{named}", _place(finder, before, compiled))
            return


def _place(finder: SourceFinder, before: str, compiled: str) -> Place:
    """Return the source that the words before the fault name, else the one that the object file was made of."""
    placed = _PLACED.match(before)
    if placed and not placed[2].endswith(_OBJECTS):
        return finder.by_name(placed[2], placed[1] or compiled), text.number(placed[3])
    named = _OBJECT.match(before)
    return (_of_object(finder, named[1]), None) if named else (None, None)


def _of_object(finder: SourceFinder, compiled: str) -> str | None:
    stem = compiled.rpartition("/")[2].rpartition(".")[0]
    names = (stem, *(f"{stem}.{end}" for end in ("c", "cc", "cpp", "cxx", "C", "m", "S", "s")))
    return next((path for name in names if "." in name and (path := finder.by_name(name, compiled))), None)


def _from_lld(finder: SourceFinder, head: re.Match[str], below: Sequence[str]) -> Diagnostic:
    undefined = head[1] == "undefined"
    places = [found for line in below if (found := _LLD_PLACE.match(line))]
    chosen = places[:1] if undefined else places[-1:]  # the second definition is the one too many
    place: Place = (None, None)
    for found in chosen:
        place = finder.by_name(found[3] or found[1]), text.number(found[2])
    rule = "undefined-reference" if undefined else "multiple-definition"
    said = "undefined reference to" if undefined else "multiple definition of"
    return _diagnostic(rule, f"{said} `{head[2]}'", place)


def _diagnostic(rule: str, message: str, place: Place) -> Diagnostic:
    return Diagnostic(
        path=place[0],
        line=place[1],
        rule_id=rule,
        message=message[: text.MAX_MESSAGE],
        kind=DiagnosticKind.BUILD_ERROR,
    )
