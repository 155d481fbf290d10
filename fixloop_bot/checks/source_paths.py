"""Finds the source file that a compiler, linker or debugger names, often by its bare name alone."""

import posixpath
import re
from collections.abc import Iterator, Sequence

from fixloop_bot.checks import text
from fixloop_bot.checks.paths import in_repository, locate
from fixloop_bot.checks.tool import ToolOutput

SOURCE_ENDS = frozenset({
    "c", "cc", "cpp", "cxx", "c++", "C", "m", "mm", "cu", "s", "S", "i", "ii", "l", "ll", "y", "yy", "f", "f90",
    "h", "hh", "hpp", "hxx", "h++", "H", "inl", "ipp", "tpp", "tcc", "inc", "def", "cuh", "ixx", "cppm",
})  # fmt: skip
"""Extensions of what a C compiler reads, without the dot."""
USUAL_FOLDERS = ("src", "source", "lib", "libs", "app", "test", "tests", "core")
"""Looked into for a bare file name that the output nowhere spells in full."""
_WORD = re.compile(r"(?<![\w@+~./-])[\w@+~./-]{1,300}\.(?:c|cc|cpp|cxx|C|m|mm|s|S|cu)(?![\w.])")
_ENTERING = re.compile(r"^(?:g?make|ninja)(?:\[\d{1,4}\])?: (Entering|Leaving) directory [`']([^'\n]{1,1024})'")
_CMAKE_OBJECT = re.compile(r"(?:^|/)CMakeFiles/[^/]{1,200}\.dir/(.{1,400})\.o(?:bj)?$")
_MAX_WORDS = 4_000
_MAX_DEPTH = 16
_MAX_FOLDERS = 100


def is_source(path: str) -> bool:
    """Return whether the name is one that a C compiler reads; the standard library's headers have no extension."""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2] in SOURCE_ENDS if "." in name else path.startswith("/")


class SourceFinder:
    """Finds sources of one output; `enter` follows the folders that make works in."""

    def __init__(self, output: ToolOutput, lines: Sequence[str]) -> None:
        self._output = output
        self._lines = lines
        self._folders: list[str] = []
        self._seen: dict[str, str] | None = None
        self._named: dict[tuple[str, str], str | None] = {}

    def enter(self, line: str) -> bool:
        """Return whether the line says that make enters or leaves a folder; later relative paths start there."""
        found = _ENTERING.match(line)
        if found is None:
            return False
        if found[1] == "Entering":
            self._folders.append(found[2])
        elif self._folders:
            self._folders.pop()
        return True

    def find(self, printed: str) -> str | None:
        """Return the path in the worktree of what is spelled with its folder, None when it lies outside."""
        relative = not printed.startswith("/")
        folder = self._folders[-1] if self._folders else ""
        spellings = [posixpath.join(folder, printed)] if folder and relative else []
        spellings.append(printed)
        if relative and printed.startswith("../"):
            spellings.append(printed.lstrip("./"))  # seen from a build folder inside the project
        inside = (in_repository(self._output, spelling) for spelling in spellings)
        return next((path for path in inside if path), None) or locate(self._output, spellings[-1])

    def find_known(self, printed: str) -> str | None:
        """Return the path in the worktree if there is such a file."""
        path = self.find(printed)
        return path if path is not None and self._output.exists(path) else None

    def by_name(self, name: str, compiled: str = "") -> str | None:
        """Return the file that a bare name means; `compiled` is the object file made of it, where that is known."""
        if (name, compiled) not in self._named:
            spelled = (self.find_known(spelling) for spelling in (name, *_from_object(name, compiled)))
            found = next((path for path in spelled if path), None)
            self._named[name, compiled] = found or (None if "/" in name else self._elsewhere(name))
        return self._named[name, compiled]

    def _elsewhere(self, name: str) -> str | None:
        seen = self._spelled()
        if name in seen:
            return seen[name]
        around = list(dict.fromkeys(path.rpartition("/")[0] for path in seen.values()))
        folders = (*around[:_MAX_FOLDERS], *USUAL_FOLDERS)
        inside = (in_repository(self._output, posixpath.join(folder, name)) for folder in folders)
        return next((path for path in inside if path), None)

    def _spelled(self) -> dict[str, str]:
        """Return the files of the repository that the output spells in full, by their bare names."""
        if self._seen is None:
            words = dict.fromkeys(word for word, _ in zip(self._words(), range(_MAX_WORDS), strict=False))
            found = (path for word in words if (path := self.find_known(word)))
            self._seen = {path.rpartition("/")[2]: path for path in found}
        return self._seen

    def _words(self) -> Iterator[str]:
        for line in self._lines[: text.MAX_LINES]:
            yield from (found[0] for found in _WORD.finditer(line))


def _from_object(name: str, compiled: str) -> Iterator[str]:
    """Yield the places where the source of an object file may lie: CMake mirrors the tree, others a part of it."""
    cmake = _CMAKE_OBJECT.search(compiled)
    if cmake:
        yield cmake[1]
    parts = compiled.strip("/").split("/")[-_MAX_DEPTH:-1]
    yield from ("/".join((*parts[start:], name)) for start in range(len(parts)))
