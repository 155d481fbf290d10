"""The loop's arithmetic, row by row of the contract's tables."""

from dataclasses import replace
from typing import Any

import pytest

from fixloop_bot.core.decide import decide, tripped
from fixloop_bot.core.guard.effect import lost_tests
from fixloop_bot.core.score import score
from fixloop_bot.core.verdict import verdict_of
from fixloop_bot.model.attribution import Attribution
from fixloop_bot.model.decision import Detect, Escalate, FixFree, Gate, Repair, Stop, Verify
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind
from fixloop_bot.model.layer import Layer, LayerResult, LayerStatus, TestReport, Validation
from fixloop_bot.model.outcome import Breaker, Status, TerminalState
from fixloop_bot.model.state import End, Limits, Phase
from tests.core.play import NOTHING, Effect, failing, green, play, start

A, B, C = failing("A"), failing("B"), failing("C")


@pytest.mark.parametrize(
    ("effects", "cap", "attempts", "breaker", "models"),
    [
        pytest.param([NOTHING], 1, 1, "max-retries", "s", id="cap 1 makes exactly one attempt"),
        pytest.param([NOTHING], 2, 2, "max-retries", "ss", id="cap 2 makes exactly two"),
        pytest.param(
            [NOTHING], 3, 3, "max-retries", "sso", id="cap 3, nothing changes: the third is on the stronger model"
        ),
        pytest.param([A], 3, 3, "max-retries", "sso", id="cap 3, the same error three times"),
        pytest.param(
            [A], 10, 4, "same-error-recurrence", "ssoo", id="cap 10, constant error: the fifth sighting stops"
        ),
        pytest.param([B, A], 3, 3, "max-retries", "sso", id="cap 3, A to B to A"),
        pytest.param([B, A, B, A], 10, 4, "no-progress", "ssoo", id="cap 10, A to B to A: two rounds, then stop"),
        pytest.param(
            [B, C, failing("D"), failing("E")], 10, 4, "no-progress", "ssoo", id="ever new failures, none better"
        ),
        pytest.param(
            [failing("W", errors=5), NOTHING], 2, 2, "max-retries", "so", id="worse at once escalates at once"
        ),
        pytest.param(
            [failing("W", errors=5), NOTHING],
            10,
            3,
            "no-progress",
            "soo",
            id="escalated and twice in a row the same: stop",
        ),
    ],
)
def test_where_a_hopeless_run_stops(effects: list[Effect], cap: int, attempts: int, breaker: str, models: str) -> None:
    played = play(A, effects, cap=cap)
    assert played.stop is not None
    assert (len(played.state.attempts), played.stop.end.breaker) == (attempts, breaker)
    assert [model[0] for model in played.models] == list(models)
    assert played.stop.end.terminal is TerminalState.FAILED_BUDGET


def test_the_ladder_replans_exactly_once_and_on_the_stronger_model() -> None:
    played = play(A, [NOTHING], cap=10)
    assert [attempt.replan for attempt in played.state.attempts] == [False, False, True, False]
    assert played.log.count("Escalate") == 1


def test_escalation_is_reached_at_the_default_cap_and_can_end_in_the_gate() -> None:
    played = play(A, [NOTHING, NOTHING, green()], cap=3)
    assert played.stop is None
    assert played.log == ("Repair", "Repair", "Escalate", "Repair", "Gate")
    assert played.models == ["sonnet", "sonnet", "opus"]


def test_a_regression_at_the_first_attempt_is_measured_against_the_value_before_it() -> None:
    first = failing("A", errors=4)
    played = play(first, [failing("W", errors=5), failing("A2", errors=2), green()], cap=3)
    assert played.verdicts == ["regression", "progress", "clean"]
    assert played.models == ["sonnet", "opus", "opus"]
    assert played.state.attempts[1].errors_before == 4


