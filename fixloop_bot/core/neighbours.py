"""Which files of the repository a file may use without naming their paths: by package, by class, by convention."""

import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cached_property

from fixloop_bot.core.imports import BY_PATH, imported

LIMIT_FILES = 50_000
"""Files of a repository that are looked through."""
LIMIT_NAMES = 200
"""Names of one file that are looked up."""

_WORD = re.compile(r"[^\W\d]\w*+")
_QUOTED = re.compile(r'"([^"\n]++)"')
_IMPORT = ("require", "use ", "mod ", "import", "#include", "load ", "using ", "from ")
_HELPERS = {".rb": ("spec_helper", "rails_helper", "test_helper"), ".php": ("TestCase",), ".exs": ("test_helper",)}
_FAMILIES = ((".c", ".h", ".cc", ".cpp", ".hpp", ".cxx"), (".java", ".kt"), (".ex", ".exs"))


class Neighbours:
    """The files of a repository, by folder and by name; listed only where imports do not tell paths."""

    def __init__(self, files: Callable[[], Sequence[str]]) -> None:
        """`files` gives the POSIX paths of all files."""
        self._files = files

    @cached_property
    def _folders(self) -> dict[str, list[str]]:
        folders: dict[str, list[str]] = defaultdict(list)
        for path in self._files()[:LIMIT_FILES]:
            folders[posixpath.dirname(path)].append(path)
        return folders

    @cached_property
    def _stems(self) -> dict[str, list[str]]:
        stems: dict[str, list[str]] = defaultdict(list)
        for path in self._files()[:LIMIT_FILES]:
            stems[_plain(posixpath.basename(path).partition(".")[0])].append(path)
        return stems

    def of(self, path: str, text: str) -> list[tuple[str, ...]]:
        """Return groups of paths, one of each is meant at most; whether they exist is for the caller to find."""
        if path.endswith((".py", ".pyi")):
            return [*imported(path, text), *_conftests(path)]
        if path.endswith(BY_PATH):
            return imported(path, text)
        found = self._packages(path, text) if path.endswith(".go") else self._named(path, text)
        return list(dict.fromkeys([*imported(path, text), *((one,) for one in found if one != path)]))

    def _packages(self, path: str, text: str) -> list[str]:
        """Return the files of a Go file's package, and of those packages of its module that it imports."""
        folders = [posixpath.dirname(path)]
        head = text.partition("\nfunc ")[0]
        for quoted in _QUOTED.findall(head)[:LIMIT_NAMES]:
            parts = quoted.split("/")
            tails = ("/".join(parts[start:]) for start in range(len(parts)))
            folders += [tail for tail in tails if tail in self._folders][:1]
        files = (one for folder in dict.fromkeys(folders) for one in self._folders.get(folder, ()))
        return [one for one in files if one.endswith(".go") and not one.endswith("_test.go")]

    def _named(self, path: str, text: str) -> list[str]:
        """Return the files that bear the names of a file's classes, or stand in its import lines."""
        ending = posixpath.splitext(path)[1]
        family = next((each for each in _FAMILIES if ending in each), (ending,))
        lines = [line.strip() for line in text.split("\n")]
        told = [word for line in lines if line.startswith(_IMPORT) for word in _WORD.findall(line[:300])]
        told += [word for word in _WORD.findall(text) if word[0].isupper()]
        names = dict.fromkeys(_plain(word) for word in (*_HELPERS.get(ending, ()), *told))
        found: list[str] = []
        for name in list(names)[:LIMIT_NAMES]:
            alike = [one for one in self._stems.get(name, ()) if one.endswith(family)]
            found += sorted(alike, key=lambda one: -len(posixpath.commonprefix([one, path])))[:3]
        return found


def _plain(name: str) -> str:
    return name.lower().replace("_", "")


def _conftests(path: str) -> list[tuple[str, ...]]:
    folders = [posixpath.dirname(path)]
    while folders[-1] and len(folders) < 10:
        folders.append(posixpath.dirname(folders[-1]))
    return [(posixpath.join(folder, "conftest.py"),) for folder in folders]
