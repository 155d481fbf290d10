"""The run as a Mermaid timeline."""

from collections.abc import Sequence

from fixloop_bot.core.render.escape import visible
from fixloop_bot.core.render.limits import cut
from fixloop_bot.core.render.words import cost
from fixloop_bot.core.status_line import money
from fixloop_bot.model.report import AttemptRow, Report

MOST_EVENTS = 20
_LABEL_LIMIT = 80
_HARMLESS = frozenset(" .,_/$()")


def timeline(report: Report) -> str:
    """Return a fenced Mermaid timeline of the latest attempts; its labels hold no character that Mermaid obeys."""
    shown = report.attempts[-MOST_EVENTS:]
    left_out = len(report.attempts) - len(shown)
    lines = ["```mermaid", "timeline", f"    title {label(f'fixloop, {cost(report)}')}"]
    lines += [f"    First look : {label(_first(report.attempts))}"] if report.attempts else []
    lines += [f"    Earlier : {left_out} attempts"] if left_out else []
    lines += [_event(row) for row in shown]
    lines += [f"    {label(str(report.status))} : {label(report.breaker or report.activity or 'all layers')}", "```"]
    return "\n".join(lines)


def label(text: str) -> str:
    """Return the text with letters, digits and a few signs alone, on one line; `?` where nothing is left."""
    kept = "".join(c if c.isalnum() or c in _HARMLESS else " " for c in visible(text[: _LABEL_LIMIT * 8]))
    return cut(" ".join(kept.split()), _LABEL_LIMIT) or "?"


def _first(rows: Sequence[AttemptRow]) -> str:
    return rows[0].before or rows[0].layer


def _event(row: AttemptRow) -> str:
    parts = (row.model, row.after, row.verdict, money(row.cost_usd))
    return f"    Attempt {row.iteration} : " + " : ".join(label(part) for part in parts if part)