def test_progress_is_not_counted_against_the_ladder() -> None:
    effects: list[Effect] = [failing(f"F{left}", errors=left) for left in (4, 3, 2, 1)]
    played = play(failing("F5", errors=5), [*effects, green()], cap=10)
    assert played.verdicts == ["progress"] * 4 + ["clean"]
    assert set(played.models) == {"sonnet"}


def test_escalation_does_not_reset_the_sightings() -> None:
    played = play(A, [NOTHING], cap=10)
    assert played.state.error_hash_counts == {"A": 5}


def test_a_higher_layer_is_a_new_target_with_its_own_baseline() -> None:
    played = play(failing("L", layer=Layer.LINT), [failing("T", errors=3), failing("T1", errors=1), green()], cap=3)
    assert played.verdicts == ["clean", "progress", "clean"]
    assert [str(attempt.layer) for attempt in played.state.attempts] == ["lint", "test", "test"]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        pytest.param({}, None, id="nothing fires at the start"),
        pytest.param({"next_call_usd": 3.01}, Breaker.BUDGET, id="the next call could pass the cap"),
        pytest.param({"next_call_usd": 1.0, "spent_usd": 2.5}, Breaker.BUDGET, id="with what is already spent"),
        pytest.param({"next_call_usd": 0.5, "spent_usd": 2.5}, None, id="exactly the cap is within it"),
        pytest.param({"next_call_usd": None}, Breaker.BUDGET, id="an unknown price is refused by a cap"),
        pytest.param({"error_hash_counts": {"A": 4}}, None, id="four sightings are not five"),
        pytest.param({"error_hash_counts": {"A": 1, "B": 5}}, Breaker.SAME_ERROR_RECURRENCE, id="any hash five times"),
        pytest.param({"escalated": True, "consecutive_no_progress": 1}, None, id="escalated, one in a row"),
        pytest.param(
            {"escalated": True, "consecutive_no_progress": 2}, Breaker.NO_PROGRESS, id="escalated, two in a row"
        ),
        pytest.param({"consecutive_no_progress": 3}, None, id="not escalated: three in a row do not stop"),
        pytest.param({"iteration_count": 3}, Breaker.MAX_RETRIES, id="all attempts used"),
        pytest.param({"violations": ("tests/t.py",)}, Breaker.SAFETY, id="safety"),
        pytest.param(
            {
                "violations": ("t",),
                "next_call_usd": 9.0,
                "error_hash_counts": {"A": 5},
                "escalated": True,
                "consecutive_no_progress": 2,
                "iteration_count": 3,
            },
            Breaker.SAFETY,
            id="safety is named before all others",
        ),
        pytest.param(
            {"next_call_usd": 9.0, "error_hash_counts": {"A": 5}, "iteration_count": 3},
            Breaker.BUDGET,
            id="budget before recurrence",
        ),
        pytest.param(
            {"error_hash_counts": {"A": 5}, "escalated": True, "consecutive_no_progress": 2},
            Breaker.SAME_ERROR_RECURRENCE,
            id="recurrence before no progress",
        ),
        pytest.param(
            {"escalated": True, "consecutive_no_progress": 2, "iteration_count": 3},
            Breaker.NO_PROGRESS,
            id="no progress before max-retries",
        ),
    ],
)
def test_the_breakers_in_their_order(change: dict[str, Any], expected: Breaker | None) -> None:
    assert tripped(start(A, **change)) is expected


def test_three_in_a_row_escalate_and_the_count_starts_again() -> None:
    known = (Attribution(layer=Layer.TEST, commit="c0", runs=2),)
    state = start(A, consecutive_no_progress=3, attributions=known)
    assert isinstance(decide(state, 0.0), Escalate)
    state = replace(state, escalated=True, consecutive_no_progress=0)
    assert isinstance(decide(state, 0.0), Repair)


