"""The sweep's issue, whole, and the boxes that people tick in it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixloop_bot.core.render.dashboard_issue import MOST_TICKED, ticked, to_dashboard_issue
from fixloop_bot.core.render.limits import COMMENT, size
from fixloop_bot.model.dashboard import Dashboard, DashboardRow, LastResult
from fixloop_bot.model.report import ReportStatus
from tests.core.recorded import assert_recorded
from tests.core.render.hostile import HOSTILE

AT = "2027-01-15T08:00:00Z"
SWEEP = Dashboard(
    rows=(
        DashboardRow(
            branch="release/1.2",
            chosen=True,
            why="its checks fail",
            last=LastResult(status=ReportStatus.DONE, cost_usd=0.04, at=AT, url="https://github.com/shop/web/issues/1"),
        ),
        DashboardRow(branch="fix/a--b-->c", pull_request=12, chosen=True, why="its checks fail"),
        DashboardRow(
            branch="old",
            chosen=False,
            why="no commit for 90 days",
            last=LastResult(status=ReportStatus.BLOCKED, cost_usd=None, at=AT),
        ),
        DashboardRow(branch=f"x{HOSTILE[:60]}", chosen=False, why=HOSTILE),
    ),
    updated_at=AT,
    cost_usd=0.5,
    max_usd=10,
    run_url="https://github.com/shop/web/actions/runs/7",
)


def tick(body: str) -> str:
    """Return the body with every box ticked."""
    return body.replace("- [ ] ", "- [x] ")


def test_the_whole_issue_is_as_recorded() -> None:
    assert_recorded("dashboard_issue.md", to_dashboard_issue(SWEEP))


def test_an_issue_of_an_empty_sweep_is_as_recorded() -> None:
    assert_recorded("dashboard_issue_empty.md", to_dashboard_issue(Dashboard(rows=(), updated_at=AT, max_usd=10)))


def test_nothing_is_ticked_at_first() -> None:
    assert ticked(to_dashboard_issue(SWEEP)) == ()


def test_every_ticked_branch_is_read_back_by_its_exact_name() -> None:
    assert ticked(tick(to_dashboard_issue(SWEEP))) == tuple(row.branch for row in SWEEP.rows)


def test_one_ticked_box_is_one_branch() -> None:
    body = to_dashboard_issue(SWEEP).replace("- [ ] <!-- fixloop:run=old", "- [X] <!-- fixloop:run=old")
    assert ticked(body.replace("\n", "\r\n")) == ("old",)


@given(st.text(min_size=1, max_size=60))
def test_any_name_comes_back_or_has_no_box(branch: str) -> None:
    body = to_dashboard_issue(Dashboard(rows=(DashboardRow(branch=branch, chosen=True, why=""),), updated_at=AT))
    assert ticked(tick(body)) == (branch,)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("- [x] main", id="no mark"),
        pytest.param("- [x] <!-- fixloop:run= -->", id="no name"),
        pytest.param("- [x] <!-- fixloop:run=a b -->", id="a blank"),
        pytest.param("- [x] <!-- fixloop:run=%6dain -->", id="another spelling of the same name"),
        pytest.param("- [x] <!-- fixloop:run=%ff -->", id="no UTF-8"),
        pytest.param(" - [x] <!-- fixloop:run=main -->", id="not at the start of the line"),
        pytest.param("> - [x] <!-- fixloop:run=main -->", id="in a quotation"),
        pytest.param("- [ ] <!-- fixloop:run=main -->", id="not ticked"),
        pytest.param(f"- [x] <!-- fixloop:run={'a' * 751} -->", id="a name that is too long"),
        pytest.param("- [x] <!-- fixloop:run=main", id="no end"),
    ],
)
def test_only_a_ticked_box_of_fixloops_shape_counts(line: str) -> None:
    assert ticked(f"{line}\n") == ()


def test_a_box_ticked_twice_counts_once_and_a_flood_is_bounded() -> None:
    assert ticked("- [x] <!-- fixloop:run=a -->\n" * 9) == ("a",)
    assert len(ticked("".join(f"- [x] <!-- fixloop:run=b{n} -->\n" for n in range(9_000)))) == MOST_TICKED


@pytest.mark.parametrize("chosen", [True, False], ids=["chosen", "not chosen"])
def test_ten_thousand_branches_fit_and_the_chosen_go_last(chosen: bool) -> None:
    row = replace(SWEEP.rows[0], chosen=chosen, why="\u65e5" * 500, branch="b" * 200)
    many = replace(SWEEP, rows=(*SWEEP.rows, *(replace(row, branch=f"{row.branch}{n}") for n in range(10_000))))
    body = to_dashboard_issue(many)
    assert size(body) <= COMMENT
    assert "`release/1.2`" in body
    assert "more" in body
