"""What `fixloop report`, `runs` and `status` say where there is no terminal, as whole texts."""

from collections.abc import Sequence

import pytest

from fixloop_bot.core.render.history_tables import percent, runs_table
from fixloop_bot.core.render.history_text import Block, Lines, history_blocks, run_blocks, status_blocks
from fixloop_bot.core.render.plain_table import to_lines, width
from fixloop_bot.model.history import History
from fixloop_bot.model.table import Cell, Column, Table
from tests.core.histories import ASKS, CIRCLE, DONE, HISTORY, OPEN
from tests.core.recorded import assert_recorded


def text(blocks: Sequence[Block]) -> str:
    lines = ["\n".join(block.lines if isinstance(block, Lines) else to_lines(block)) for block in blocks]
    return "\n\n".join(lines) + "\n"


def test_all_runs() -> None:
    assert_recorded("report_history.txt", text(history_blocks(HISTORY)))


def test_no_run_at_all() -> None:
    assert_recorded("report_nothing.txt", text(history_blocks(History())))


def test_one_run_that_went_in_a_circle() -> None:
    told = text(run_blocks(CIRCLE, HISTORY.malformed))
    assert_recorded("report_circle.txt", told)
    assert "\x1b" not in told
    assert "\u202e" not in told


def test_one_run_without_an_attempt() -> None:
    assert "No attempt was made." in text(run_blocks(OPEN, ()))


@pytest.mark.parametrize(("run", "name"), [(ASKS, "status_asks.txt"), (DONE, "status_done.txt")])
def test_where_a_run_stands(run: object, name: str) -> None:
    assert_recorded(name, text(status_blocks(run)))  # type: ignore[arg-type]


def test_runs_that_are_left_out_are_counted() -> None:
    table = runs_table([OPEN] * 30, most=20)
    assert (len(table.rows), table.note) == (20, "10 older runs are not shown.")


def test_columns_stand_below_their_heads_whatever_the_width_of_a_letter() -> None:
    rows = ((Cell("\u6f22\u5b57"), Cell("1")), (Cell("e\u0301"), Cell("1,000")))
    lines = list(to_lines(Table(caption="c", columns=(Column("name"), Column("n", is_number=True)), rows=rows)))
    assert lines == ["c", "name      n", "----  -----", "\u6f22\u5b57      1", "e\u0301     1,000"]
    assert {width(line) for line in lines[1:]} == {11}


@pytest.mark.parametrize(
    ("rate", "words"), [(None, "none yet"), (0.0, "0 %"), (1.0, "100 %"), (1 / 3, "33.3 %"), (0.9999, "100.0 %")]
)
def test_no_rate_is_not_zero(rate: float | None, words: str) -> None:
    assert percent(rate) == words
