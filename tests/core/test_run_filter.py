"""Filters take a part of a name in any case, and pages lose no run."""

from dataclasses import replace

import pytest

from fixloop_bot.core.run_filter import RunFilter, layers_of, leaf
from fixloop_bot.model.history import RunFacts, Standing
from fixloop_bot.model.outcome import Status, Terminal, TerminalState
from fixloop_bot.model.state import Phase

STANDING = Standing(
    phase=Phase.FIX,
    started_at=1.7e9,
    layer="lint",
    iterations=0,
    max_retries=3,
    cost_usd=0.0,
    error_hashes=(),
    end=None,
)
ENDED = Terminal(
    run_id="ended", state=TerminalState.FAILED_BUDGET, status=Status.BLOCKED, reason="Zu teuer", criteria_met={},
    evidence=(), false_completion=False, iteration_id=None, terminated_at="2026-01-01T00:00:00Z",
)  # fmt: skip
OPEN = RunFacts(run_id="open", branch="Fix/Straße", standing=STANDING, story_id="S-7")
RUNS = (OPEN, RunFacts(run_id="ended", branch="main", terminal=ENDED), RunFacts(run_id="lost"))


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (RunFilter(), ["open", "ended", "lost"]),
        (RunFilter(status="BLOCKED"), ["ended"]),
        (RunFilter(status="UNKNOWN"), ["lost"]),
        (RunFilter(branch="fix/STRASSE"), ["open"]),
        (RunFilter(layer="lint"), ["open"]),
        (RunFilter(text="zu TEUER"), ["ended"]),
        (RunFilter(text="s-7", layer="lint"), ["open"]),
        (RunFilter(text="failedbudget"), ["ended"]),
        (RunFilter(status="DONE"), []),
    ],
)
def test_what_is_asked_for_is_found(wanted: RunFilter, found: list[str]) -> None:
    assert [run.run_id for run in wanted.chosen(RUNS)] == found


def test_a_layer_is_that_of_an_attempt_or_the_one_that_fails_now() -> None:
    assert layers_of(OPEN) == {"lint"}
    assert layers_of(replace(OPEN, standing=replace(STANDING, layer=""))) == frozenset()


@pytest.mark.parametrize(("asked", "number", "shown"), [(1, 1, 2), (2, 2, 1), (3, 2, 1), (0, 1, 2), (-9, 1, 2)])
def test_a_page_that_is_not_there_is_the_nearest(asked: int, number: int, shown: int) -> None:
    page = leaf(RUNS, asked, size=2)
    assert (page.number, len(page.runs), page.last, page.total) == (number, shown, 2, 3)


def test_no_runs_are_one_empty_page() -> None:
    assert leaf((), 1, size=2).last == 1
