"""Drawn on a terminal, plain lines elsewhere; nothing foreign is obeyed by either."""

import io

from fixloop_bot.adapters.block_writer import write_blocks
from fixloop_bot.core.redact import redactor
from fixloop_bot.core.render.history_text import Lines, history_blocks, run_blocks
from fixloop_bot.model.table import Cell, Column, Table
from tests.core.histories import CIRCLE, HISTORY


class Terminal(io.StringIO):
    """A stream that says it is one."""

    def isatty(self) -> bool:
        return True


HOSTILE = Table(
    caption="hunter2-hunter2",
    columns=(Column("[red]name"),),
    rows=((Cell("\x1b]0;title\x07[bold]x[/bold] :smile: ##[error]y"),),),
    note="hunter2-hunter2",
)


def test_a_pipe_gets_plain_lines() -> None:
    stream = io.StringIO()
    write_blocks(stream, history_blocks(HISTORY), str)
    text = stream.getvalue()
    assert text.startswith("Overall\nmetric ")
    assert not set(text) & {"\x1b", "\u2500"}
    assert text.endswith("\n")


def test_a_terminal_gets_tables_that_fit() -> None:
    stream = Terminal()
    write_blocks(stream, [*history_blocks(HISTORY), *run_blocks(CIRCLE, ())], str)
    text = stream.getvalue()
    assert "\u2500" in text
    assert "20270115T080000-circle" in text
    assert "Not shown for want of room" in text


def test_no_secret_no_control_and_no_markup_comes_through() -> None:
    for stream in (io.StringIO(), Terminal()):
        write_blocks(stream, [Lines(("hunter2-hunter2 \x1b[2J", "::error::x")), HOSTILE], redactor(["hunter2-hunter2"]))
        text = stream.getvalue()
        assert "hunter2" not in text
        assert "\x07" not in text
        assert "\x1b[2J" not in text
        assert "[red]name" in text
        assert "[bold]x[/bold] :smile:" in text
