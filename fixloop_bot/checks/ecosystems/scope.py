"""What of a repository belongs to one project, and how a tool that takes one file at a time is run over it."""

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from fixloop_bot.checks.ecosystems.snapshot import FOREIGN, Snapshot, ancestors, by_project, roots

MAX_ROOTS = 200
"""More arguments than this make no readable command: the whole folder instead."""
EACH = 'for f do out=$({command} "$f" 2>&1) || {{ printf "%s\\n" "$out"; rc=1; }}; done; exit ${{rc:-0}}'
AT_ONCE = 4
"""Files that are looked at at the same time; what is said of each stays in one piece."""
PER_SHELL = 50
HIDDEN = ".?*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """One project and its own files, relative to it."""

    path: str
    files: tuple[str, ...]
    nested: tuple[str, ...] = ()
    """Projects inside it, relative to it."""

    def roots(self, wanted: Callable[[str], bool]) -> tuple[str, ...]:
        """Return the folders and files to name on a command line, so that all wanted files are among them."""
        found = roots([path for path in self.files if wanted(path)], self.nested)
        return found if len(found) <= MAX_ROOTS else (".",)


def scopes(snapshot: Snapshot, folders: Iterable[str]) -> Iterator[Scope]:
    """Yield the project in each of the folders, outermost first; a file belongs to the innermost around it."""
    owned = by_project(snapshot.own, tuple(folders))
    nested: dict[str, list[str]] = {path: [] for path in owned}
    for path in owned:
        for around in ancestors(path):
            nested.get(around, []).append(path if around == "." else path[len(around) + 1 :])
    for path, files in owned.items():
        yield Scope(path=path, files=tuple(files), nested=tuple(nested[path]))


def each_file(scope: Scope, command: Sequence[str], patterns: Sequence[str], *, leave_out: Sequence[str] = ()) -> str:
    """Return a shell line that runs a command on every file of the project that matches one of the name patterns.

    The program is asked for its version first, so that a missing one is told from a failing one. The files are found
    when the line runs: a list of them would not fit on a command line. Folders that are hidden, foreign or in
    `leave_out` are passed over.
    """
    starts = scope.roots(lambda path: any(_matches(path, pattern) for pattern in patterns))
    pruned = _either("-name", (HIDDEN, *_foreign(), *leave_out))
    inside = _either("-path", [f"./{path}" for path in scope.nested]) if starts == (".",) and scope.nested else ""
    folders = f"{pruned} -o {inside}" if inside else pruned
    named = _either("-name", patterns)
    find = f"find {shlex.join(_as_paths(starts))} -type d \\( {folders} \\) -prune -o -type f \\( {named} \\)"
    each = shlex.quote(EACH.format(command=shlex.join(command)))
    spread = f"sort -z | xargs -0 -n {PER_SHELL} -P {AT_ONCE} sh -c {each} sh"
    return f"{shlex.quote(command[0])} --version >/dev/null && {find} -print0 | {spread}"


def _foreign() -> tuple[str, ...]:
    return tuple(name for name in FOREIGN if not name.startswith("."))


def _either(option: str, values: Iterable[str]) -> str:
    return " -o ".join(f"{option} {shlex.quote(value)}" for value in values)


def _as_paths(starts: Iterable[str]) -> list[str]:
    """Return names that `find` takes for nothing but paths."""
    return [start if start[0].isalnum() or start[:1] in "._" else f"./{start.removeprefix('./')}" for start in starts]


def _matches(path: str, pattern: str) -> bool:
    name = path.rpartition("/")[2]
    return name.endswith(pattern[1:]) if pattern.startswith("*") else name == pattern
