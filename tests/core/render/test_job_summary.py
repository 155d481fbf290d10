"""The job's summary, whole, with a timeline that no text can break."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixloop_bot.core.render.job_summary import to_job_summary
from fixloop_bot.core.render.timeline import label, timeline
from fixloop_bot.model.report import Report
from tests.core.recorded import assert_recorded
from tests.core.render.hostile import AROUND, EVERYWHERE, HOSTILE
from tests.core.render.states import DONE, FIRST, MANY, MAX_RETRIES, RUNNING, told

REPORTS: dict[str, Report] = {"done": told(DONE), "hostile": told(EVERYWHERE, AROUND)}


@pytest.mark.parametrize("name", REPORTS)
def test_the_whole_summary_is_as_recorded(name: str) -> None:
    assert_recorded(f"job_summary_{name}.md", to_job_summary(REPORTS[name]))


def test_timelines_are_as_recorded() -> None:
    reports = [told(state) for state in (FIRST, RUNNING, DONE, MAX_RETRIES, MANY)]
    assert_recorded("timelines.md", "\n\n".join(timeline(report) for report in reports) + "\n")


def test_the_summary_has_no_marker_so_that_it_is_never_taken_for_the_comment() -> None:
    assert "<!--" not in to_job_summary(REPORTS["done"])


@given(st.text(max_size=100))
def test_a_label_has_no_sign_that_mermaid_obeys(text: str) -> None:
    shown = label(text)
    assert 0 < len(shown) <= 80
    assert not set(shown) & set(":;#%\n`\"'<>{}[]|\\&-=")


def test_a_hostile_label_keeps_its_letters() -> None:
    assert label(HOSTILE).startswith("octocat and shop/owners fixes 1, GH 2, shop/web 3 https //github.com")


@given(st.text(max_size=40))
def test_a_timeline_has_one_event_a_line(text: str) -> None:
    report = told(RUNNING)
    hostile = Report(
        run_id=text, head_sha=text, status=report.status, activity=text, layer=text, attempts=report.attempts
    )
    lines = timeline(hostile).split("\n")
    assert lines[:2] == ["```mermaid", "timeline"]
    assert lines[-1] == "```"
    assert all(line.count(" : ") >= 1 for line in lines[3:-1])
