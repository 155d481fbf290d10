"""A table for a terminal of some width: what matters least is left out, and said to be."""

from dataclasses import replace

from fixloop_bot.core.render.plain_table import width
from fixloop_bot.model.table import Table

PROSE = 24
"""Columns of a terminal below which sentences are no more to be read; they wrap."""
BORDER = 3
"""Columns of a terminal between two columns of a table."""


def fitted(table: Table, columns: int) -> Table:
    """Return the table without as many of its columns, the highest rank first, as must go for the rest to fit."""
    left_out: list[str] = []
    while needed(table) > columns and (rank := max(column.rank for column in table.columns)):
        place = next(place for place, column in enumerate(table.columns) if column.rank == rank)
        left_out.append(table.columns[place].name)
        rows = tuple((*row[:place], *row[place + 1 :]) for row in table.rows)
        table = replace(table, columns=(*table.columns[:place], *table.columns[place + 1 :]), rows=rows)
    if not left_out:
        return table
    note = f"Not shown for want of room: {', '.join(sorted(left_out))} (--json has all)."
    return replace(table, note=" ".join(filter(None, (table.note, note))))


def needed(table: Table) -> int:
    """Return how many columns of a terminal the table takes."""
    wide = 0
    for place, column in enumerate(table.columns):
        texts = (column.name, *(row[place].text for row in table.rows))
        longest = max(map(width, texts))
        wide += min(longest, PROSE) if column.is_prose else longest
    return wide + BORDER * len(table.columns) + 1
