"""The programs that the checks run, as files of the repository: whoever may edit them decides the verdict."""

import posixpath
import re
import shlex
from collections.abc import Collection, Iterator

from fixloop_bot.model.command import Plan

_INTERPRETERS = re.compile(
    r"(?:ba|da|z|k)?sh|python[\d.]*|node|nodejs|deno|bun|tsx|ts-node|ruby|perl|php|Rscript|pwsh|env|exec|time|nice"
)
_SEPARATORS = frozenset(("&&", "||", ";", "|", "&", "(", ")", "{", "}", "then", "do", "!"))
_WORDS_LIMIT = 2_000


def command_files(plan: Plan, tracked: Collection[str]) -> tuple[str, ...]:
    """Return gitwildmatch patterns of the tracked files that the plan's commands execute, exactly these.

    Executed are the first word of each simple command, and what stands behind an interpreter. Other words are the
    checks' subjects: a compiler's sources must stay editable.
    """
    found = {plan.runner} if plan.runner else set()
    for check in plan.checks:
        for word in _programs(_words(check.command)):
            path = posixpath.normpath(posixpath.join(check.project, word))
            if path in tracked:
                found.add(path)
    return tuple("/" + re.sub(r"([*?\[\]\\!# ])", r"\\\1", path) for path in sorted(found))


def _words(command: tuple[str, ...]) -> list[str]:
    """Return a command's words; a shell line is split as a shell would, roughly where it cannot be."""
    if command[:2] != ("sh", "-c") or len(command) < 3:
        return list(command)
    line = command[2].replace("\n", " ; ")
    try:
        lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        return list(lexer)[:_WORDS_LIMIT]
    except ValueError:  # quotes that do not match
        return line.split()[:_WORDS_LIMIT]


def _programs(words: list[str]) -> Iterator[str]:
    """Yield what may be a program: behind an interpreter its options and their values are passed over."""
    expected, behind_interpreter = True, False
    for word in words:
        if word in _SEPARATORS:
            expected, behind_interpreter = True, False
        elif not expected or "=" in word.split("/", 1)[0]:
            continue
        elif word in ("-m", "-c", "-e"):
            expected = False  # a module or a text, not a file
        elif not word.startswith("-"):
            yield word
            behind_interpreter |= _INTERPRETERS.fullmatch(posixpath.basename(word)) is not None
            expected = behind_interpreter and not any(mark in word for mark in "/.")
