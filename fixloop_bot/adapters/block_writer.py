"""Sentences and tables on standard output: drawn on a terminal, plain lines elsewhere."""

from collections.abc import Callable, Sequence
from typing import TextIO

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Drawn
from rich.text import Text

from fixloop_bot.core.defuse import defused
from fixloop_bot.core.render.fit_table import PROSE, fitted
from fixloop_bot.core.render.history_text import Block, Lines
from fixloop_bot.core.render.plain_table import to_lines
from fixloop_bot.core.render.scrub import scrub
from fixloop_bot.model.table import Table, Tone

_STYLES = {Tone.GOOD: "green", Tone.BAD: "red", Tone.WARN: "yellow", Tone.DIM: "dim", Tone.PLAIN: ""}


def write_blocks(stream: TextIO, blocks: Sequence[Block], redact: Callable[[str], str]) -> None:
    """Write the blocks with an empty line between them; no secret, no control character."""
    clean = [scrub(block, redact) for block in blocks]
    if stream.isatty():
        _draw(stream, clean)
    else:
        stream.write(defused("\n\n".join("\n".join(_plain(block)) for block in clean)) + "\n")


def _plain(block: Block) -> Sequence[str]:
    return block.lines if isinstance(block, Lines) else tuple(to_lines(block))


def _draw(stream: TextIO, blocks: Sequence[Block]) -> None:
    console = Console(file=stream, highlight=False, markup=False, emoji=False)
    for number, block in enumerate(blocks):
        if number:
            console.print()
        if isinstance(block, Lines):
            for line in block.lines:
                console.print(Text(line))
        else:
            console.print(_drawn(fitted(block, console.width)))


def _drawn(table: Table) -> Drawn:
    drawn = Drawn(
        title=Text(table.caption, style="bold"),
        title_justify="left",
        caption=Text(table.note, style="dim") if table.note else None,
        caption_justify="left",
        box=SIMPLE_HEAD,
    )
    for column in table.columns:
        drawn.add_column(
            Text(column.name),
            justify="right" if column.is_number else "left",
            no_wrap=not column.is_prose,
            overflow="fold",
            min_width=PROSE if column.is_prose else None,
        )
    for row in table.rows:
        drawn.add_row(*(Text(cell.text, style=_STYLES[cell.tone]) for cell in row))
    return drawn
