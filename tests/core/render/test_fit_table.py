"""In a narrow terminal the columns that matter least go first, and what went is said."""

import pytest

from fixloop_bot.core.render.fit_table import fitted, needed
from fixloop_bot.core.render.history_tables import runs_table
from fixloop_bot.model.table import Cell, Column, Table
from tests.core.histories import HISTORY

TABLE = Table(
    caption="c",
    columns=(Column("name"), Column("minor", rank=2), Column("least", rank=3), Column("words", is_prose=True, rank=1)),
    rows=((Cell("n" * 10), Cell("m" * 10), Cell("l" * 10), Cell("w " * 100)),),
    note="A note.",
)


@pytest.mark.parametrize(
    ("columns", "names"),
    [
        pytest.param(67, ["name", "minor", "least", "words"], id="there is room for all"),
        pytest.param(66, ["name", "minor", "words"], id="the highest rank goes first"),
        pytest.param(50, ["name", "words"], id="then the next"),
        pytest.param(20, ["name"], id="what has no rank stays"),
        pytest.param(1, ["name"], id="whatever the width"),
    ],
)
def test_columns_go_by_rank(columns: int, names: list[str]) -> None:
    table = fitted(TABLE, columns)
    assert [column.name for column in table.columns] == names
    assert all(len(row) == len(names) for row in table.rows)
    gone = [column.name for column in TABLE.columns if column.name not in names]
    assert table.note.startswith("A note.")
    assert all(name in table.note for name in gone)
    assert ("Not shown" in table.note) == bool(gone)


def test_a_list_of_runs_fits_into_eighty_columns() -> None:
    assert needed(fitted(runs_table(HISTORY.runs), 80)) <= 80


def test_a_table_without_rows_fits() -> None:
    assert fitted(runs_table([]), 80).rows == ()
