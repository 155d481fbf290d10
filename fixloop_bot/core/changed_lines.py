"""Which lines two versions of a text do not share: bounded work, whatever the text."""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass

MOST = 400
"""Lines between the first and the last difference that are compared with each other; more count as all changed."""


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that were replaced; either side may be empty."""

    removed: tuple[str, ...]
    added: tuple[str, ...]


def changed_blocks(before: str, after: str) -> tuple[Block, ...]:
    """Return the replaced blocks, in order."""
    old, new = before.splitlines(), after.splitlines()
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    old, new = old[start : len(old) - end], new[start : len(new) - end]
    if max(len(old), len(new)) > MOST:
        return (Block(tuple(old), tuple(new)),)
    return tuple(_blocks(old, new))


def changed_lines(before: str, after: str) -> tuple[str, ...]:
    """Return the lines of either version that the other has not at that place."""
    return tuple(line for block in changed_blocks(before, after) for line in (*block.removed, *block.added))


def _blocks(old: list[str], new: list[str]) -> Iterator[Block]:
    for kind, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            yield Block(tuple(old[a:b]), tuple(new[c:d]))
