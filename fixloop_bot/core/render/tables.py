"""The tables of a report; narrow enough for a phone."""

from collections.abc import Sequence

from fixloop_bot.core.render.escape import prose
from fixloop_bot.core.render.limits import Section
from fixloop_bot.core.render.link import commit_link, published
from fixloop_bot.core.render.words import at_least, cost
from fixloop_bot.core.status_line import money
from fixloop_bot.model.report import AttemptRow, LayerLine, Links, ModelCost, Report

MOST_ROWS = 60
"""Attempts that are ever listed, the latest."""
FEWER = ((50, 15, 160), (70, 5, 120), (90, 1, 80))
"""(rank, attempts, characters of prose) of the shorter tables."""
_MARK = {"pass": "\u2705", "fail": "\u274c", "error": "\u26a0\ufe0f", "skip": "\u2796"}


def attempts_section(report: Report) -> Section:
    """Return the attempts, oldest first; the oldest are the first to go."""
    if not report.attempts:
        return Section("")
    links = published(report)
    shorter = tuple((rank, attempts_table(report.attempts, links, most=n, prose_limit=c)) for rank, n, c in FEWER)
    return Section(attempts_table(report.attempts, links), shorter)


def attempts_table(rows: Sequence[AttemptRow], links: Links, *, most: int = MOST_ROWS, prose_limit: int = 300) -> str:
    """Return the latest `most` attempts as a table, and how many went before."""
    head = "| # | Tried | Before \u2192 after | Cost | Commit |\n|--:|---|---|--:|---|"
    lines = [_row(row, links, prose_limit) for row in rows[-most:]]
    left_out = len(rows) - len(lines)
    note = f"\n\n{left_out:,} earlier attempts are not shown." if left_out else ""
    return "\n".join((head, *lines)) + note


def cost_table(report: Report) -> str:
    """Return what each model cost, and the sum."""
    head = "| Model | Attempts | Input | Cached | Output | Cost |\n|---|--:|--:|--:|--:|--:|"
    attempts = sum(line.attempts for line in report.costs)
    total = f"| **Total** | {attempts:,} | | | | **{cost(report)}** |"
    return "\n".join((head, *(_cost_row(line) for line in report.costs), total))


def layers_line(layers: Sequence[LayerLine]) -> str:
    """Return every layer of the last verification in one line."""
    return " \u00b7 ".join(_layer(line) for line in layers)


def commits_list(report: Report, *, most: int = 20) -> str:
    """Return the commits, one a layer, as a list."""
    lines = [
        f"- {prose(item.layer, 40)} clean: {commit_link(item.sha, published(report))} "
        + (f"(attempt {item.iteration})" if item.iteration else "(by the project's own fixers, free)")
        for item in report.commits[:most]
    ]
    left_out = len(report.commits) - len(lines)
    return "\n".join((*lines, f"- and {left_out:,} more") if left_out else lines)


def _row(row: AttemptRow, links: Links, limit: int) -> str:
    fate = commit_link(row.commit, links) if row.commit else prose(row.fate, 40)
    effect = f"{prose(row.before, 80)} \u2192 {prose(row.after, 80)}" if row.before else prose(row.after, 80)
    return f"| {row.iteration} | {_tried(row, limit)} | {effect} | {money(row.cost_usd)} | {fate} |"


def _tried(row: AttemptRow, limit: int) -> str:
    if not row.verdict and not row.hypothesis:
        return prose(row.model, 40)
    change = prose(row.change or row.diff_stat, limit)
    hypothesis = prose(row.hypothesis, limit) or "no hypothesis given"
    return f"{hypothesis}<br>**Change:** {change}" if change else hypothesis


def _cost_row(line: ModelCost) -> str:
    usage = line.usage
    spent = at_least(line.cost_usd, unknown=line.unknown)
    cached = usage.cache_read_tokens + usage.cache_write_tokens
    return (
        f"| {prose(line.model, 60)} | {line.attempts:,} | {usage.input_tokens:,} | {cached:,} "
        f"| {usage.output_tokens:,} | {spent} |"
    )


def _layer(line: LayerLine) -> str:
    detail = f" ({prose(line.detail, 80)})" if line.detail else ""
    return f"{_MARK.get(line.status, '')} {prose(line.layer, 40)}{detail}".strip()
