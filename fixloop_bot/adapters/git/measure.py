"""How large a tree would be on disk, without writing it: a few small objects can unfold to billions of files."""

import os
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from fixloop_bot.adapters.git.command import Git

MAX_DEPTH: Final = 500
"""Folders inside each other; git itself recurses over them."""
_BATCH: Final = 2_000
"""Objects asked for in one call."""
_CEILING: Final = 1 << 62
"""Counts stop here; whatever is above is too large anyway."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A tree written out."""

    files: int
    size: int
    """Bytes."""
    depth: int


@dataclass(frozen=True, slots=True)
class _Tree:
    folders: tuple[str, ...]
    files: tuple[str, ...]


def measure(git: Git, commit: str) -> Measured:
    """Return the size of the commit's tree on disk; the time taken grows with the distinct objects, not the files."""
    root = git.text("rev-parse", "--verify", "--end-of-options", f"{commit}^{{tree}}")
    trees = _read_trees(git, root)
    times, depth = _unfold(trees, root)
    files: Counter[str] = Counter()
    for tree, often in times.items():
        for blob in trees[tree].files:
            files[blob] = min(files[blob] + often, _CEILING)
    sizes = _sizes(git, list(files))
    return Measured(
        files=sum(files.values()),
        size=sum(often * sizes.get(blob, 0) for blob, often in files.items()),
        depth=depth,
    )


def _read_trees(git: Git, root: str) -> dict[str, _Tree]:
    """Return every distinct tree below the root, itself included."""
    found: dict[str, _Tree] = {}
    wanted = [root]
    while wanted:
        for chunk in _chunks(wanted):
            found.update(_parse(git.run("cat-file", "--batch", stdin="\n".join(chunk).encode()).stdout))
        below = {folder for tree in wanted for folder in found[tree].folders}
        wanted = sorted(below - found.keys())
    return found


def _parse(output: bytes) -> Iterator[tuple[str, _Tree]]:
    """Read `cat-file --batch`: a line `<id> SP <type> SP <size>`, the content, a newline."""
    position = 0
    while position < len(output):
        line_end = output.index(b"\n", position)
        name, _, size = output[position:line_end].decode().split(" ")
        position = line_end + 1 + int(size)
        yield name, _entries(output[line_end + 1 : position], len(name) // 2)
        position += 1


def _entries(tree: bytes, id_bytes: int) -> _Tree:
    """Read a tree object: `<mode> SP <name> NUL <binary id>`, again and again; submodules are left out."""
    folders, files = [], []
    position = 0
    while position < len(tree):
        end = tree.index(b"\0", position) + 1
        mode = tree[position:end].partition(b" ")[0]
        name = tree[end : end + id_bytes].hex()
        position = end + id_bytes
        if mode in {b"40000", b"040000"}:
            folders.append(name)
        elif mode != b"160000":
            files.append(name)
    return _Tree(tuple(folders), tuple(files))


def _unfold(trees: Mapping[str, _Tree], root: str) -> tuple[Mapping[str, int], int]:
    """Return how often each tree stands in the whole, and how deep the whole is; parents are done before children."""
    parents = Counter(folder for tree in trees.values() for folder in tree.folders)
    times: dict[str, int] = {root: 1}
    depth: dict[str, int] = {root: 0}
    ready = deque([root])
    while ready:
        tree = ready.popleft()
        for folder in trees[tree].folders:
            times[folder] = min(times.get(folder, 0) + times[tree], _CEILING)
            depth[folder] = max(depth.get(folder, 0), depth[tree] + 1)
            parents[folder] -= 1
            if not parents[folder]:
                ready.append(folder)
    return times, max(depth.values())


def _sizes(git: Git, blobs: Sequence[str]) -> Mapping[str, int]:
    found: dict[str, int] = {}
    for chunk in _chunks(blobs):
        asked = "\n".join(chunk).encode()
        said = git.run("cat-file", "--batch-check=%(objectname) %(objectsize)", stdin=asked).stdout
        pairs = (os.fsdecode(line).split(" ") for line in said.splitlines())
        found.update((name, int(size)) for name, size in pairs if size.isdigit())
    return found


def _chunks(names: Sequence[str]) -> Iterable[Sequence[str]]:
    return (names[start : start + _BATCH] for start in range(0, len(names), _BATCH))
