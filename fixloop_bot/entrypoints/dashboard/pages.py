"""The pages that are looked at."""

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import islice

from starlette.exceptions import HTTPException
from starlette.requests import Request

from fixloop_bot.core.cycles import letters_of, looks_of
from fixloop_bot.core.render.history_tables import (
    attempts_table,
    listed_table,
    malformed_table,
    metrics_tables,
    overall_table,
)
from fixloop_bot.core.render.period_plots import period_plots, periods, periods_table
from fixloop_bot.core.render.run_grid import changes_table, cycles_of, guard_table, timeline_table
from fixloop_bot.core.render.run_plots import run_plots
from fixloop_bot.core.run_filter import LAYERS, STATUSES, RunFilter, leaf
from fixloop_bot.core.standing import UNFINISHED, next_steps, status_of, told
from fixloop_bot.entrypoints.dashboard.sources import Placed, Source, Sources, placed, question_of
from fixloop_bot.model.history import RunFacts
from fixloop_bot.model.table import Table

PAGE = 50
"""Runs on a page."""
LONGEST = 200
"""Characters of a filter."""
MOST_ROWS = 100
"""Rows of a table that grows with the number of branches, or of malformed records."""
MOST_LINES = 1_000
"""Lines of a diff that are shown."""
MOST_WAITING = 20

Values = Mapping[str, object]
DIFF = {"+": "add", "-": "del", "@": "at"}


def runs_page(request: Request, sources: Sources) -> Values:
    """Return the runs that the query asks for, a page of them."""
    asked = {
        name: request.query_params.get(name, "").strip()[:LONGEST] for name in ("status", "branch", "layer", "text")
    }
    everything = placed(sources, sources.histories())
    at = {id(one.run): one for one in everything}
    found = leaf(RunFilter(**asked).chosen(one.run for one in everything), _number(request), size=PAGE)
    return {
        "filter": asked,
        "statuses": STATUSES,
        "layers": LAYERS,
        "total": len(everything),
        "leaf": found,
        "table": listed_table(found.runs),
        "paths": [at[id(run)].path for run in found.runs],
        "query": {name: value for name, value in asked.items() if value},
    }


def run_page(request: Request, sources: Sources) -> Values:
    """Return one run. Raises HTTPException for one that is not there."""
    one = found_run(request, sources)
    run = one.run
    history = one.source.records.read()
    bad = tuple(
        each for each in history.malformed if each.path.startswith((f"runs/{run.run_id}/", f"repair/{run.run_id}-"))
    )
    return {
        "one": shown(one, sources),
        "told": told(run),
        "next": next_steps(run, one.source.flags),
        "phase": str(run.standing.phase) if run.standing else "",
        "is_open": status_of(run) == UNFINISHED,
        "live": status_of(run) == UNFINISHED and request.query_params.get("live") == "1",
        "tables": tuple(_run_tables(run)),
        "cycles": cycles_of(run),
        "evidence": run.terminal.evidence if run.terminal else (),
        "plots": run_plots(run),
        "malformed": malformed_table(bad) if bad else None,
    }


def decisions_page(_request: Request, sources: Sources) -> Values:
    """Return the runs that wait for an answer, each with its question."""
    waiting = [one for one in placed(sources, sources.histories()) if question_of(one.run)]
    return {
        "waiting": tuple(shown(one, sources) for one in waiting[:MOST_WAITING]),
        "more": len(waiting[MOST_WAITING:]),
    }


def metrics_page(_request: Request, sources: Sources) -> Values:
    """Return productivity and cost of all runs, over time and by part."""
    histories = sources.histories()
    runs = tuple(one.run for one in placed(sources, histories))
    metrics, over_time = sources.counted.metrics(histories), periods(runs)
    return {
        "overall": overall_table(metrics.overall),
        "plots": period_plots(over_time),
        "periods": periods_table(over_time) if over_time.each else None,
        "tables": [_cut(table) for table in metrics_tables(metrics)],
    }


def health_page(_request: Request, sources: Sources) -> Values:
    """Return what can be said of the folders: what is in them, what is malformed, what room is left."""
    return {"folders": [_health(source) for source in sources.each]}


def found_run(request: Request, sources: Sources, *, fresh: bool = False) -> Placed:
    """Return the run that the path names. Raises HTTPException for one that is not there."""
    number, run_id = request.path_params["source"], request.path_params["run_id"]
    source = sources.each[number] if number < len(sources.each) else None
    run = source.run(run_id, fresh=fresh) if source else None
    if source is None or run is None:
        raise HTTPException(404, "There is no such run.")
    return Placed(source, run)


@dataclass(frozen=True, slots=True)
class Health:
    """One state folder."""

    path: str
    is_there: bool
    free: str
    runs: int
    by_status: Mapping[str, int]
    malformed: int
    table: Table | None


def _health(source: Source) -> Health:
    history, root = source.records.read(), source.records.folder.root
    there = root.is_dir()
    statuses = [status_of(run) for run in history.runs]
    counts = {status: statuses.count(status) for status in STATUSES if status in statuses}
    bad = history.malformed
    free = f"{shutil.disk_usage(root).free / 1e9:,.1f} GB" if there else "not known"
    table = _cut(malformed_table(bad[: MOST_ROWS + 1]), len(bad)) if bad else None
    return Health(str(root), there, free, len(history.runs), counts, len(bad), table)


def shown(one: Placed, sources: Sources) -> Values:
    """Return a run as the templates need it: where it is, and the question that it waits with."""
    question = question_of(one.run)
    lines = sources.redact(question.patch).splitlines() if question else []
    return {
        "path": one.path,
        "run": one.run,
        "question": asdict(question) if question else None,
        "diff": [(DIFF.get(line[:1], ""), line) for line in islice(lines, MOST_LINES)],
        "left_out": max(len(lines) - MOST_LINES, 0),
        "by_form": one.source.answers is not None,
        "next": next_steps(one.run, one.source.flags),
    }


def _run_tables(run: RunFacts) -> Iterator[Table]:
    if not run.records:
        return
    yield timeline_table(run)
    yield attempts_table(run, letters_of(looks_of(run)))
    yield changes_table(run)
    if (found := guard_table(run)).rows:
        yield found


def _cut(table: Table, total: int | None = None) -> Table:
    left_out = (total or len(table.rows)) - MOST_ROWS
    note = f"{left_out:,} more are not shown." if left_out > 0 else table.note
    return Table(caption=table.caption, columns=table.columns, rows=table.rows[:MOST_ROWS], note=note)


def _number(request: Request) -> int:
    asked = request.query_params.get("page", "1")
    return int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 10 else 1
