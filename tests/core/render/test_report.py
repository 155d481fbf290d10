"""From a state to what is told of it: nothing is prettier than it is."""

import json
from dataclasses import replace

import pytest

from fixloop_bot.core.redact import redactor
from fixloop_bot.core.render.costs import BESIDES
from fixloop_bot.core.render.report import iso, to_report
from fixloop_bot.core.render.scrub import scrub
from fixloop_bot.model.attempt import Attempt, FixCommit, Verdict
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.report import PatchOffered, Pushed, ReportStatus
from fixloop_bot.model.state import LoopState, Phase
from tests.core.render.hostile import AROUND, EVERYWHERE, SECRET
from tests.core.render.states import (
    COMMITS,
    DONE,
    FIRST,
    GUARDED,
    HERE,
    LINKED,
    MAX_RETRIES,
    NEED_DECISION,
    NOTHING_TO_FIX,
    NOW,
    RUNNING,
    attempt,
    told,
)


@pytest.mark.parametrize(
    ("state", "around", "status"),
    [
        pytest.param(RUNNING, HERE, ReportStatus.RUNNING, id="a run that goes on"),
        pytest.param(DONE, HERE, ReportStatus.DONE, id="an end"),
        pytest.param(NEED_DECISION, HERE, ReportStatus.NEED_DECISION, id="a question"),
        pytest.param(MAX_RETRIES, HERE, ReportStatus.BLOCKED, id="a breaker"),
        pytest.param(RUNNING, replace(HERE, cancelled=True), ReportStatus.CANCELLED, id="a cancelled job"),
        pytest.param(DONE, replace(HERE, cancelled=True), ReportStatus.DONE, id="a job cancelled after the end"),
        pytest.param(DONE, replace(HERE, fault="x"), ReportStatus.FAULT, id="a fault after the end"),
    ],
)
def test_the_status_is_what_happened(state: LoopState, around: object, status: ReportStatus) -> None:
    assert told(state, around).status is status  # type: ignore[arg-type]


def test_only_what_was_pushed_counts_as_pushed() -> None:
    assert told(DONE).pushed_sha == ""
    assert told(DONE, replace(HERE, delivery=PatchOffered("p", "fork"))).pushed_sha == ""
    assert told(DONE, replace(HERE, delivery=Pushed("b"))).pushed_sha == COMMITS[2]
    assert told(NOTHING_TO_FIX, replace(HERE, delivery=Pushed("b"))).pushed_sha == ""


@pytest.mark.parametrize(
    ("tried", "state", "fate", "commit"),
    [
        pytest.param(attempt(1, Layer.TEST, Verdict.SAME, salvage="s"), RUNNING, "undone", "", id="salvaged"),
        pytest.param(attempt(1, Layer.TEST, Verdict.SAME, commit=None), RUNNING, "no change", "", id="no change"),
        pytest.param(attempt(2, Layer.TEST, Verdict.PROGRESS), RUNNING, "kept", "", id="kept for the next attempt"),
        pytest.param(
            attempt(2, Layer.TEST, Verdict.PROGRESS), MAX_RETRIES, "undone", "", id="kept, then undone at the stop"
        ),
        pytest.param(attempt(2, Layer.TEST, Verdict.PROGRESS), DONE, "", COMMITS[2], id="squashed into a later commit"),
        pytest.param(attempt(3, Layer.TEST), DONE, "", COMMITS[2], id="the one that made it clean"),
    ],
)
def test_the_table_says_what_became_of_a_change(tried: Attempt, state: LoopState, fate: str, commit: str) -> None:
    row = told(replace(state, attempts=(tried,), kept_iterations=(2,), pending=None)).attempts[0]
    assert (row.fate, row.commit) == (fate, commit)


def test_the_effect_names_the_layer_that_fails_afterwards_where_it_is_another() -> None:
    worse = attempt(1, Layer.TEST, Verdict.REGRESSION, failing_after=("compile: a.py",), errors_after=2)
    row = told(replace(RUNNING, attempts=(worse,))).attempts[0]
    assert (row.before, row.after) == ("test: 1 error", "compile: 2 errors")


def test_costs_add_up_to_the_total_with_calls_that_led_to_no_attempt() -> None:
    report = told(replace(DONE, total_cost_usd=0.1))
    assert [(line.model, line.attempts, round(line.cost_usd, 4)) for line in report.costs] == [
        ("sonnet", 2, 0.0248),
        ("opus", 1, 0.05),
        (BESIDES, 0, 0.0252),
    ]


def test_an_unknown_cost_stays_unknown() -> None:
    report = told(replace(DONE, attempts=(attempt(1, Layer.TEST, cost_usd=None),), cost_unknown=True, total_cost_usd=0))
    assert report.cost_unknown
    assert report.costs[0].unknown


