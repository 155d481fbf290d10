"""What changed between two commits, as GitHub lists it."""

from dataclasses import dataclass

from tests.fakes.github.state.git_store import GitStore

_STATUS = {"A": "added", "D": "removed", "M": "modified", "R": "renamed", "C": "copied", "T": "changed"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """One entry of a list of changed files."""

    path: str
    previous: str | None
    status: str
    sha: str
    additions: int
    deletions: int
    patch: str | None
    """The hunks; None for binary content and for a mere change of name or mode."""


def changes(store: GitStore, base: str, head: str) -> list[FileChange]:
    """Compare two trees."""
    entries = _raw(store.run("diff", "--raw", "-z", "-M", "--no-abbrev", base, head).split("\0"))
    numbers = _numstat(store.run("diff", "--numstat", "-z", "-M", base, head).split("\0"))
    patches = _patches(store.run("diff", "-M", "--no-color", "--no-ext-diff", base, head))
    return [
        FileChange(
            path=path,
            previous=previous,
            status=_STATUS[letter],
            sha=sha,
            additions=added,
            deletions=deleted,
            patch=patch,
        )
        for (letter, sha, previous, path), (added, deleted), patch in zip(entries, numbers, patches, strict=True)
    ]


def _raw(fields: list[str]) -> list[tuple[str, str, str | None, str]]:
    entries: list[tuple[str, str, str | None, str]] = []
    rest = iter(field for field in fields if field)
    for head in rest:
        _, _, old, new, status = head.split(" ")
        first = next(rest)
        renamed = status[0] in "RC"
        path = next(rest) if renamed else first
        entries.append((status[0], old if status == "D" else new, first if renamed else None, path))
    return entries


def _numstat(fields: list[str]) -> list[tuple[int, int]]:
    numbers: list[tuple[int, int]] = []
    rest = iter(fields)
    for entry in rest:
        if not entry:
            continue
        added, deleted, path = entry.split("\t", 2)
        numbers.append((0, 0) if added == "-" else (int(added), int(deleted)))
        if not path:
            next(rest)
            next(rest)
    return numbers


def _patches(text: str) -> list[str | None]:
    """Cut a whole diff into its files' hunks; only a header line starts with `diff --git`."""
    files: list[list[str]] = []
    for line in text.split("\n"):
        if line.startswith("diff --git "):
            files.append([])
        elif files:
            files[-1].append(line)
    return [_hunks(lines) for lines in files]


def _hunks(lines: list[str]) -> str | None:
    for number, line in enumerate(lines):
        if line.startswith("@@ "):
            return "\n".join(lines[number:]).rstrip("\n")
    return None
