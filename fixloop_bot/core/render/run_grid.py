"""One run's attempts at a glance: layers down, attempts across; and what else each record holds."""

from collections.abc import Iterator

from fixloop_bot.core.cycles import cycle_words, letters_of, looks_of, returns
from fixloop_bot.core.render.escape import plain
from fixloop_bot.core.render.history_tables import outcome_word, tone_of
from fixloop_bot.core.run_filter import LAYERS
from fixloop_bot.core.status_line import money
from fixloop_bot.model.history import RunFacts
from fixloop_bot.model.record import RepairRecord
from fixloop_bot.model.table import Cell, Column, Table, Tone

MOST_CYCLES = 10
_SEVERITIES = {"critical": Tone.BAD, "high": Tone.BAD, "medium": Tone.WARN}


def timeline_table(run: RunFacts) -> Table:
    """Return a row for each layer that was worked on, and in it what each attempt came to and cost."""
    met = {record.layer for record in run.records}
    layers = [layer for layer in LAYERS if layer in met] + sorted(met - set(LAYERS))
    numbers = tuple(Column(f"attempt {record.attempt}") for record in run.records)
    return Table(
        caption="Layers and attempts",
        columns=(Column("layer"), *numbers),
        rows=tuple((Cell(plain(layer, 40)), *(_cell(record, layer) for record in run.records)) for layer in layers),
    )


def changes_table(run: RunFacts) -> Table:
    """Return what each attempt changed, and the failure that it left: the full hash and its letter in the plots."""
    letters = letters_of(looks_of(run))
    return Table(
        caption="Changes and hashes",
        columns=(
            Column("attempt", is_number=True),
            Column("diff stat"),
            Column("commit"),
            Column("error hash"),
            Column("salvage"),
            Column("repeats"),
        ),
        rows=tuple(
            (
                Cell(str(record.attempt)),
                Cell(plain(record.diff_stat, 200) or "no change", Tone.PLAIN if record.diff_stat else Tone.DIM),
                Cell(plain(record.commit[:12])) if record.commit else Cell("none", Tone.DIM),
                Cell(" ".join(filter(None, (letters.get(record.error_hash), plain(record.error_hash, 64))))),
                Cell(plain(record.salvage or "", 80)),
                Cell(plain(record.repeats, 80)),
            )
            for record in run.records
        ),
    )


def guard_table(run: RunFacts) -> Table:
    """Return what the guard found in each attempt."""
    return Table(
        caption="Findings of the guard",
        columns=(
            Column("attempt", is_number=True),
            Column("severity"),
            Column("rule"),
            Column("place"),
            Column("message", is_prose=True),
        ),
        rows=tuple(row for record in run.records for row in _findings(record)),
    )


def cycles_of(run: RunFacts) -> tuple[str, ...]:
    """Return each return of a failure in words: `A → B → A (attempts 0 to 2)`."""
    looks = looks_of(run)
    letters = letters_of(looks)
    return tuple(cycle_words(looks, one, letters) for one in returns(looks)[:MOST_CYCLES])


def _cell(record: RepairRecord, layer: str) -> Cell:
    if record.layer != layer:
        return Cell("")
    word = outcome_word(record)
    return Cell(f"{word}, {money(record.cost_usd)}", tone_of(word))


def _findings(record: RepairRecord) -> Iterator[tuple[Cell, ...]]:
    for found in record.guard:
        severity, line = str(found.get("severity", "")), found.get("line")
        place = f"{found.get('path', '')}:{line}" if line else str(found.get("path", ""))
        yield (
            Cell(str(record.attempt)),
            Cell(plain(severity, 20), _SEVERITIES.get(severity, Tone.PLAIN)),
            Cell(plain(str(found.get("rule_id", "")), 80)),
            Cell(plain(place, 200)),
            Cell(plain(str(found.get("message", "")), 300)),
        )