def test_what_fails_is_told_until_it_is_done() -> None:
    assert told(RUNNING).failing is not None
    assert told(replace(DONE, failure=RUNNING.failure)).failing is None


@pytest.mark.parametrize(
    ("trail", "cycle"),
    [
        (("a", "b", "a"), True),
        (("a", "a", "b", "b"), False),
        (("a", "a", "a"), False),
        (("a", "b", "c", "b"), True),
        ((), False),
    ],
    ids=["there and back", "two in a row", "always the same", "a late return", "nothing"],
)
def test_a_cycle_is_a_failure_that_came_back(trail: tuple[str, ...], cycle: bool) -> None:
    assert told(replace(RUNNING, error_hash_trail=trail)).cycle is cycle


def test_attempts_of_earlier_runs_on_the_same_head_count() -> None:
    around = replace(HERE, earlier_attempts={"lint": 2, "test": 1})
    assert told(RUNNING, around).attempts_by_layer == {"lint": 3, "test": 1}
    knows_too = replace(RUNNING, earlier_attempts={Layer.LINT: 2, Layer.TEST: 2})
    assert told(knows_too, around).attempts_by_layer == {"lint": 3, "test": 2}, "the same attempts are counted once"


def test_records_are_those_that_were_written_or_made_from_the_state() -> None:
    assert [record["attempt"] for record in told(DONE).records] == [1, 2, 3]
    assert told(DONE, replace(HERE, records=({"attempt": 9},))).records == ({"attempt": 9},)


def test_no_secret_is_anywhere_in_a_report() -> None:
    report = to_report(EVERYWHERE, now=NOW, redact=redactor([SECRET]), surroundings=AROUND)
    assert SECRET not in repr(report)
    assert r"\u202e" not in repr(report)


def test_a_patch_keeps_every_byte_but_a_secret() -> None:
    patch = PatchOffered("a\r\n\u202eb", "why\u202e")
    assert scrub(patch, str) == PatchOffered("a\r\n\u202eb", "why")
    assert scrub(PatchOffered("a hunter2\r", ""), lambda text: text.replace("hunter2", "***")).patch == "a ***\r"


def test_a_secret_hidden_in_a_patch_costs_what_hides_it() -> None:
    hidden = scrub(PatchOffered("a hun\u200bter2 b", ""), lambda text: text.replace("hunter2", "***"))
    assert hidden.patch == "a *** b"


def test_a_report_of_a_free_fix_has_its_commit() -> None:
    free = replace(DONE, attempts=(), fix_commits=(FixCommit(layer=Layer.LINT, commit=COMMITS[0], iteration=0),))
    assert [(c.layer, c.iteration) for c in told(free).commits] == [("lint", 0)]


@pytest.mark.parametrize(
    ("phase", "activity"),
    [
        pytest.param(Phase.DETECT, "Running the checks.", id="first look"),
        pytest.param(Phase.FIX, "Attempt 2: sonnet looks for the cause of the lint failure.", id="conversation"),
        pytest.param(Phase.VERIFY, "Attempt 2: running all checks again from the lowest layer.", id="verification"),
        pytest.param(
            Phase.GATE,
            "Everything passes; running all layers once more on the committed tree alone.",
            id="termination gate",
        ),
        pytest.param(Phase.DECIDE, "Deciding what comes next.", id="in between"),
    ],
)
def test_a_running_report_says_what_happens_now(phase: Phase, activity: str) -> None:
    assert told(replace(RUNNING, phase=phase)).activity == activity
    assert told(replace(DONE, phase=phase)).activity == ""


def test_times_are_told_to_the_second_in_utc() -> None:
    assert iso(0.9) == "1970-01-01T00:00:00Z"
    assert told(FIRST).updated_at == "2027-01-15T08:04:20Z"
    assert round(told(FIRST).minutes, 2) == 4.33


def test_what_the_guard_found_is_told_with_its_attempt_worst_first_in_the_comment() -> None:
    report = told(GUARDED)
    first, second = report.surroundings.guard
    assert (first.rule_id, first.severity, first.line) == ("skip-added", "high", 4)
    assert second.message == "was replaced by a link, which is protected (test) (attempt 2)"
    assert [record["guard"][0]["severity"] for record in report.records] == ["high", "critical"]
    assert [row.after for row in report.attempts] == ["refused: skip-added", "refused: protected-file-changed"]


def test_what_was_found_at_the_gate_is_told_too() -> None:
    report = told(replace(DONE, guard=(LINKED,)))
    assert [found.message for found in report.surroundings.guard] == [f"{LINKED.message} (the whole run)"]


def test_records_are_json() -> None:
    assert json.loads(json.dumps(told(DONE).records))[0]["schema"] == "fixloop.repair-record/1"
