"""A change as data: the files that differ between two commits, with their texts. Reads only, bounded."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fixloop_bot.adapters.git.changes import PLAIN
from fixloop_bot.adapters.git.command import Git
from fixloop_bot.model.guard import FileChange, FileVersion

FILES = 2_000
FILE_LIMIT = 4_000_000
"""Bytes of one version of a file."""
TOTAL_LIMIT = 64_000_000
"""Bytes of all of them."""
_SUBMODULE = "160000"
_NONE = "000000"


@dataclass(frozen=True, slots=True)
class _Entry:
    """One side of a changed file."""

    mode: str
    blob: str


def file_changes(git: Git, base: str, commit: str) -> tuple[tuple[FileChange, ...], int]:
    """Return the changed files, by path, and how many more there are."""
    form = ("--raw", "--no-abbrev", "--ignore-submodules=none", "-z")
    fields = git.run("diff-tree", *PLAIN, *form, "--end-of-options", base, commit, "--").paths
    rows = sorted(zip(fields[1::2], fields[0::2], strict=True))
    sides = [(path, *_sides(meta)) for path, meta in rows[:FILES]]
    texts = _texts(git, [entry for _, before, after in sides for entry in (before, after)])
    changes = (
        FileChange(path=path, before=_version(before, texts), after=_version(after, texts))
        for path, before, after in sides
    )
    return tuple(changes), len(rows) - len(sides)


def _sides(meta: str) -> tuple[_Entry, _Entry]:
    """Return both sides of git's raw format: `:100644 100755 OLD NEW M`."""
    old_mode, new_mode, old, new, _ = meta.removeprefix(":").split(" ")
    return _Entry(old_mode, old), _Entry(new_mode, new)


def _version(entry: _Entry, texts: Mapping[str, FileVersion]) -> FileVersion | None:
    if entry.mode == _NONE:
        return None
    known = texts.get(entry.blob, FileVersion(text=""))
    return FileVersion(mode=entry.mode, text=known.text, unread=known.unread)


def _texts(git: Git, entries: list[_Entry]) -> dict[str, FileVersion]:
    """Return each blob's text, or why there is none."""
    blobs = list(dict.fromkeys(entry.blob for entry in entries if entry.mode not in (_NONE, _SUBMODULE)))
    texts: dict[str, FileVersion] = {}
    wanted, total = [], 0
    for blob, size in _sizes(git, blobs):
        if size is None:
            texts[blob] = FileVersion(unread="it is not in this clone")
        elif size > FILE_LIMIT or total + size > TOTAL_LIMIT:
            texts[blob] = FileVersion(unread=f"too large ({size:,} bytes)")
        else:
            total += size
            wanted.append(blob)
    return texts | {blob: _text(content) for blob, content in _contents(git, wanted)}


def _text(content: bytes) -> FileVersion:
    if b"\0" in content:
        return FileVersion(unread="binary")
    return FileVersion(text=content.decode("utf-8", "replace"))


def _sizes(git: Git, blobs: list[str]) -> Iterator[tuple[str, int | None]]:
    asked = "".join(f"{blob}\n" for blob in blobs).encode()
    for blob, line in zip(blobs, git.run("cat-file", "--batch-check", stdin=asked).stdout.splitlines(), strict=True):
        fields = line.split(b" ")
        yield blob, int(fields[2]) if len(fields) == 3 else None


def _contents(git: Git, blobs: list[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the blobs' bytes, from answers of the form `ID blob SIZE`, newline, content, newline."""
    out = git.run("cat-file", "--batch", stdin="".join(f"{blob}\n" for blob in blobs).encode()).stdout
    at = 0
    for blob in blobs:
        head = out.index(b"\n", at)
        size = int(out[at:head].rsplit(b" ", 1)[1])
        yield blob, out[head + 1 : head + 1 + size]
        at = head + size + 2
