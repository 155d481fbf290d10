"""Runs and metrics for a terminal: sentences and tables."""

from collections.abc import Sequence
from dataclasses import dataclass

from fixloop_bot.core.cycles import letters_of, looks_of
from fixloop_bot.core.metrics import measure
from fixloop_bot.core.render.history_tables import (
    attempts_table,
    malformed_table,
    metrics_tables,
    overall_table,
    runs_table,
)
from fixloop_bot.core.render.run_plots import run_plots
from fixloop_bot.core.standing import next_steps, proposed, told, typed
from fixloop_bot.model.history import History, Malformed, RunFacts
from fixloop_bot.model.table import Table

MOST_DIFF = 200
"""Lines of a diff that a terminal is shown."""
MOST_RUNS = 20
"""Runs that a report in a terminal lists; `fixloop runs` lists all."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Sentences, a line each."""

    lines: tuple[str, ...]


Block = Lines | Table


def history_blocks(history: History) -> tuple[Block, ...]:
    """Return the metrics of all runs, and the latest of them."""
    metrics = measure(history)
    return (
        overall_table(metrics.overall),
        *metrics_tables(metrics),
        runs_table(history.runs, most=MOST_RUNS) if history.runs else Lines(("No run yet.",)),
        *_malformed(history.malformed),
    )


def run_blocks(run: RunFacts, malformed: Sequence[Malformed], state: Sequence[str] = ()) -> tuple[Block, ...]:
    """Return one run: where it stands, its attempts, and what they come to; `state` as in `next_steps`."""
    attempts = attempts_table(run, letters_of(looks_of(run)))
    seen = Lines(tuple(f"{plot.title}: {plot.summary}" for plot in run_plots(run)))
    return (
        Lines(told(run)),
        *((attempts, seen) if run.records else (Lines(("No attempt was made.",)),)),
        *_malformed(malformed),
        _next(next_steps(run, state)),
    )


def status_blocks(run: RunFacts, state: Sequence[str] = ()) -> tuple[Block, ...]:
    """Return where one run stands, and what can be done next; `state` as in `next_steps`."""
    draw = f"{typed(run, 'report', state)} --html report.html   (draws its attempts)"
    return (Lines(told(run)), *_diff(proposed(run)), _next((*next_steps(run, state), draw)))


def _diff(patch: str) -> tuple[Lines, ...]:
    """Return the diff that a person is asked about, as far as a terminal can show it."""
    lines = patch.splitlines()
    more = (f"({len(lines) - MOST_DIFF:,} more lines: --json)",) if len(lines) > MOST_DIFF else ()
    return (Lines(("The diff:", *lines[:MOST_DIFF], *more)),) if lines else ()


def _next(steps: Sequence[str]) -> Lines:
    return Lines(("Next:", *(f"  {line}" for line in steps)))


def _malformed(malformed: Sequence[Malformed]) -> tuple[Table, ...]:
    return (malformed_table(malformed),) if malformed else ()
