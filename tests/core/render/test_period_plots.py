"""Productivity and spend by the time in which runs began."""

import pytest

from fixloop_bot.core.render.period_plots import MOST, period_plots, periods, periods_table
from fixloop_bot.model.history import RunFacts, Standing
from fixloop_bot.model.state import Phase

DAY = 86_400.0
START = 1_700_000_000.0  # 2023-11-14, a Tuesday


def run(at: float) -> RunFacts:
    return RunFacts(
        run_id=f"r{at}",
        standing=Standing(
            phase=Phase.FIX,
            started_at=at,
            layer="",
            iterations=0,
            max_retries=3,
            cost_usd=0.0,
            error_hashes=(),
            end=None,
        ),
    )


@pytest.mark.parametrize(
    ("days", "unit", "first", "number"),
    [
        ((0, 0.05, 3), "day", "2023-11-14", 2),
        ((0, 3, 100), "week", "2023-11-13", 2),
        ((0, 2, 600), "month", "2023-11", 2),
        ((0, 1_000_000), "month", "2023-11", 2),
    ],
)
def test_the_span_says_which_periods_there_are(days: tuple[float, ...], unit: str, first: str, number: int) -> None:
    found = periods([run(START + day * DAY) for day in days])
    assert (found.unit, found.each[0].name, len(found.each)) == (unit, first, number)
    assert sum(one.tally.runs for one in found.each) == len(days)
    assert len(periods_table(found).rows) == number


def test_only_the_latest_are_shown_and_the_rest_is_told() -> None:
    found = periods([run(START + month * 31 * DAY) for month in range(MOST + 9)])
    assert len(found.each) == MOST
    assert found.left_out > 0
    assert periods_table(found).note == f"{found.left_out} older ones are not shown."


@pytest.mark.parametrize("at", [0.0, -1.0, 1e12, float("inf"), float("nan")])
def test_a_start_that_is_no_time_is_in_no_period(at: float) -> None:
    assert period_plots(periods([run(at)])) == ()


def test_each_period_has_its_mark_in_each_plot() -> None:
    productivity, spend = period_plots(periods([run(START), run(START + DAY)]))
    assert len(productivity.marks) == 0, "without an attempt nothing is known of it"
    assert [mark.height for mark in spend.marks] == [0.0, 0.0]
