"""Reads the patches that git writes, as far as suggestions need it; the paths and lines in them are hostile."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@", re.ASCII)
_HARMLESS_HEADER = ("index ", "--- a/", "+++ b/", "diff --git ")


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that were replaced, in place: `removed` stood from `start` (1-based, old side) on."""

    start: int
    removed: tuple[str, ...]
    added: tuple[str, ...]
    before: str | None
    """The unchanged line above, None where the hunk shows none."""
    after: str | None


@dataclass(frozen=True, slots=True)
class Hunk:
    """One hunk; `text` is its part of the patch."""

    text: str
    start: int
    """First line on the old side, 1-based."""
    lines: tuple[str, ...]
    """With git's first character."""

    def blocks(self) -> Iterator[Block]:
        """Yield the changes, each with the unchanged lines next to it."""
        number, index = self.start, 0
        while index < len(self.lines):
            if self.lines[index][:1] == " ":
                number, index = number + 1, index + 1
                continue
            end = index
            while end < len(self.lines) and self.lines[end][:1] != " ":
                end += 1
            block = self._block(number, index, end)
            yield block
            number, index = number + len(block.removed), end

    def _block(self, number: int, index: int, end: int) -> Block:
        changed = self.lines[index:end]
        return Block(
            start=number,
            removed=tuple(line[1:] for line in changed if line[0] == "-"),
            added=tuple(line[1:] for line in changed if line[0] == "+"),
            before=self.lines[index - 1][1:] if index else None,
            after=self.lines[end][1:] if end < len(self.lines) else None,
        )


@dataclass(frozen=True, slots=True)
class FilePatch:
    """One file's part; `path` is empty for more than a change of lines: new, gone, renamed, binary, another mode."""

    header: str
    path: str
    hunks: tuple[Hunk, ...]


def parse_patch(patch: str) -> tuple[FilePatch, ...] | None:
    """Return the files of a patch as `git diff` writes it; None for what is no such patch."""
    lines = patch.split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    files, index = [], 0
    while index < len(lines):
        if not lines[index].startswith("diff --git "):
            return None
        end = index + 1
        while end < len(lines) and not lines[end].startswith(("@@ ", "diff --git ")):
            end += 1
        header, index, hunks = lines[index:end], end, []
        while index < len(lines) and lines[index].startswith("@@ "):
            hunk, index = _hunk(lines, index)
            if hunk is None:
                return None
            hunks.append(hunk)
        files.append(FilePatch("\n".join(header) + "\n", _path(header), tuple(hunks)))
    return tuple(files)


def _path(header: list[str]) -> str:
    if not all(line.startswith(_HARMLESS_HEADER) for line in header):
        return ""
    old = [line[6:].rstrip("\t") for line in header if line.startswith("--- a/")]
    new = [line[6:].rstrip("\t") for line in header if line.startswith("+++ b/")]
    return new[0] if len(new) == 1 and old == new else ""


def _hunk(lines: list[str], index: int) -> tuple[Hunk | None, int]:
    """Return the hunk at `index` and where the next thing starts; its header's counts say how long it is."""
    found = _HUNK.match(lines[index])
    if found is None:
        return None, index
    old, new = int(found[2] or 1), int(found[4] or 1)
    end = index + 1
    while end < len(lines) and (old or new or lines[end].startswith("\\")):
        kind = lines[end][:1]
        if kind not in (" ", "-", "+", "\\") or not kind:
            return None, index
        old -= kind in " -"
        new -= kind in " +"
        end += 1
    if old or new:
        return None, index
    return Hunk("\n".join(lines[index:end]) + "\n", int(found[1]), tuple(lines[index + 1 : end])), end
