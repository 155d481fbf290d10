"""Runs, attempts and metrics as tables."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from fixloop_bot.core.render.escape import plain
from fixloop_bot.core.render.words import at_least, count
from fixloop_bot.core.standing import (
    FALSE,
    HELD,
    SUPERSEDED,
    UNFINISHED,
    check_of,
    cost_of,
    end_of,
    iterations_of,
    started_of,
    status_of,
    waits_for,
)
from fixloop_bot.core.status_line import money
from fixloop_bot.model.history import Malformed, Metrics, RunFacts, RunOrigin, Tally
from fixloop_bot.model.record import RepairRecord
from fixloop_bot.model.table import Cell, Column, Table, Tone

WORDS_LIMIT = 300
"""Characters of a hypothesis or a question in a cell."""
SHORT_LIMIT = 120
"""The same where there are many rows."""
_FIRST = ("run", "status", "branch", "attempts", "cost")
_PULL = "pull request"
_NONE = Cell("none", Tone.DIM)
_TONES = {
    "DONE": Tone.GOOD, "BLOCKED": Tone.BAD, "NEED_DECISION": Tone.WARN, UNFINISHED: Tone.WARN,
    SUPERSEDED: Tone.DIM,
    HELD: Tone.GOOD, FALSE: Tone.BAD,
    "clean": Tone.GOOD, "progress": Tone.GOOD, "changed": Tone.WARN, "regression": Tone.BAD, "refused": Tone.BAD,
    "contradicted": Tone.BAD,
}  # fmt: skip
TALLY_COLUMNS = (
    Column("runs", is_number=True, rank=2),
    Column("attempts", is_number=True),
    Column("productive", is_number=True),
    Column("DONE", is_number=True),
    Column("verified", is_number=True, rank=3),
    Column("false", is_number=True),
    Column("cost", is_number=True, rank=1),
    Column("cost per success", is_number=True),
)


def tone_of(word: str) -> Tone:
    """Return what a status, a verdict or a finding means."""
    return _TONES.get(word, Tone.PLAIN)


def overall_table(one: Tally) -> Table:
    """Return the three metrics, and what they are made of."""
    rows = (
        ("repair productivity", percent(one.productivity), f"{one.productive:,} of {count(one.attempts, 'attempt')}"),
        ("false-completion rate", percent(one.false_completion_rate), _claims(one)),
        ("cost per success", cost_per_success(one), _spent(one)),
    )
    tone = Tone.BAD if one.false else Tone.PLAIN
    return Table(
        caption="Overall",
        columns=(Column("metric"), Column("value", is_number=True), Column("made of", is_prose=True)),
        rows=tuple(
            (Cell(name), Cell(value, tone if "false" in name else Tone.PLAIN), Cell(of)) for name, value, of in rows
        ),
    )


def metrics_tables(metrics: Metrics) -> tuple[Table, ...]:
    """Return a table for each dimension of which something is known."""
    return tuple(
        Table(
            caption=f"By {name}",
            columns=(Column(name), *TALLY_COLUMNS),
            rows=tuple((Cell(plain(value, 80) or "(none)"), *tally_cells(one)) for value, one in values.items()),
        )
        for name, values in metrics.by.items()
        if values
    )


def runs_table(runs: Sequence[RunFacts], *, most: int | None = None) -> Table:
    """Return the runs, newest first, at most so many."""
    shown = runs if most is None else runs[:most]
    left_out = len(runs) - len(shown)
    return Table(
        caption="Runs, newest first",
        columns=(
            Column("run"),
            Column("branch"),
            Column("status"),
            Column("end", rank=4),
            Column("attempts", is_number=True, rank=2),
            Column("cost", is_number=True, rank=1),
            Column("started (UTC)", rank=3),
            Column("DONE checked again", rank=6),
            Column("waits for", is_prose=True, rank=5),
        ),
        rows=tuple(tuple(_run_cells(run)) for run in shown),
        note=f"{left_out:,} older runs are not shown." if left_out else "",
    )


def listed_table(runs: Sequence[RunFacts]) -> Table:
    """Return the runs for a narrow page: what is asked for first stands first, and what they wait for has its own."""
    table = _with_origins(runs_table(runs), runs)
    names = [column.name for column in table.columns]
    first = (*_FIRST[:2], _PULL, *_FIRST[2:]) if _PULL in names else _FIRST
    order = [names.index(name) for name in (*first, *(name for name in names if name not in (*first, "waits for")))]
    columns = tuple(table.columns[place] for place in order)
    return replace(
        table,
        columns=tuple(replace(column, is_prose=column.name in ("branch", _PULL)) for column in columns),
        rows=tuple(tuple(_shortened(row[place]) for place in order) for row in table.rows),
    )


def _with_origins(table: Table, runs: Sequence[RunFacts]) -> Table:
    """Return the table with the runs' pull requests, where there is a run of the service."""
    if not any(run.origin for run in runs):
        return table
    cells = [Cell(_pull(run.origin) if run.origin else "") for run in runs]
    rows = tuple((*row, cell) for row, cell in zip(table.rows, cells, strict=True))
    return replace(table, columns=(*table.columns, Column(_PULL)), rows=rows)


