"""The service's budgets, workers and stuck runs as tables."""

from collections.abc import Sequence

from fixloop_bot.core.render.escape import plain
from fixloop_bot.core.render.history_tables import percent
from fixloop_bot.core.status_line import money
from fixloop_bot.model.service_health import NoProgress, WorkerHealth
from fixloop_bot.model.spending import Spending
from fixloop_bot.model.table import Cell, Column, Table, Tone

NEARLY = 0.8
"""Of a budget; from here on it is worth a look."""


def spending_table(budgets: Sequence[Spending]) -> Table:
    """Return each budget, the most exhausted first."""
    ordered = sorted(budgets, key=lambda one: (-(_share(one) or 0.0), one.scope, one.key))
    return Table(
        caption="Budgets, the most used first",
        columns=(
            Column("budget"),
            Column("of"),
            Column("spent", is_number=True),
            Column("limit", is_number=True),
            Column("left", is_number=True),
            Column("used", is_number=True),
        ),
        rows=tuple(_budget(one) for one in ordered),
    )


def workers_table(workers: Sequence[WorkerHealth]) -> Table:
    """Return the workers, who was silent longest first."""
    return Table(
        caption="Workers",
        columns=(Column("worker"), Column("last seen"), Column("jobs in hand", is_number=True), Column("state")),
        rows=tuple(
            (
                Cell(plain(one.name, 80)),
                Cell(f"{span(one.seen_s)} ago"),
                Cell(f"{one.running:,}"),
                Cell("silent too long", Tone.BAD) if one.is_late else Cell("works", Tone.GOOD),
            )
            for one in sorted(workers, key=lambda worker: -worker.seen_s)
        ),
    )


def no_progress_table(runs: Sequence[NoProgress]) -> Table:
    """Return the runs of which nothing is heard, the longest first."""
    return Table(
        caption="Runs without progress",
        columns=(Column("run"), Column("repository"), Column("nothing heard for")),
        rows=tuple(
            (Cell(plain(one.run_id, 160)), Cell(plain(one.repository, 140)), Cell(span(one.silent_s), Tone.BAD))
            for one in sorted(runs, key=lambda run: -run.silent_s)
        ),
    )


def span(seconds: float) -> str:
    """Return a span of time in its largest fitting unit: `50 s`, `12 min`, `3.5 h`, `2.0 days`."""
    for size, unit, form in ((86_400, "days", ".1f"), (3_600, "h", ".1f"), (60, "min", ".0f")):
        if seconds >= size:
            return f"{seconds / size:{form}} {unit}"
    return f"{max(seconds, 0.0):.0f} s"


def _share(one: Spending) -> float | None:
    if one.limit_usd is None:
        return None
    return one.spent_usd / one.limit_usd if one.limit_usd > 0 else 1.0


def _budget(one: Spending) -> tuple[Cell, ...]:
    share = _share(one)
    tone = Tone.PLAIN if share is None else Tone.BAD if share >= 1 else Tone.WARN if share >= NEARLY else Tone.GOOD
    left = "" if one.limit_usd is None else money(one.left_usd)
    return (
        Cell(f"{one.scope}, {one.day}" if one.day else str(one.scope)),
        Cell(plain(one.key, 140) or "the service"),
        Cell(money(one.spent_usd)),
        Cell("none" if one.limit_usd is None else money(one.limit_usd)),
        Cell(left),
        Cell("" if share is None else percent(share), tone),
    )
