"""Which code the agent is shown with a failure, so that it need not ask: asking costs a whole call."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from fixloop_bot.core.imports import imported
from fixloop_bot.core.private_keys import mask_private_keys
from fixloop_bot.core.regions import AROUND, Region, around, cut, definitions, merge, named, python_tree
from fixloop_bot.model.context import Snippet
from fixloop_bot.model.diagnostic import DiagnosticKind, Level
from fixloop_bot.model.layer import Layer, LayerResult

WHOLE_LINES = 120
"""A file of at most so many lines is shown whole."""
WHOLE_READ_ONLY_LINES = 30
"""The same for a protected file that nothing points into: it cannot be changed, so less of it is worth its price."""
SMALL_IMPORT = 2_500
"""Characters; an import of an import is followed only into files that are smaller."""
FILE_LIMIT = 40
"""Files looked at."""
PLACES_LIMIT = 20
"""Places taken from one file."""

_LINE_AFTER = re.compile(r"""(?::|", line |\(|, line )(\d{1,7})""")
_DEFINITION = re.compile(
    r"\s{0,12}(?:(?:export|default|async|public|private|protected|static|pub|abstract)\s{1,4}){0,4}"
    r"(?:function\*?|class|const|let|var|def|func|fn|interface|type|enum|struct|module)\s{1,4}(\w{1,99})"
)
_IDENTIFIER = re.compile(r"[^\W\d]\w{0,99}")


@dataclass(slots=True)
class _File:
    """One file on its way into the context."""

    path: str
    text: str
    protected: bool
    lines: list[str] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.lines = self.text.removesuffix("\n").split("\n")


@dataclass(frozen=True, slots=True)
class _Desk:
    """How files are looked up, and which ones lie here already."""

    read: Callable[[str], str | None]
    protected: Callable[[str], bool]
    files: dict[str, _File] = field(default_factory=dict)

    def open(self, path: str) -> _File | None:
        """Return the file, None if there is none or too many were asked for."""
        if path not in self.files:
            text = self.read(path) if len(self.files) < FILE_LIMIT else None
            if text is None or "\0" in text[:4096]:
                return None
            self.files[path] = _File(path, mask_private_keys(text, keep_lines=True), self.protected(path))
        return self.files[path]


def choose_snippets(
    result: LayerResult,
    read: Callable[[str], str | None],
    *,
    protected: Callable[[str], bool],
    limit_chars: int,
) -> tuple[Snippet, ...]:
    """Return the code to show, best first, no line twice, at most `limit_chars` characters of text.

    First what the diagnostics point at, then the files of stack traces, then, for a failing test, what it imports.
    `read` gives a file's text by its path in the worktree, None where there is none.
    """
    desk = _Desk(read, protected)
    _place_diagnostics(desk, result)
    _place_traces(desk, result)
    chosen = [snippet for file in list(desk.files.values()) for snippet in _snippets(file)]
    if result.name is Layer.TEST:
        chosen += _imports(desk, chosen)
    fresh = [snippet for snippet in chosen if not (snippet.protected and _told(snippet, result.output))]
    return tuple(_within(fresh, limit_chars))


def _place_diagnostics(desk: _Desk, result: LayerResult) -> None:
    ordered = sorted(result.diagnostics, key=lambda found: found.level is not Level.ERROR)
    for found in ordered:
        file = desk.open(found.path) if found.path else None
        if file is None or len(file.places) >= PLACES_LIMIT:
            continue
        if found.line:
            file.places.append(found.line)
        if found.kind is DiagnosticKind.TEST_FAILURE and found.test_id:
            file.names += _IDENTIFIER.findall(found.test_id.split("[", 1)[0])[-1:]


def _place_traces(desk: _Desk, result: LayerResult) -> None:
    for path in result.affected_files:
        file = desk.open(path)
        if file is not None and not file.places:
            file.places += _lines_in(result.output, path)


def _lines_in(output: str, path: str) -> list[int]:
    """Return the line numbers that follow the path in an output, under the shortest prefix cut that occurs."""
    parts = path.split("/")
    spelled = next((tail for n in range(len(parts)) if (tail := "/".join(parts[n:])) in output), None)
    if spelled is None:
        return []
    lines: list[int] = []
    at = output.find(spelled)
    while at >= 0 and len(lines) < PLACES_LIMIT:
        number = _LINE_AFTER.match(output, at + len(spelled))
        lines += [int(number[1])] if number else []
        at = output.find(spelled, at + len(spelled))
    return lines


def _snippets(file: _File) -> list[Snippet]:
    pointed_at = bool(file.places or file.names)
    whole = WHOLE_LINES if not file.protected else 0 if pointed_at else WHOLE_READ_ONLY_LINES
    if len(file.lines) <= whole:
        return [cut(file.path, file.lines, (1, len(file.lines)), protected=file.protected)]
    return [cut(file.path, file.lines, region, protected=file.protected) for region in _regions(file)]


def _regions(file: _File) -> list[Region]:
    found = definitions(python_tree(file.path, file.text))
    regions = [around(line, found, len(file.lines)) for line in file.places]
    regions += named(file.names, found) if found else _defined(file)
    return merge(regions) or [(1, min(len(file.lines), 2 * AROUND))]


def _defined(file: _File) -> list[Region]:
    """Return the lines around the definitions of the wanted names, in a language that is not parsed here."""
    wanted = set(file.names)
    numbered = enumerate((line[:200] for line in file.lines), start=1)
    places = [number for number, line in numbered if (match := _DEFINITION.match(line)) and match[1] in wanted]
    return [around(place, (), len(file.lines)) for place in places[:PLACES_LIMIT]]


def _told(snippet: Snippet, output: str) -> bool:
    """Return whether the output, which the agent is shown too, has every line of the code already."""
    return all(line.strip() in output for line in snippet.text.split("\n"))


def _imports(desk: _Desk, shown: Sequence[Snippet]) -> Iterator[Snippet]:
    """Yield the code that the files on the desk import, and what that imports where it is small."""
    names = {name for snippet in shown for name in _IDENTIFIER.findall(snippet.text)}
    first = _follow(desk, list(desk.files.values()), names)
    second = [file for file in _follow(desk, first, names) if len(file.text) <= SMALL_IMPORT]
    for file in first + second:
        yield from _snippets(file)


def _follow(desk: _Desk, files: Sequence[_File], names: set[str]) -> list[_File]:
    found: list[_File] = []
    for file in files:
        for candidates in imported(file.path, file.text):
            if any(path in desk.files for path in candidates):
                continue
            opened = next(filter(None, (desk.open(path) for path in candidates)), None)
            if opened is not None:
                opened.names += sorted(names)
                found.append(opened)
    return found


def _within(snippets: Sequence[Snippet], limit: int) -> Iterator[Snippet]:
    for snippet in snippets:
        if not snippet.text.strip():
            continue
        if len(snippet.text) <= limit:
            limit -= len(snippet.text)
            yield snippet