def _pull(origin: RunOrigin) -> str:
    number = f"#{origin.pull_request}" if origin.pull_request is not None else ""
    return plain(f"{origin.repository}{number} {origin.title}", SHORT_LIMIT)


def attempts_table(run: RunFacts, letters: Mapping[str, str]) -> Table:
    """Return a run's attempts; `letters` names each error hash."""
    return Table(
        caption="Attempts",
        columns=(
            Column("attempt", is_number=True),
            Column("layer"),
            Column("failure mode", rank=6),
            Column("model", rank=4),
            Column("verdict"),
            Column("score", rank=2),
            Column("failure", rank=3),
            Column("cost", is_number=True),
            Column("commit", rank=5),
            Column("hypothesis", is_prose=True),
            Column("change", is_prose=True, rank=7),
        ),
        rows=tuple(tuple(_attempt_cells(record, letters)) for record in run.records),
    )


def malformed_table(malformed: Iterable[Malformed]) -> Table:
    """Return the records that count for nothing, and why."""
    rows = tuple((Cell(plain(one.path, 200)), Cell(plain(one.problem, 200), Tone.BAD)) for one in malformed)
    return Table(
        caption="Malformed records, not counted",
        columns=(Column("record"), Column("problem", is_prose=True)),
        rows=rows,
    )


def percent(rate: float | None) -> str:
    """Return a rate in percent; none is not 0."""
    return "none yet" if rate is None else f"{rate * 100:.0f} %" if rate in (0.0, 1.0) else f"{rate * 100:.1f} %"


def cost_per_success(one: Tally) -> str:
    """Return dollars per success, a lower bound where some cost is unknown, or that it is not known."""
    if not one.successes:
        return "no success yet"
    known = one.known_cost_per_success
    return "unknown" if known is None else at_least(known, unknown=one.unknown_costs > 0)


def cost(one: Tally) -> str:
    """Return the dollars of all attempts; what is unknown in it is told."""
    if one.unknown_costs and one.unknown_costs == one.attempts:
        return "unknown"
    return at_least(one.known_cost_usd, unknown=one.unknown_costs > 0)


def outcome_word(record: RepairRecord) -> str:
    """Return the attempt's verdict, or what its scores say where it has none."""
    return plain(record.verdict, 20) or ("progress" if record.productive else "same")


def _shortened(cell: Cell) -> Cell:
    return replace(cell, text=plain(cell.text, SHORT_LIMIT))


def _claims(one: Tally) -> str:
    open_ = one.done - one.held - one.false
    return f"{one.false:,} of {count(one.done, 'DONE claim')}; {one.held:,} found to hold, {open_:,} not checked again"


def _spent(one: Tally) -> str:
    unknown = f", the cost of {count(one.unknown_costs, 'attempt')} unknown" if one.unknown_costs else ""
    return f"{cost(one)} for {one.successes:,} {'success' if one.successes == 1 else 'successes'}{unknown}"


def tally_cells(one: Tally) -> Iterator[Cell]:
    """Yield the cells of `TALLY_COLUMNS`."""
    yield Cell(f"{one.runs:,}")
    yield Cell(f"{one.attempts:,}")
    yield Cell(f"{one.productive:,} ({percent(one.productivity)})" if one.attempts else "0")
    yield Cell(f"{one.done:,}")
    yield Cell(f"{one.held:,}")
    yield Cell(f"{one.false:,}", Tone.BAD if one.false else Tone.PLAIN)
    yield Cell(cost(one))
    yield Cell(cost_per_success(one))


def _run_cells(run: RunFacts) -> Iterator[Cell]:
    status, check, dollars = status_of(run), check_of(run), cost_of(run)
    yield Cell(plain(run.run_id, 160))
    yield Cell(plain(run.branch, 80)) if run.branch else Cell("detached or unknown", Tone.DIM)
    yield Cell(status, tone_of(status))
    yield Cell(end_of(run))
    yield Cell(str(iterations_of(run)))
    yield Cell(money(dollars))
    yield Cell(started_of(run).replace("T", " ").removesuffix("Z"))
    yield Cell(check, tone_of(check))
    yield Cell(plain(waits_for(run), WORDS_LIMIT))


def _attempt_cells(record: RepairRecord, letters: Mapping[str, str]) -> Iterator[Cell]:
    word = outcome_word(record)
    before, after = record.verification_before.score, record.verification_after.score
    yield Cell(str(record.attempt))
    yield Cell(plain(record.layer, 40))
    yield Cell(plain(record.failure_mode, 40))
    yield Cell(plain(record.model, 40))
    yield Cell(word, tone_of(word))
    yield Cell(f"{before:.2f} \u2192 {after:.2f}")
    yield Cell(letters.get(record.error_hash, "")) if record.verification_after.status != "pass" else _NONE
    yield Cell(money(record.cost_usd), Tone.WARN if record.cost_usd is None else Tone.PLAIN)
    yield Cell(plain(record.commit[:12])) if record.commit else Cell("undone" if record.salvage else "none", Tone.DIM)
    yield Cell(plain(record.hypothesis, WORDS_LIMIT))
    yield Cell(plain(record.repair_action, WORDS_LIMIT))
