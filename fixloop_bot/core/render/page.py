"""One page that needs nothing else: its style is inside, it has no script, and its policy forbids every request."""

import base64
import hashlib
from collections.abc import Iterable, Sequence

from fixloop_bot import __version__
from fixloop_bot.core.cycles import letters_of, looks_of
from fixloop_bot.core.metrics import measure
from fixloop_bot.core.render.escape import plain
from fixloop_bot.core.render.history_plots import history_plots
from fixloop_bot.core.render.history_tables import (
    attempts_table,
    malformed_table,
    metrics_tables,
    overall_table,
    runs_table,
)
from fixloop_bot.core.render.html import Child, Markup, element, joined
from fixloop_bot.core.render.page_style import STYLE
from fixloop_bot.core.render.plot import figure
from fixloop_bot.core.render.run_plots import run_plots
from fixloop_bot.core.standing import next_steps, told
from fixloop_bot.model.history import History, Malformed, RunFacts
from fixloop_bot.model.table import Cell, Column, Table, Tone


def history_page(history: History, *, at: str) -> str:
    """Return the page of all runs; `at` is the time of the report (ISO 8601, UTC)."""
    metrics = measure(history)
    return _page(
        "fixloop: all runs",
        [
            _section("Metrics", [_table(overall_table(metrics.overall))]),
            _section("Runs over time", [figure(plot) for plot in history_plots(history.runs)]),
            _section("By part", [_table(table) for table in metrics_tables(metrics)]),
            _section("One by one", [_table(runs_table(history.runs))]),
            *_malformed(history.malformed),
        ],
        at=at,
    )


def run_page(run: RunFacts, malformed: tuple[Malformed, ...], *, at: str, state: Sequence[str] = ()) -> str:
    """Return the page of one run; `state` as in `next_steps`."""
    words = [element("p", line) for line in told(run)]
    steps = element("ul", *(element("li", line) for line in next_steps(run, state)))
    attempts = [_table(attempts_table(run, letters_of(looks_of(run))))]
    return _page(
        f"fixloop: run {plain(run.run_id, 160)}",
        [
            _section("Where it stands", [*words, element("p", "Next:"), steps]),
            _section("Timeline", [figure(plot) for plot in run_plots(run)] or [_nothing()]),
            _section("One by one", attempts if run.records else [_nothing()]),
            *_malformed(malformed),
        ],
        at=at,
    )


def _page(title: str, sections: Iterable[Child], *, at: str) -> str:
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_policy()),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", title),
        element("style", Markup(STYLE)),
    )
    made = element("footer", element("p", f"Made by fixloop {__version__} from its records, {at}."))
    body = element("body", element("header", element("h1", title)), element("main", *sections), made)
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en').text}\n"


def _policy() -> str:
    """Return a policy that allows this page's own style and nothing else (CSP level 3)."""
    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def _section(title: str, content: Iterable[Child]) -> Markup:
    return element("section", element("h2", title), *content)


def _nothing() -> Markup:
    return element("p", "No attempt was made.", class_="note")


def _malformed(malformed: tuple[Malformed, ...]) -> tuple[Markup, ...]:
    return (_section("Not counted", [_table(malformed_table(malformed))]),) if malformed else ()


def _table(table: Table) -> Markup:
    """Return a table that scrolls in its own frame where it is too wide; the frame can be reached by keyboard."""
    head = element("tr", *(_head(column) for column in table.columns))
    rows = (element("tr", *_cells(table.columns, row)) for row in table.rows)
    drawn = element(
        "table", element("caption", table.caption), element("thead", head), element("tbody", joined(rows, "\n"))
    )
    note = [element("p", table.note, class_="note")] if table.note else []
    return joined([element("div", drawn, class_="frame", role="region", tabindex=0, aria_label=table.caption), *note])


def _head(column: Column) -> Markup:
    return element("th", column.name, scope="col", class_="number" if column.is_number else None)


def _cells(columns: tuple[Column, ...], row: tuple[Cell, ...]) -> Iterable[Markup]:
    for place, (column, cell) in enumerate(zip(columns, row, strict=True)):
        kind, scope = ("td", None) if place else ("th", "row")
        yield element(kind, cell.text, scope=scope, class_=_classes(column, cell))


def _classes(column: Column, cell: Cell) -> str | None:
    named = {"number": column.is_number, "prose": column.is_prose, str(cell.tone): cell.tone is not Tone.PLAIN}
    return " ".join(name for name, holds in named.items() if holds) or None
