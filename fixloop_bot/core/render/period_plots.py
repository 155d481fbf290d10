"""Productivity and spend over time: by day, by week or by month, as the runs' span asks for."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

from fixloop_bot.core.metrics import tally
from fixloop_bot.core.render.history_tables import TALLY_COLUMNS, cost, percent, tally_cells
from fixloop_bot.core.render.plot import Line, Mark, Plot
from fixloop_bot.core.status_line import money
from fixloop_bot.model.history import RunFacts, Tally
from fixloop_bot.model.table import Cell, Column, Table, Tone

MOST = 60
"""Periods that are shown, the latest."""
TICKS = 3


@dataclass(frozen=True, slots=True)
class Period:
    """The runs that began in one day, week or month."""

    name: str
    """Its first day (ISO 8601), or its month."""
    tally: Tally


@dataclass(frozen=True, slots=True)
class Periods:
    """Those in which runs began, oldest first."""

    unit: str
    """`day`, `week` or `month`."""
    each: tuple[Period, ...]
    left_out: int


def periods(runs: Sequence[RunFacts]) -> Periods:
    """Return the runs by when they began (UTC); a run of which that is not known is in none."""
    dated = [(day, run) for run in runs if (day := _day(run))]
    span = (max(day for day, _ in dated) - min(day for day, _ in dated)).days if dated else 0
    unit = "day" if span < MOST else "week" if span < MOST * 7 else "month"
    found: dict[str, list[RunFacts]] = defaultdict(list)
    for day, run in dated:
        found[_name(day, unit)].append(run)
    shown = sorted(found)[-MOST:]
    return Periods(unit, tuple(Period(name, tally(found[name])) for name in shown), len(found) - len(shown))


def periods_table(found: Periods) -> Table:
    """Return the periods, newest first."""
    return Table(
        caption=f"By {found.unit}, newest first",
        columns=(Column(f"{found.unit} of the start"), *TALLY_COLUMNS),
        rows=tuple((Cell(one.name), *tally_cells(one.tally)) for one in reversed(found.each)),
        note=f"{found.left_out:,} older ones are not shown." if found.left_out else "",
    )


def period_plots(found: Periods) -> tuple[Plot, ...]:
    """Return productivity and spend of each period; none where there is none."""
    return (_productivity(found), _spend(found)) if found.each else ()


def _productivity(found: Periods) -> Plot:
    rated = [(place, one, one.tally.productivity) for place, one in enumerate(found.each)]
    known = [(place, one, rate) for place, one, rate in rated if rate is not None]
    marks = [
        Mark(place=place, height=rate, about=f"{one.name}: {percent(rate)} of {one.tally.attempts:,} attempts")
        for place, one, rate in known
    ]
    attempts, good = (sum(getattr(one.tally, name) for one in found.each) for name in ("attempts", "productive"))
    return Plot(
        name="productivity",
        title=f"Repair productivity by {found.unit}",
        summary=f"{good:,} of {attempts:,} attempts raised the score.",
        places=[one.name for one in found.each],
        lanes=((1.0, "100 %"), (0.5, "50 %"), (0.0, "0 %")),
        marks=marks,
        lines=[Line(start=(a.place, a.height), end=(b.place, b.height)) for a, b in pairwise(marks)],
        ticks=TICKS,
    )


def _spend(found: Periods) -> Plot:
    costs = [one.tally.known_cost_usd for one in found.each]
    top = max(costs) or 1.0
    unknown = sum(one.tally.unknown_costs for one in found.each)
    marks = [
        Mark(
            place=place,
            height=costs[place] / top,
            about=f"{one.name}: {cost(one.tally)}, {one.tally.successes:,} successes",
            tone=Tone.WARN if one.tally.unknown_costs else Tone.PLAIN,
            ring=one.tally.unknown_costs > 0,
        )
        for place, one in enumerate(found.each)
    ]
    lacking = f" The cost of {unknown:,} attempts is not known." if unknown else ""
    return Plot(
        name="spend",
        title=f"Spend by {found.unit}",
        summary=f"{money(sum(costs))} known in all.{lacking}",
        legend="Ringed: a part is not known." if unknown else "",
        places=[one.name for one in found.each],
        lanes=((1.0, money(top)), (0.5, money(top / 2)), (0.0, "$0.00")),
        marks=marks,
        lines=[Line(start=(place, 0.0), end=(place, height / top)) for place, height in enumerate(costs)],
        ticks=TICKS,
    )


def _day(run: RunFacts) -> date | None:
    started = run.standing.started_at if run.standing else 0.0
    return datetime.fromtimestamp(started, UTC).date() if 0 < started < 1e11 else None


def _name(day: date, unit: str) -> str:
    match unit:
        case "day":
            return day.isoformat()
        case "week":
            return (day - timedelta(days=day.weekday())).isoformat()
        case _:
            return f"{day.year:04}-{day.month:02}"