@pytest.mark.parametrize(
    ("phase", "decision"),
    [(Phase.DETECT, Detect), (Phase.VERIFY, Verify), (Phase.GATE, Gate)],
)
def test_each_phase_has_its_one_decision(phase: Phase, decision: type) -> None:
    assert isinstance(decide(replace(start(A), phase=phase), 0.0), decision)


def test_free_fixers_go_first_and_once_per_commit() -> None:
    state = start(failing("L", layer=Layer.LINT), fixable=(Layer.LINT,))
    assert decide(state, 0.0) == FixFree(Layer.LINT)
    assert isinstance(decide(replace(state, free_tried=("lint:c0",)), 0.0), Repair)
    assert decide(replace(state, free_tried=("lint:c0",), head="c1"), 0.0) == FixFree(Layer.LINT)


def test_the_time_limit_stops_whatever_comes_next() -> None:
    state = replace(start(A), limits=Limits(deadline=10.0), phase=Phase.VERIFY)
    decision = decide(state, now=10.0)
    assert isinstance(decision, Stop)
    assert (decision.end.breaker, decision.end.terminal) == (Breaker.BUDGET, TerminalState.FAILED_BUDGET)


def test_a_proof_that_came_in_time_counts_after_the_deadline() -> None:
    end = End(status=Status.DONE, terminal=TerminalState.SUCCEEDED)
    state = replace(start(A), limits=Limits(deadline=10.0), ending=end)
    assert decide(state, now=11.0) == Stop(end)


@pytest.mark.parametrize(
    ("result", "breaker", "terminal"),
    [
        pytest.param(
            LayerResult(name=Layer.LINT, status=LayerStatus.ERROR, environmental=True, missing=("ruff is missing",)),
            Breaker.ENVIRONMENT,
            TerminalState.FAILED_BLOCKED,
            id="a missing tool is not repaired in the code",
        ),
        pytest.param(
            LayerResult(name=Layer.TEST, status=LayerStatus.ERROR, reason="no test ran"),
            Breaker.NOTHING_VERIFIED,
            TerminalState.FAILED_UNVERIFIABLE,
            id="no test ran",
        ),
    ],
)
def test_what_cannot_be_repaired_ends_without_an_attempt(
    result: LayerResult, breaker: Breaker, terminal: TerminalState
) -> None:
    validation = Validation(project_type="python", layers=(result,), planned=(Layer.LINT, Layer.TEST))
    decision = decide(start(validation), 0.0)
    assert isinstance(decision, Stop)
    assert (decision.end.breaker, decision.end.terminal) == (breaker, terminal)


def test_a_crash_that_hides_other_failures_is_a_regression() -> None:
    first = failing("A", errors=3, tests=TestReport(executed=10, passed=("p1", "p2")))
    crash = failing("X", errors=1, tests=TestReport(executed=0))
    assert play(first, [crash], cap=1).verdicts == ["regression"]


def test_a_crash_mended_that_shows_more_failures_is_none() -> None:
    first = failing("X", errors=1, tests=TestReport(executed=0))
    shown = failing("A", errors=3, tests=TestReport(executed=10))
    assert play(first, [shown], cap=1).verdicts == ["changed"]


def test_a_test_that_passed_and_fails_now_is_a_regression_whatever_the_count() -> None:
    first = failing("A", errors=2, tests=TestReport(executed=3, passed=("p",), failed=("a", "b")))
    swapped = failing("B", errors=1, tests=TestReport(executed=3, passed=("a", "b"), failed=("p",)))
    assert play(first, [swapped], cap=1).verdicts == ["regression"]


def test_green_with_fewer_tests_is_no_pass() -> None:
    first = failing("A", tests=TestReport(executed=5, failed=("a",)))
    shrunk = green()
    layers = tuple(replace(r, tests=TestReport(executed=4)) if r.name is Layer.TEST else r for r in shrunk.layers)
    assert play(first, [replace(shrunk, layers=layers)], cap=1).verdicts == ["regression"]


