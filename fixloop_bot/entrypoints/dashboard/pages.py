"""The pages that are looked at."""

import hashlib
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import islice
from urllib.parse import quote

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
from fixloop_bot.core.render.service_tables import no_progress_table, span, spending_table, workers_table
from fixloop_bot.core.render.words import count
from fixloop_bot.core.run_filter import LAYERS, STATUSES, RunFilter, leaf
from fixloop_bot.core.standing import UNFINISHED, iterations_of, status_of, told
from fixloop_bot.entrypoints.dashboard.sources import Placed, Source, Sources, placed, question_of
from fixloop_bot.model.history import RunFacts
from fixloop_bot.model.table import Table
from fixloop_bot.ports.jobs import OpenRun

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
        name: request.query_params.get(name, "").strip()[:LONGEST]
        for name in ("status", "repository", "branch", "layer", "text")
    }
    everything = placed(sources, sources.histories())
    at = {id(one.run): one for one in everything}
    found = leaf(RunFilter(**asked).chosen(one.run for one in everything), _number(request), size=PAGE)
    recorded = {one.run.run_id for one in everything}
    return {
        "queued": [run for source in sources.each for run in source.busy().values() if run.job_id not in recorded],
        "on_github": any(source.service for source in sources.each),
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
    history, watched = one.source.records.read(), request.query_params.get("live") == "1"
    bad = tuple(
        each for each in history.malformed if each.path.startswith((f"runs/{run.run_id}/", f"repair/{run.run_id}-"))
    )
    mine = one.source.busy().get(run.origin.branch) if run.origin else None
    return {
        "one": shown(one, sources),
        "seen": _version(run, mine),
        "in_hand": mine if mine and mine.job_id == run.run_id else None,
        "later": mine if mine and mine.job_id == run.followed_by else None,
        "told": told(run),
        "next": one.source.steps(run),
        "changed": _diff(sources.redact(one.source.diff(run))),
        "phase": str(run.standing.phase) if run.standing else "",
        "is_open": status_of(run) == UNFINISHED,
        "watched": watched,
        "live": watched and status_of(run) == UNFINISHED,
        "said": f"{status_of(run)}: {count(iterations_of(run), 'attempt')} so far",
        "tables": tuple(_run_tables(run)),
        "cycles": cycles_of(run),
        "evidence": run.terminal.evidence if run.terminal else (),
        "plots": run_plots(run),
        "malformed": malformed_table(bad) if bad else None,
    }


def decisions_page(_request: Request, sources: Sources) -> Values:
    """Return the runs that wait for an answer, each with its question."""
    everything = placed(sources, sources.histories())
    waiting = [one for one in everything if question_of(one.run)]
    under_way = {one.job_id for source in sources.each for one in source.busy().values()}
    return {
        "waiting": tuple(shown(one, sources) for one in waiting[:MOST_WAITING]),
        "gone_on": sum(one.run.followed_by in under_way for one in everything),
        "more": len(waiting[MOST_WAITING:]),
    }


def metrics_page(_request: Request, sources: Sources) -> Values:
    """Return productivity and cost of all runs, over time and by part."""
    histories = sources.histories()
    runs = tuple(one.run for one in placed(sources, histories))
    metrics, over_time = sources.counted.metrics(histories), periods(runs)
    budgets = sources.spending() if sources.spending else None
    return {
        "budgets": None if budgets is None else _cut(spending_table(budgets)),
        "overall": overall_table(metrics.overall),
        "plots": period_plots(over_time),
        "periods": periods_table(over_time) if over_time.each else None,
        "tables": [_cut(table) for table in metrics_tables(metrics)],
    }


def health_page(_request: Request, sources: Sources) -> Values:
    """Return what can be said of the folders: what is in them, what is malformed, what room is left."""
    service = sources.health() if sources.health else None
    return {
        "folders": [_health(source) for source in sources.each],
        "service": service,
        "oldest": span(service.oldest_waiting_s) if service and service.oldest_waiting_s is not None else "",
        "workers": _cut(workers_table(service.workers)) if service else None,
        "stuck": _cut(no_progress_table(service.no_progress)) if service else None,
    }


def found_run(request: Request, sources: Sources, *, fresh: bool = False) -> Placed:
    """Return the run that the path names. Raises HTTPException for one that is not there."""
    number, run_id = request.path_params["source"], request.path_params["run_id"]
    source = sources.each[number] if number < len(sources.each) else None
    run = source.run(run_id, fresh=fresh) if source else None
    if source is None or run is None:
        queued = {one.job_id for one in source.busy().values()} if source else set[str]()
        raise HTTPException(404, "The run is queued." if run_id in queued else "There is no such run.")
    return Placed(source, *source.followed([run]))


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
    origin, site = one.run.origin, one.source.service.site if one.source.service else ""
    return {
        "path": one.path,
        "run": one.run,
        "origin": origin,
        "pull_url": f"{site}/{quote(origin.repository)}/pull/{origin.pull_request}" if origin and site else "",
        "later_path": f"/runs/{one.source.number}/{one.run.followed_by}",
        "question": asdict(question) if question else None,
        "diff": _diff(sources.redact(question.patch)) if question else _diff(""),
        "by_form": one.source.answers is not None,
        "next": one.source.steps(one.run),
    }


@dataclass(frozen=True, slots=True)
class Diff:
    """The lines of a diff that are shown, each with its class."""

    lines: tuple[tuple[str, str], ...]
    left_out: int


def _diff(text: str) -> Diff:
    lines = text.splitlines()
    found = tuple((DIFF.get(line[:1], ""), line) for line in islice(lines, MOST_LINES))
    return Diff(found, max(len(lines) - MOST_LINES, 0))


def _version(run: RunFacts, mine: OpenRun | None) -> str:
    """Return what changes with everything that a run's page shows."""
    return hashlib.sha256(repr((run, mine)).encode("utf-8", "replace")).hexdigest()[:16]


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
