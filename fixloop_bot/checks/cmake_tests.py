"""Which source a CMake test is built from: what to look at when a test dies without a word."""

import re
from collections.abc import Iterator
from functools import cached_property

from fixloop_bot.checks.source_paths import is_source
from fixloop_bot.checks.tool import ToolOutput

_CALL = re.compile(r"\b(add_test|add_executable|add_subdirectory)[ \t]{0,20}\(([^()]{1,4000})\)", re.IGNORECASE)
_COMMENT = re.compile(r"#[^\n]{0,2000}")
_TARGET_FILE = re.compile(r"^\$<TARGET_FILE:([\w.+-]{1,200})>$")
_MAX_FILES = 40
_MAX_TEXT = 200_000

Call = tuple[str, str, list[str]]
"""Folder, command in lower case, arguments."""


class CMakeTests:
    """What the project's `CMakeLists.txt` say in plain words of tests and programs; read when first asked."""

    def __init__(self, output: ToolOutput) -> None:
        self._output = output

    def source_of(self, test: str) -> str | None:
        """Return the first source of the program that a test runs, None where that is not known."""
        programs, sources = self._known
        return sources.get(programs.get(test, test))

    @cached_property
    def _known(self) -> tuple[dict[str, str], dict[str, str]]:
        """Return the program of each test, and the source of each program."""
        programs: dict[str, str] = {}
        sources: dict[str, str] = {}
        for folder, command, words in self._calls():
            if command == "add_test" and (named := _test(words)):
                programs.setdefault(*named)
            elif command == "add_executable":
                paths = (f"{folder}{word}" for word in words[1:] if is_source(word))
                source = next((path for path in paths if self._output.exists(path)), None)
                sources |= {words[0]: source} if source else {}
        return programs, sources

    def _calls(self) -> Iterator[Call]:
        """Yield the calls of the project's lists, those that it takes in included."""
        waiting = ["" if self._output.project == "." else f"{self._output.project}/"]
        for _ in range(_MAX_FILES):
            if not waiting:
                return
            folder = waiting.pop(0)
            found = self._output.read(f"{folder}CMakeLists.txt") or ""
            for call in _CALL.finditer(_COMMENT.sub("", found[:_MAX_TEXT])):
                words = call[2].replace('"', " ").split()
                if words and call[1].lower() == "add_subdirectory":
                    waiting.append(f"{folder}{words[0].strip('/')}/")
                elif words:
                    yield folder, call[1].lower(), words


def _test(words: list[str]) -> tuple[str, str] | None:
    """Return test and target of `add_test(NAME test COMMAND target)` or `add_test(test target)`."""
    if words[0] == "NAME":
        at = words.index("COMMAND") + 1 if "COMMAND" in words[:-1] else 0
        return (words[1], _target(words[at])) if at and len(words) > 1 else None
    return (words[0], _target(words[1])) if len(words) > 1 else None


def _target(word: str) -> str:
    named = _TARGET_FILE.match(word)
    return named[1] if named else word
