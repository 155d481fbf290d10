"""Which source a CMake test is built from: what to look at when a test dies without a word."""

import re
from collections.abc import Iterator

from fixloop_bot.checks.source_paths import is_source
from fixloop_bot.checks.tool import ToolOutput

_CALL = re.compile(r"\b(add_test|add_executable|add_subdirectory)[ \t]*\(([^()]{1,4000})\)", re.IGNORECASE)
_COMMENT = re.compile(r"#[^\n]{0,2000}")
_TARGET_FILE = re.compile(r"^\$<TARGET_FILE:([\w.+-]{1,200})>$")
_MAX_FILES = 40
_MAX_TEXT = 200_000

Call = tuple[str, str, list[str]]
"""Folder, command in lower case, arguments."""


def source_of(output: ToolOutput, test: str) -> str | None:
    """Return the first source of the program that a test runs, as far as `CMakeLists.txt` says it in plain words."""
    calls = list(_calls(output))
    program = next((found for call in calls if (found := _program(call, test))), test)
    for folder, command, words in calls:
        if command == "add_executable" and words[0] == program:
            paths = (f"{folder}{word}" for word in words[1:] if is_source(word))
            return next((path for path in paths if output.exists(path)), None)
    return None


def _calls(output: ToolOutput) -> Iterator[Call]:
    """Yield the calls of the project's lists, those that it takes in included."""
    waiting = ["" if output.project == "." else f"{output.project}/"]
    for _ in range(_MAX_FILES):
        if not waiting:
            return
        folder = waiting.pop(0)
        found = output.read(f"{folder}CMakeLists.txt") or ""
        for call in _CALL.finditer(_COMMENT.sub("", found[:_MAX_TEXT])):
            words = call[2].replace('"', " ").split()
            if words and call[1].lower() == "add_subdirectory":
                waiting.append(f"{folder}{words[0].strip('/')}/")
            elif words:
                yield folder, call[1].lower(), words


def _program(call: Call, test: str) -> str | None:
    """Return the target that `add_test(NAME test COMMAND target)` or `add_test(test target)` names."""
    _, command, words = call
    if command != "add_test":
        return None
    if words[0] == "NAME" and "COMMAND" in words[:-1] and words[1] == test:
        word = words[words.index("COMMAND") + 1]
    elif len(words) > 1 and words[0] == test:
        word = words[1]
    else:
        return None
    named = _TARGET_FILE.match(word)
    return named[1] if named else word
