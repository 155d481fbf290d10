"""What a run's attempts look like: their verdicts, their failures and how those come back, score and cost."""

from collections.abc import Iterator, Sequence

from fixloop_bot.core.cycles import cycle_words, letters_of, looks_of, returns
from fixloop_bot.core.render.escape import plain
from fixloop_bot.core.render.history_tables import outcome_word, tone_of
from fixloop_bot.core.render.plot import Line, Mark, Plot, lanes
from fixloop_bot.core.render.words import at_least, count
from fixloop_bot.core.status_line import money
from fixloop_bot.model.history import RunFacts
from fixloop_bot.model.record import RepairRecord
from fixloop_bot.model.table import Tone

VERDICTS = ("clean", "progress", "changed", "same", "regression", "refused", "contradicted")
"""From the best to the worst."""
MOST_LANES = 12
"""Failures that get a lane of their own; the others share the last one."""
MOST_CYCLES = 3
"""Returns that are told in words."""
_OTHERS = "others"


def run_plots(run: RunFacts) -> tuple[Plot, ...]:
    """Return the plots of a run that has attempts; none for one without."""
    if not run.records:
        return ()
    return (verdict_plot(run.records), failure_plot(run), score_plot(run.records), cost_plot(run.records))


def verdict_plot(records: Sequence[RepairRecord]) -> Plot:
    """Return each attempt in the lane of its verdict."""
    words = [outcome_word(record) for record in records]
    met = [word for word in VERDICTS if word in words] + sorted({word for word in words if word not in VERDICTS})
    heights = {name: height for height, name in lanes(met)}
    marks = [
        Mark(place=place, height=heights[word], about=_about(record, word), tone=tone_of(word))
        for place, (record, word) in enumerate(zip(records, words, strict=True))
    ]
    told = ", ".join(f"{words.count(word):,} {word}" for word in met)
    return Plot(
        name="verdicts",
        title="Attempts by verdict",
        summary=f"{count(len(records), 'attempt')}: {told}.",
        places=_numbers(records),
        lanes=lanes(met),
        marks=marks,
        pixels=26 * max(len(met) - 1, 1),
    )


def failure_plot(run: RunFacts) -> Plot:
    """Return the failure after each attempt; where one came back, a dashed line leads there and the mark has a ring."""
    looks = looks_of(run)
    letters = letters_of(looks)
    back = returns(looks)
    named = list(letters.values())
    names = ["clean"] * any(not look.error_hash for look in looks) + named[:MOST_LANES]
    names += [_OTHERS] if len(named) > MOST_LANES else []
    height = {name: at for at, name in lanes(names)}
    at = [height.get(letters.get(look.error_hash, "clean"), 0.0) for look in looks]
    came_back = {one.now for one in back}
    marks = [
        Mark(
            place=place,
            height=at[place],
            about=f"after attempt {look.attempt}: {letters.get(look.error_hash, 'clean')} {look.error_hash[:12]}",
            tone=Tone.WARN if place in came_back else Tone.PLAIN if look.error_hash else Tone.GOOD,
            ring=place in came_back,
        )
        for place, look in enumerate(looks)
    ]
    steps = [Line(start=(place, at[place]), end=(place + 1, at[place + 1])) for place in range(len(looks) - 1)]
    circles = [Line(start=(one.earlier, at[one.earlier]), end=(one.now, at[one.now]), kind="back") for one in back]
    return Plot(
        name="failures",
        title="Failures (error hashes), in the order of first sight",
        summary=_cycles(run),
        places=[str(look.attempt) for look in looks],
        lanes=lanes(names),
        legend="Ringed: a failure that came back; the dashed line leads to where it was before." if back else "",
        marks=marks,
        lines=(*circles, *steps),
        pixels=26 * max(len(names) - 1, 1),
    )


def score_plot(records: Sequence[RepairRecord]) -> Plot:
    """Return each attempt's score, a stem from what it was before."""
    stems = [
        Line(
            start=(place, record.verification_before.score),
            end=(place, record.verification_after.score),
            kind="stem good" if record.productive else "stem bad",
        )
        for place, record in enumerate(records)
    ]
    marks = [
        Mark(
            place=place,
            height=record.verification_after.score,
            about=_about(record, outcome_word(record)),
            tone=Tone.GOOD if record.productive else Tone.BAD,
        )
        for place, record in enumerate(records)
    ]
    best = max(record.verification_after.score for record in records)
    productive = sum(record.productive for record in records)
    return Plot(
        name="scores",
        title="Score before and after each attempt",
        summary=f"{productive:,} of {count(len(records), 'attempt')} raised the score; the best is {best:.2f} of 1.",
        places=_numbers(records),
        lanes=tuple((height, f"{height:g}") for height in (1.0, 0.5, 0.0)),
        marks=marks,
        lines=stems,
    )


def cost_plot(records: Sequence[RepairRecord]) -> Plot:
    """Return the dollars spent so far; an attempt of unknown cost is marked, and adds nothing that is known."""
    sums = list(_cumulated([record.cost_usd for record in records]))
    unknown = sum(record.cost_usd is None for record in records)
    top = sums[-1] or 1.0
    marks = [
        Mark(
            place=place,
            height=spent / top,
            about=f"attempt {record.attempt}: {money(record.cost_usd)}, {money(spent)} so far",
            tone=Tone.WARN if record.cost_usd is None else Tone.PLAIN,
            ring=record.cost_usd is None,
        )
        for place, (record, spent) in enumerate(zip(records, sums, strict=True))
    ]
    steps = [
        Line(start=(place, sums[place] / top), end=(place + 1, sums[place + 1] / top)) for place in range(len(sums) - 1)
    ]
    lacking = f" The cost of {count(unknown, 'attempt')} is unknown." if unknown else ""
    nothing = unknown == len(records)
    return Plot(
        name="costs",
        title="Cost so far",
        summary=f"{'Unknown' if nothing else at_least(sums[-1], unknown=unknown > 0).capitalize()} in all.{lacking}",
        places=_numbers(records),
        lanes=((1.0, money(top)), (0.5, money(top / 2)), (0.0, "$0.00")) if sums[-1] else ((0.0, "$0.00"),),
        legend="Ringed: an attempt of unknown cost." if unknown else "",
        marks=marks,
        lines=steps,
    )


def _cycles(run: RunFacts) -> str:
    looks = looks_of(run)
    letters, back = letters_of(looks), returns(looks)
    told = f"{count(len(letters), 'different failure')}."
    if not back:
        return f"{told} None came back after another."
    words = "; ".join(cycle_words(looks, one, letters) for one in back[:MOST_CYCLES])
    more = f"; and {len(back) - MOST_CYCLES:,} more" if len(back) > MOST_CYCLES else ""
    return f"{told} The attempts went in a circle: {words}{more}."


def _about(record: RepairRecord, word: str) -> str:
    said = plain(record.hypothesis, 120)
    return f"attempt {record.attempt}, {plain(record.layer, 40)}, {plain(record.model, 40)}: {word}. {said}"


def _numbers(records: Sequence[RepairRecord]) -> list[str]:
    return [str(record.attempt) for record in records]


def _cumulated(costs: Sequence[float | None]) -> Iterator[float]:
    spent = 0.0
    for cost in costs:
        spent += cost or 0.0
        yield spent
