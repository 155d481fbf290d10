"""Whatever a report holds, it fits, and what matters most is still there."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fixloop_bot.core.render.check_run import to_check_run
from fixloop_bot.core.render.comment import to_comment
from fixloop_bot.core.render.job_summary import to_job_summary
from fixloop_bot.core.render.limits import CHECK_OUTPUT, COMMENT, Section, cut, fit, size
from fixloop_bot.core.render.marker import read_marker
from fixloop_bot.core.render.replies import status_reply
from fixloop_bot.model.agent import Usage
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.outcome import Breaker, Question
from fixloop_bot.model.report import (
    AttemptRow,
    Delivery,
    Failing,
    GuardFinding,
    LayerCommit,
    LayerLine,
    Links,
    ModelCost,
    PatchOffered,
    PullRequestOpened,
    Pushed,
    Report,
    ReportStatus,
    Suggested,
    Surroundings,
)
from tests.core.render.hostile import HOSTILE

WORST = ["\U0001f600" * 5_000, "|" * 70_000, "`" * 66_000, "@a " * 9_000, HOSTILE * 50, "\n" * 9_000, "\u65e5" * 70_000]
TEXTS = st.sampled_from(["", "/lgtm", "plain", HOSTILE, *(text[:2_500] for text in WORST)])
LONG_TEXTS = st.sampled_from(["", *WORST])
COUNTS = st.integers(min_value=0, max_value=10**9)
ROWS = st.builds(
    AttemptRow,
    iteration=COUNTS, layer=TEXTS, model=TEXTS, hypothesis=TEXTS, change=TEXTS, before=TEXTS, after=TEXTS,
    verdict=TEXTS, cost_usd=st.none() | st.floats(0, 1e6), fate=TEXTS, commit=TEXTS, diff_stat=TEXTS,
)  # fmt: skip
FINDINGS = st.builds(GuardFinding, rule_id=TEXTS, severity=TEXTS, path=TEXTS, line=st.none() | COUNTS, message=TEXTS)
DIAGNOSTICS = st.builds(
    Diagnostic, path=TEXTS, line=COUNTS, rule_id=TEXTS, message=TEXTS, kind=st.just(DiagnosticKind.LINT_ERROR)
)
DELIVERIES: st.SearchStrategy[Delivery] = st.one_of(
    st.builds(Pushed, TEXTS),
    st.builds(PatchOffered, LONG_TEXTS, TEXTS, TEXTS),
    st.builds(PullRequestOpened, COUNTS, TEXTS),
    st.builds(Suggested, COUNTS, TEXTS),
)
REPORTS = st.builds(
    Report,
    run_id=TEXTS, branch=TEXTS, head_sha=st.sampled_from(["a" * 40, "none", HOSTILE]),
    pushed_sha=TEXTS, status=st.sampled_from(ReportStatus), activity=TEXTS, layer=TEXTS, iteration=COUNTS,
    cost_usd=st.floats(0, 1e12), cost_unknown=st.booleans(), breaker=st.none() | st.sampled_from(Breaker),
    reason=TEXTS, suggestion=TEXTS, cycle=st.booleans(), approval=st.booleans(),
    attempts=st.lists(ROWS, max_size=3).map(lambda rows: tuple(rows * 70)),
    attempts_by_layer=st.dictionaries(st.sampled_from(["compile", "test", "x -->"]), COUNTS),
    costs=st.tuples(st.builds(ModelCost, model=TEXTS, attempts=COUNTS, usage=st.just(Usage()), cost_usd=st.just(1.0))),
    commits=st.tuples(st.builds(LayerCommit, layer=TEXTS, sha=TEXTS, iteration=COUNTS)).map(lambda one: one * 30),
    layers=st.tuples(st.builds(LayerLine, layer=TEXTS, status=TEXTS, detail=TEXTS)).map(lambda one: one * 5),
    failing=st.none() | st.builds(
        Failing, layer=TEXTS, mode=TEXTS, error_count=COUNTS, excerpt=LONG_TEXTS,
        diagnostics=st.tuples(DIAGNOSTICS).map(lambda one: one * 4), missing=st.tuples(TEXTS).map(lambda one: one * 12),
    ),
    question=st.none() | st.builds(Question, layer=TEXTS, question=TEXTS, option_a=TEXTS, option_b=TEXTS),
    evidence=st.tuples(TEXTS).map(lambda one: one * 70),
    records=st.tuples(st.dictionaries(st.just("hypothesis"), TEXTS, min_size=1)).map(lambda one: one * 5),
    surroundings=st.builds(
        Surroundings, links=st.builds(Links, repository=TEXTS, run=TEXTS), delivery=DELIVERIES,
        ci_started=st.none() | st.booleans(), sandbox=TEXTS, guard=st.tuples(FINDINGS).map(lambda one: one * 30),
        approval_patch=LONG_TEXTS,
    ),
)  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(REPORTS)
def test_any_report_fits_with_marker_and_status_in_place(report: Report) -> None:
    comment = to_comment(report)
    lines = comment.split("\n")

    assert size(comment) <= COMMENT
    assert read_marker(comment) is not None
    assert f"{report.status}: " in lines[2]


@settings(max_examples=20, deadline=None)
@given(REPORTS)
def test_any_check_run_fits(report: Report) -> None:
    run = to_check_run(report, in_repository=lambda _path: True)
    assert size(run.summary) <= CHECK_OUTPUT
    assert size(run.text) <= CHECK_OUTPUT
    assert run.summary.startswith("### ")
    assert len(run.title) <= 200
    assert len(run.actions) <= 3


@settings(max_examples=15, deadline=None)
@given(REPORTS)
def test_any_job_summary_and_status_reply_fit(report: Report) -> None:
    assert size(to_job_summary(report)) <= 1_000_000
    assert size(status_reply(report)) <= COMMENT


def full_of(text: str, status: ReportStatus) -> Report:
    """Return a report that has the text in every place, and every list long."""
    row = AttemptRow(
        iteration=1, layer=text, model=text, hypothesis=text, change=text, before=text, after=text, verdict=text,
        cost_usd=None, fate=text, commit=text, diff_stat=text,
    )  # fmt: skip
    diagnostic = Diagnostic(path=text, line=1, rule_id=text, message=text, kind=DiagnosticKind.LINT_ERROR)
    finding = GuardFinding(rule_id=text, severity=text, path=text, line=1, message=text)
    return Report(
        run_id=text,
        head_sha=text,
        status=status,
        breaker=Breaker.ENVIRONMENT,
        reason=text,
        suggestion=text,
        layer=text,
        activity=text,
        question=Question(layer=text, question=text, option_a=text, option_b=text),
        failing=Failing(
            layer=text, mode=text, error_count=9, excerpt=text, diagnostics=(diagnostic,) * 9, missing=(text,) * 12
        ),
        attempts=(row,) * 80,
        costs=(ModelCost(model=text, attempts=1, usage=Usage(), cost_usd=1.0),) * 4,
        commits=(LayerCommit(layer=text, sha="a" * 40, iteration=1),) * 30,
        layers=(LayerLine(layer=text, status=text, detail=text),) * 12,
        evidence=(text,) * 70,
        records=({"hypothesis": text},) * 3,
        surroundings=Surroundings(
            links=Links(repository="https://github.com/shop/web"),
            delivery=PatchOffered(patch=text, reason=text, url=text),
            guard=(finding,) * 30,
            sandbox=text,
        ),
    )


NAMES = ["emoji", "bars", "backticks", "mentions", "tricks", "lines", "kanji", "signs"]


@pytest.mark.parametrize("text", [*WORST, "@" * 2_000], ids=NAMES)
@pytest.mark.parametrize("status", [ReportStatus.NEED_DECISION, ReportStatus.BLOCKED, ReportStatus.FAULT])
def test_the_worst_text_everywhere_still_leaves_room_for_the_status(text: str, status: ReportStatus) -> None:
    comment = to_comment(full_of(text, status))
    assert size(comment) <= COMMENT
    assert read_marker(comment) is not None
    assert f"{status}: " in comment.split("\n")[2]


def test_parts_go_in_the_order_of_their_ranks_and_only_as_far_as_needed() -> None:
    sections = (
        Section("status"),
        Section("excerpt" * 10, ((2, "excerpt"), (4, ""))),
        Section("record" * 10, ((1, "record"), (3, ""))),
    )
    sizes = {limit: fit(sections, limit) for limit in (200, 130, 40, 23, 20, 10)}
    assert sizes == {
        200: "status\n\n" + "excerpt" * 10 + "\n\n" + "record" * 10 + "\n",
        130: "status\n\n" + "excerpt" * 10 + "\n\nrecord\n",
        40: "status\n\nexcerpt\n\nrecord\n",
        23: "status\n\nexcerpt\n",
        20: "status\n\nexcerpt\n",
        10: "status\n",
    }


@pytest.mark.parametrize(
    ("text", "limit", "kept"),
    [
        pytest.param("abc", 3, "abc", id="what fits stays"),
        pytest.param("abcd", 3, "ab\u2026", id="an ellipsis tells of a cut"),
        pytest.param("\U0001f600\U0001f600", 3, "\U0001f600\u2026", id="no character is split"),
        pytest.param("\U0001f600\U0001f600", 4, "\U0001f600\U0001f600", id="a pair counts twice, as at GitHub"),
        pytest.param("ab  cd", 4, "ab\u2026", id="no blank before the ellipsis"),
    ],
)
def test_a_cut_counts_as_github_does(text: str, limit: int, kept: str) -> None:
    assert cut(text, limit) == kept


def test_size_is_never_less_than_any_way_of_counting() -> None:
    for text in ("plain", "\u00fc\u00df", "\u65e5\u672c", "\U0001f600", "\ud800"):
        assert size(text) >= len(text.encode("utf-16-le", "surrogatepass")) / 2 >= len(text)
