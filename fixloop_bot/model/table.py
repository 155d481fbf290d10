"""A table of plain texts, which a terminal and a page draw each in their way."""

from dataclasses import dataclass
from enum import StrEnum


class Tone(StrEnum):
    """What a value means, for whoever sees colours; the text says the same."""

    PLAIN = "plain"
    GOOD = "good"
    BAD = "bad"
    WARN = "warn"
    DIM = "dim"


@dataclass(frozen=True, slots=True)
class Cell:
    """One value."""

    text: str
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True)
class Column:
    """What stands at the head of a column."""

    name: str
    is_number: bool = False
    is_prose: bool = False
    """Needs room for sentences."""
    rank: int = 0
    """Where there is no room, the columns of the highest rank go first; those of rank 0 stay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of as many cells as there are columns; the first cell names its row."""

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    """What is not in the rows."""
