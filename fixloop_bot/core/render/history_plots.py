"""What all runs look like, in the order in which they began."""

from collections.abc import Sequence
from itertools import accumulate

from fixloop_bot.core.render.plot import Line, Mark, Plot, lanes
from fixloop_bot.core.render.words import at_least, count
from fixloop_bot.core.standing import FALSE, check_of, cost_of, end_of, known_cost_of, started_of, status_of
from fixloop_bot.core.status_line import money
from fixloop_bot.model.history import RunFacts
from fixloop_bot.model.outcome import TerminalState
from fixloop_bot.model.table import Tone

TICKS = 3
"""Dates that fit below a plot on a phone."""
_ENDS = ("Succeeded", "NEED_DECISION", "UNFINISHED", "UNKNOWN", *(str(state) for state in TerminalState))


def history_plots(runs: Sequence[RunFacts]) -> tuple[Plot, ...]:
    """Return the plots of all runs, given newest first; none where there are no runs."""
    oldest_first = tuple(reversed(runs))
    return (end_plot(oldest_first), cost_plot(oldest_first)) if runs else ()


def end_plot(runs: Sequence[RunFacts]) -> Plot:
    """Return each run in the lane of its end; a DONE that does not hold has a ring."""
    ends = [end_of(run) or status_of(run) for run in runs]
    met = [end for end in dict.fromkeys(_ENDS) if end in ends]
    heights = {name: height for height, name in lanes(met)}
    marks = [_end_mark(place, run, heights[ends[place]]) for place, run in enumerate(runs)]
    false = sum(mark.ring for mark in marks)
    told = ", ".join(f"{ends.count(end):,} {end}" for end in met)
    contradicted = f" {count(false, 'DONE claim')} found not to hold." if false else ""
    return Plot(
        name="ends",
        title="How runs ended, oldest first",
        summary=f"{count(len(runs), 'run')}: {told}.{contradicted}",
        places=_places(runs),
        legend="Ringed: a DONE that does not hold." if false else "",
        lanes=lanes([end.removeprefix("Failed").removesuffix("ByHuman") for end in met]),
        marks=marks,
        pixels=26 * max(len(met) - 1, 1),
        ticks=TICKS,
    )


def cost_plot(runs: Sequence[RunFacts]) -> Plot:
    """Return the dollars that all runs up to each have cost; a run of unknown cost is marked."""
    costs = [cost_of(run) for run in runs]
    sums = list(accumulate(map(known_cost_of, runs)))
    unknown = costs.count(None)
    top = sums[-1] or 1.0
    marks = [
        Mark(
            place=place,
            height=spent / top,
            about=f"{run.run_id}: {money(costs[place])}, {money(spent)} so far",
            tone=Tone.WARN if costs[place] is None else Tone.PLAIN,
            ring=costs[place] is None,
        )
        for place, (run, spent) in enumerate(zip(runs, sums, strict=True))
    ]
    lacking = f" The cost of {count(unknown, 'run')} is not known in full." if unknown else ""
    return Plot(
        name="costs",
        title="Cost of all runs so far",
        summary=f"{at_least(sums[-1], unknown=unknown > 0).capitalize()} in all.{lacking}",
        places=_places(runs),
        lanes=((1.0, money(top)), (0.5, money(top / 2)), (0.0, "$0.00")) if sums[-1] else ((0.0, "$0.00"),),
        legend="Ringed: a run of unknown cost." if unknown else "",
        marks=marks,
        lines=[Line(start=(n, sums[n] / top), end=(n + 1, sums[n + 1] / top)) for n in range(len(sums) - 1)],
        ticks=TICKS,
    )


def _end_mark(place: int, run: RunFacts, height: float) -> Mark:
    check = check_of(run)
    tone = Tone.GOOD if run.is_done else Tone.BAD if run.terminal else Tone.WARN
    false = check == FALSE
    about = f"{run.run_id} on {run.branch or 'no known branch'}: {end_of(run) or status_of(run)}"
    return Mark(
        place=place,
        height=height,
        about=f"{about}, {check}" if check else about,
        tone=Tone.BAD if false else tone,
        ring=false,
    )


def _places(runs: Sequence[RunFacts]) -> list[str]:
    return [started_of(run)[:10] for run in runs]