def typed(name: str, path: str, *, errors: int, kind: DiagnosticKind = DiagnosticKind.TYPE_ERROR) -> Validation:
    """Return a compile failure whose errors lie in one file."""
    base = failing(name, layer=Layer.COMPILE, errors=errors)
    found = tuple(Diagnostic(path=path, message=f"{name}{n}", kind=kind) for n in range(errors))
    layers = tuple(replace(r, diagnostics=found) if r.name is Layer.COMPILE else r for r in base.layers)
    return replace(base, layers=layers)


@pytest.mark.parametrize(
    ("before", "after", "changed", "verdict"),
    [
        pytest.param(typed("S", "a.py", errors=1, kind=DiagnosticKind.SYNTAX_ERROR), typed("T", "a.py", errors=5),
                     ("a.py",), "changed", id="a syntax error mended shows the types that it hid"),
        pytest.param(typed("T", "a.py", errors=5), typed("S", "a.py", errors=1, kind=DiagnosticKind.SYNTAX_ERROR),
                     ("a.py",), "changed", id="five errors behind one crash are no progress"),
        pytest.param(typed("T", "a.py", errors=1), typed("U", "b.py", errors=3), ("a.py",), "changed",
                     id="new errors in files that the change did not touch"),
        pytest.param(typed("T", "a.py", errors=1), typed("U", "a.py", errors=3), ("a.py",), "regression",
                     id="new errors in the changed file"),
        pytest.param(typed("T", "a.py", errors=1), typed("T2", "b.py", errors=3), ("a.py",), "regression",
                     id="more errors and the old one still there"),
        pytest.param(typed("T", "a.py", errors=3), typed("T2", "a.py", errors=2), ("a.py",), "progress",
                     id="a part of what failed"),
    ],
)  # fmt: skip
def test_a_count_alone_is_neither_progress_nor_regression(
    before: Validation, after: Validation, changed: tuple[str, ...], verdict: str
) -> None:
    state = start(before)
    assert state.failure
    result = verdict_of(state.failure, after, score_after=score(after, {Layer.COMPILE: 5}), changed=changed)
    assert result[0] == verdict


def test_a_layer_that_no_longer_runs_is_not_clean() -> None:
    layers = tuple(replace(r, status=LayerStatus.SKIP) if r.name is Layer.TEST else r for r in green().layers)
    assert play(A, [replace(green(), layers=layers)], cap=1).verdicts == ["regression"]


def test_a_free_fixer_that_never_settles_does_not_go_on_for_ever() -> None:
    tried = tuple(f"lint:c{number}" for number in range(6))
    state = start(failing("L", layer=Layer.LINT), fixable=(Layer.LINT,), free_tried=tried, head="c9")
    assert isinstance(decide(state, 0.0), Repair)


@pytest.mark.parametrize(
    ("before", "after", "lost"),
    [
        pytest.param(TestReport(executed=2, failed=("a", "b")), TestReport(executed=2, passed=("a", "b")), False,
                     id="all still run"),
        pytest.param(TestReport(executed=2, failed=("a", "b")),
                     TestReport(executed=2, passed=("a", "new"), skipped=("b",)), True, id="one skipped, one added"),
        pytest.param(TestReport(executed=2, passed=("a", "b")), TestReport(executed=2, passed=("a", "c")), True,
                     id="one is exchanged for another"),
        pytest.param(TestReport(executed=0, failed=("m",)), TestReport(executed=3, passed=("a", "b", "c")), False,
                     id="a module that could not be imported"),
        pytest.param(TestReport(executed=2), TestReport(executed=1), True, id="by count alone"),
        pytest.param(TestReport(executed=2), None, True, id="no report any more"),
        pytest.param(None, TestReport(executed=1), False, id="nothing was known"),
    ],
)  # fmt: skip
def test_no_test_that_ran_may_stop_running(before: TestReport | None, after: TestReport | None, *, lost: bool) -> None:
    assert bool(lost_tests(before, after)) is lost
