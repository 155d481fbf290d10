"""Which code the agent is shown with a failure, so that it need not ask: asking costs a whole call."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from fixloop_bot.core.imports import imported
from fixloop_bot.core.neighbours import Neighbours
from fixloop_bot.core.private_keys import mask_private_keys
from fixloop_bot.core.reach import Node
from fixloop_bot.core.regions import AROUND, Region, around, cut, definitions, merge, named, python_tree
from fixloop_bot.core.suspects import Failing, Suspicion, suspicion
from fixloop_bot.model.context import ChangedLines, Snippet
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
ENOUGH = 2_500
"""Characters; of a failing test that uses no more code than this, all of it is shown."""
CLEAR, UNCLEAR = 2_450, 7_500
"""Characters of code for a failing test: where few definitions are much more suspect than the others, and else."""
CLOSE = 0.6
"""A score of this share of the best one is close to it."""
CLOSE_CHARS = 1_500
"""Characters; where the definitions close to the best one have no more, it is clear which they are."""
TEST_CHARS = 900
"""Characters; a longer test is not shown, as the log has its failing line."""
FAILURES_LIMIT = 200
"""Failures looked at in one test file."""
PLACES_LIMIT = 20
"""Places taken from one file."""

_LINE_AFTER = re.compile(r"""(?::|", line |\(|, line )(\d{1,7})""")
_DEFINITION = re.compile(
    r"\s{0,12}(?:(?:export|default|async|public|private|protected|static|pub|abstract)\s{1,4}){0,4}"
    r"(?:function\*?|class|const|let|var|def|func|fn|interface|type|enum|struct|module)\s{1,4}(\w{1,99})"
)
_IDENTIFIER = re.compile(r"[^\W\d]\w{0,99}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """How the code is looked at."""

    read: Callable[[str], str | None]
    """Returns a file's text by its path in the worktree, None where there is none."""
    protected: Callable[[str], bool]
    """Says whether the agent may not change a file."""
    files: Callable[[], Sequence[str]] = tuple
    """Returns the paths of all files."""
    changed: Callable[[Sequence[str]], ChangedLines] = lambda _: {}
    """Returns the lines of some files that the branch has changed; asked once at most, for what a test may reach."""


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

    code: Code
    files: dict[str, _File] = field(default_factory=dict)
    absent: set[str] = field(default_factory=set)

    def open(self, path: str) -> _File | None:
        """Return the file, None if there is none or too many were asked for."""
        if path not in self.files:
            if path in self.absent or len(self.files) >= FILE_LIMIT:
                return None
            text = self.code.read(path)
            if text is None or "\0" in text[:4096]:
                self.absent.add(path)
                return None
            self.files[path] = _File(path, mask_private_keys(text, keep_lines=True), self.code.protected(path))
        return self.files[path]


def choose_snippets(result: LayerResult, code: Code, *, limit_chars: int, wide: bool = False) -> tuple[Snippet, ...]:
    """Return the code to show, best first, no line twice, at most `limit_chars` characters of text.

    For a failing test that uses much code: the test, then what it reaches, most suspect first. Else what the
    diagnostics point at, then the files of stack traces, then, for a failing test, what it imports. `wide` shows more
    than the few definitions that are much more suspect than the others.
    """
    desk = _Desk(code)
    _place_diagnostics(desk, result)
    _place_traces(desk, result)
    if result.name is Layer.TEST:
        all_read = replace(desk, files=dict(desk.files))
        suspected = _suspected(all_read, result, Neighbours(code.files), code.changed)
        if suspected.suspects and suspected.chars > ENOUGH:
            return tuple(_within(_of_suspects(all_read, result, suspected, wide=wide), limit_chars))
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


def _suspected(
    desk: _Desk, result: LayerResult, neighbours: Neighbours, changed: Callable[[Sequence[str]], ChangedLines]
) -> Suspicion:
    failures = [found for found in result.diagnostics if found.kind is DiagnosticKind.TEST_FAILURE and found.path]
    places: dict[str, list[int]] = {}
    for found in failures:
        told = desk.files.get(found.path) if found.path else None
        if told and told.protected and len(places.get(told.path, ())) < FAILURES_LIMIT:
            places.setdefault(told.path, []).append(found.line or 0)
    traced = {path: file.places for path, file in desk.files.items() if not file.protected}
    names = {name for path in places for name in desk.files[path].names}
    failing = Failing(places=places, names=names, traced=traced)
    return suspicion(failing, lambda path: file.text if (file := desk.open(path)) else None, neighbours, changed)


def _of_suspects(desk: _Desk, result: LayerResult, suspected: Suspicion, *, wide: bool) -> list[Snippet]:
    """Return the simplest failing test, and whole definitions, grouped by file, while there is room."""
    shown = [_whole(desk, test) for test in suspected.tests[:1] if len(test.text) <= TEST_CHARS]
    shown = [snippet for snippet in shown if not _told(snippet, result.output)]
    able = [(node, score) for node, score in suspected.suspects if not desk.files[node.path].protected]
    close = sum(len(node.text) for node, score in able if score >= CLOSE * able[0][1])
    room = (CLEAR if close <= CLOSE_CHARS and not wide else UNCLEAR) - sum(len(snippet.text) for snippet in shown)
    regions: dict[str, list[Region]] = {}
    for node, _ in able:
        if len(node.text) < room:
            room -= len(node.text) + 1
            regions.setdefault(node.path, []).extend(node.regions)
    for path, found in regions.items():
        shown += [cut(path, desk.files[path].lines, region, protected=False) for region in merge(found)]
    return shown


def _whole(desk: _Desk, node: Node) -> Snippet:
    file = desk.files[node.path]
    return cut(node.path, file.lines, (node.definition.first, node.definition.last), protected=file.protected)


def _within(snippets: Sequence[Snippet], limit: int) -> Iterator[Snippet]:
    for snippet in snippets:
        if not snippet.text.strip():
            continue
        if len(snippet.text) <= limit:
            limit -= len(snippet.text)
            yield snippet
