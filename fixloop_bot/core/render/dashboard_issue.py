"""The one issue that tells of sweeps, and what people tick in it."""

import re
from collections.abc import Sequence
from urllib.parse import quote, unquote

from fixloop_bot.core.render.escape import code, prose
from fixloop_bot.core.render.headline import SIGN
from fixloop_bot.core.render.limits import COMMENT, Section, fit, size
from fixloop_bot.core.render.link import link
from fixloop_bot.core.render.words import count
from fixloop_bot.core.status_line import money
from fixloop_bot.model.dashboard import Dashboard, DashboardRow

DASHBOARD_START = "<!-- fixloop:dashboard v=1 -->"
MOST_CHOSEN = 100
MOST_OTHERS = 100
MOST_TICKED = 100
_TICKED = re.compile(r"^- \[[xX]\] <!-- fixloop:run=([A-Za-z0-9/._~%-]{1,750}) -->", re.ASCII | re.MULTILINE)
"""A ref name has at most 250 bytes, three characters each."""
_BODY_LIMIT = 300_000


def to_dashboard_issue(dashboard: Dashboard, *, limit: int = COMMENT) -> str:
    """Return the issue's Markdown, at most `limit` UTF-8 bytes; the branches not chosen are the first to go.

    Its texts must be free of secrets already; branch names are needed as they are.
    """
    chosen = [row for row in dashboard.rows if row.chosen]
    others = [row for row in dashboard.rows if not row.chosen]
    return fit(
        (
            Section(DASHBOARD_START),
            Section(_head(dashboard, len(chosen))),
            _rows("Chosen", chosen, most=MOST_CHOSEN, rank=50, boxes=dashboard.boxes),
            _rows("Not chosen", others, most=MOST_OTHERS, rank=10, boxes=dashboard.boxes),
            Section(f"<sub>{link('Sweep', dashboard.run_url)}, updated {code(dashboard.updated_at, 40)}</sub>"),
        ),
        limit,
    )


def ticked(body: str) -> tuple[str, ...]:
    """Return the branches whose box is ticked, each once; whoever can edit the issue can have written them."""
    found = (_branch(match[1]) for match in _TICKED.finditer(body[:_BODY_LIMIT].replace("\r\n", "\n")))
    return tuple(dict.fromkeys(branch for branch in found if branch))[:MOST_TICKED]


def _head(dashboard: Dashboard, chosen: int) -> str:
    spent = f"{money(dashboard.cost_usd)} of at most {money(dashboard.max_usd)}"
    looked = count(len(dashboard.rows), "branch") if len(dashboard.rows) == 1 else f"{len(dashboard.rows):,} branches"
    how = "Tick a box to run fixloop there now."
    if not dashboard.boxes:
        how = "`/fixloop` on a pull request runs it there now."
    return f"### fixloop sweep\n\n{looked} looked at, {chosen:,} chosen, {spent}. {how}"


def _rows(title: str, rows: Sequence[DashboardRow], *, most: int, rank: int, boxes: bool) -> Section:
    def first(number: int) -> str:
        lines = [_row(row, box=boxes) for row in rows[:number]]
        left_out = len(rows) - len(lines)
        note = [f"- and {left_out:,} more"] if left_out else []
        return "\n".join((f"**{title}**\n", *lines, *note)) if rows else ""

    return Section(first(most), ((rank, first(30)), (rank + 10, first(10)), (rank + 20, first(0))))


def _row(row: DashboardRow, *, box: bool) -> str:
    start = f"- [ ] <!-- fixloop:run={_encoded(row.branch)} --> " if box and size(row.branch) <= 250 else "- "
    where = f" ([pull request {row.pull_request}](../pull/{row.pull_request}))" if row.pull_request else ""
    return f"{start}{code(row.branch, 250)}{where}: {prose(row.why, 200)}{_last(row)}"


def _last(row: DashboardRow) -> str:
    if row.last is None:
        return ""
    told = link(f"{SIGN[row.last.status]} {row.last.status}", row.last.url)
    return f". Last: {told}, {money(row.last.cost_usd)}, {code(row.last.at, 40)}"


def _encoded(branch: str) -> str:
    """Return the name in characters that end no HTML comment: two hyphens in a row would."""
    return quote(branch, safe="/", errors="surrogatepass").replace("--", "-%2D")


def _branch(encoded: str) -> str:
    """Return the branch if this is exactly how fixloop writes it, else nothing."""
    branch = unquote(encoded, errors="replace")
    return branch if _encoded(branch) == encoded else ""
