"""Tables as lines of text, for logs, pipes and whoever has no colours."""

import unicodedata
from collections.abc import Iterator, Sequence

from fixloop_bot.core.render.limits import cut
from fixloop_bot.model.table import Table

WIDEST = 100
"""Columns of a terminal that one cell may take."""
_GAP = "  "


def to_lines(table: Table) -> Iterator[str]:
    """Yield the caption, the head, a rule, the rows and the note; no line ends in spaces."""
    yield table.caption
    texts = [[cut(cell.text, WIDEST) for cell in row] for row in table.rows]
    heads = [column.name for column in table.columns]
    widths = [max(map(width, texts_of_column)) for texts_of_column in zip(heads, *texts, strict=True)]
    yield _line(table, heads, widths)
    yield _GAP.join("-" * each for each in widths)
    for row in texts:
        yield _line(table, row, widths)
    if table.note:
        yield table.note


def width(text: str) -> int:
    """Return how many columns of a terminal the text takes (UAX #11, as far as the standard library knows it)."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _line(table: Table, texts: Sequence[str], widths: Sequence[int]) -> str:
    padded = (
        " " * (wide - width(text)) + text if column.is_number else text + " " * (wide - width(text))
        for column, text, wide in zip(table.columns, texts, widths, strict=True)
    )
    return _GAP.join(padded).rstrip()
