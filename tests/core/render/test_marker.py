"""What one run leaves for the next is read back exactly, and anything else is nothing."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixloop_bot.core.render.comment import to_comment
from fixloop_bot.core.render.marker import is_report, marker, read_marker
from fixloop_bot.model.report import Marker, Pushed, ReportStatus
from tests.core.render.states import COMMITS, DONE, FIRST, HEAD, HERE, told

GOOD = (
    f"<!-- fixloop:report v=1 run=r-1 head={HEAD} status=BLOCKED iterations=3 usd=0.0500"
    f" pushed=none attempts=lint:1,test:2 -->"
)
READ = Marker(
    run_id="r-1",
    head_sha=HEAD,
    status=ReportStatus.BLOCKED,
    iterations=3,
    cost_usd=0.05,
    attempts={"lint": 1, "test": 2},
)


def test_a_run_reads_what_the_one_before_it_left() -> None:
    around = replace(HERE, delivery=Pushed("fix/totals"), earlier_attempts={"test": 2, "lint": 1}, earlier_cost_usd=1.5)
    assert read_marker(to_comment(told(DONE, around))) == Marker(
        run_id=DONE.run_id,
        head_sha=HEAD,
        status=ReportStatus.DONE,
        iterations=3,
        cost_usd=1.5748,
        pushed_sha=COMMITS[2],
        attempts={"lint": 1},  # compile and test came clean
    )


def test_a_first_look_leaves_a_marker_too() -> None:
    assert read_marker(marker(told(FIRST))) == Marker(
        run_id=FIRST.run_id, head_sha=HEAD, status=ReportStatus.RUNNING, iterations=0, cost_usd=0.0
    )


@pytest.mark.parametrize(
    ("text", "read"),
    [
        pytest.param(GOOD, READ, id="alone"),
        pytest.param(GOOD + "\r\n### more\r\n", READ, id="with the line ends of a browser"),
        pytest.param(GOOD + "\n" + GOOD.replace("r-1", "r-2"), READ, id="only the first line counts"),
        pytest.param(" " + GOOD, None, id="not at the start"),
        pytest.param("hello\n" + GOOD, None, id="not in the first line"),
        pytest.param(GOOD + " and more", None, id="with something behind it"),
        pytest.param(GOOD.replace("v=1", "v=2"), None, id="another version"),
        pytest.param(GOOD.replace("BLOCKED", "FINE"), None, id="an unknown status"),
        pytest.param(GOOD.replace("lint:1", "sudo:1"), None, id="an unknown layer"),
        pytest.param(GOOD.replace("lint:1", "test:1"), None, id="a layer twice"),
        pytest.param(GOOD.replace("=3", "=-3"), None, id="a negative number"),
        pytest.param(GOOD.replace("=3", "=3333333"), None, id="an absurd number"),
        pytest.param(GOOD.replace("=3", "=\u0663"), None, id="digits of another script"),
        pytest.param(GOOD.replace("0.0500", "nan"), None, id="a cost that is no number"),
        pytest.param(GOOD.replace(HEAD, "main"), None, id="a head that is no commit id"),
        pytest.param(GOOD.replace("r-1", "r 1"), None, id="a blank in the run's name"),
        pytest.param(GOOD.replace("r-1", "r" * 101), None, id="a name that is too long"),
        pytest.param("<!-- fixloop:report -->", None, id="no state at all"),
        pytest.param("", None, id="nothing"),
        pytest.param("<!-- fixloop:report " * 100_000, None, id="very much of it"),
    ],
)
def test_only_the_exact_shape_is_read(text: str, read: Marker | None) -> None:
    assert read_marker(text) == read


def test_a_damaged_marker_still_tells_whose_comment_it_is() -> None:
    assert is_report("<!-- fixloop:report v=9 -->\nhello")
    assert not is_report("I saw <!-- fixloop:report v=1 -->")


@given(st.text(max_size=200), st.text(max_size=60), st.integers(min_value=0))
def test_whatever_the_names_are_the_marker_is_one_line_that_is_read_back(run: str, sha: str, number: int) -> None:
    report = replace(told(FIRST), run_id=run, head_sha=sha, iteration=number, attempts_by_layer={"test": number})
    line = marker(report)
    assert "\n" not in line
    assert line.count("-->") == 1
    assert read_marker(line) is not None
