"""What earlier attempts count for, and where a run begins on the ladder because of them."""

from dataclasses import replace

import pytest

from fixloop_bot.core.decide import decide, replan_due, tried_out
from fixloop_bot.core.ladder import AttemptOutcome, earlier_here, higher, last_rungs, rung_of, unproductive_on
from fixloop_bot.model.attempt import FailureMode, FixCommit, Rung
from fixloop_bot.model.decision import Repair, Stop
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.outcome import Breaker, Question, QuestionKind, Status, TerminalState
from fixloop_bot.model.state import End, Limits, LoopState
from tests.core.play import NOTHING, failing, green, play, start

A = failing("A")
LINT, TEST = Layer.LINT, Layer.TEST


@pytest.mark.parametrize(
    ("outcomes", "earlier", "counts"),
    [
        pytest.param([], {}, {}, id="nothing was tried"),
        pytest.param([(TEST, "same", False), (TEST, "changed", False)], {}, {TEST: 2}, id="two that did not help"),
        pytest.param([(TEST, "progress", True)], {}, {}, id="progress counts against nothing"),
        pytest.param([(TEST, "same", False), (TEST, "clean", True)], {}, {}, id="a clean layer ends its target"),
        pytest.param([(TEST, "clean", True), (TEST, "same", False)], {}, {TEST: 1}, id="what comes after begins at 0"),
        pytest.param([(LINT, "clean", True)], {TEST: 2, LINT: 3}, {TEST: 2}, id="each layer is its own target"),
        pytest.param([(TEST, "contradicted", False)], {TEST: 1}, {TEST: 2}, id="what the gate contradicts counts"),
        pytest.param([(TEST, "regression", False)], {TEST: 3}, {TEST: 4}, id="earlier runs count on"),
    ],
)
def test_a_target_counts_its_unproductive_attempts(
    outcomes: list[AttemptOutcome], earlier: dict[Layer, int], counts: dict[Layer, int]
) -> None:
    assert unproductive_on(outcomes, earlier) == counts


def test_of_two_counts_of_the_same_attempts_the_higher_one_holds() -> None:
    assert higher({TEST: 2, LINT: 1}, {TEST: 3}) == {LINT: 1, TEST: 3}


def remembering(earlier: int, **more: object) -> LoopState:
    """Return the state after a first look at a target that earlier runs have tried so often."""
    return start(A, cap=10, earlier_attempts={TEST: earlier}, **more)


@pytest.mark.parametrize(
    ("earlier", "rungs", "models", "breaker"),
    [
        (0, [Rung.PATCH, Rung.PATCH, Rung.REPLAN, Rung.REPLAN], "ssoo", Breaker.SAME_ERROR_RECURRENCE),
        (1, [Rung.PATCH, Rung.REPLAN, Rung.REPLAN], "soo", Breaker.NO_PROGRESS),
        (2, [Rung.REPLAN, Rung.REPLAN], "oo", Breaker.NO_PROGRESS),
        (3, [Rung.REPLAN], "o", Breaker.NO_PROGRESS),
        (4, [], "", Breaker.NO_PROGRESS),
        (9, [], "", Breaker.NO_PROGRESS),
    ],
)
def test_a_run_goes_on_where_earlier_ones_stopped(
    earlier: int, rungs: list[Rung], models: str, breaker: Breaker
) -> None:
    played = play(A, [NOTHING], cap=10, earlier_attempts={TEST: earlier})
    assert played.stop is not None
    assert (played.stop.end.breaker, played.stop.end.terminal) == (breaker, TerminalState.FAILED_BUDGET)
    assert [attempt.rung for attempt in played.state.attempts] == rungs
    assert "".join(model[0] for model in played.models) == models


def test_used_up_by_earlier_runs_it_stops_before_anything_is_run_or_paid_and_says_what_helps() -> None:
    decision = decide(remembering(4), now=0.0)
    assert isinstance(decision, Stop)
    assert decision.end.reason == "4 attempts of earlier runs on this head did not repair the test layer"
    assert "commit a change of your own first" in decision.end.suggestion


def test_a_breaker_that_comes_first_is_named_first() -> None:
    decision = decide(remembering(4, next_call_usd=9.0), now=0.0)
    assert isinstance(decision, Stop)
    assert decision.end.breaker is Breaker.BUDGET


def test_a_layer_that_this_run_made_clean_owes_nothing_to_earlier_runs() -> None:
    state = remembering(4, fix_commits=(FixCommit(layer=TEST, commit="c1", iteration=1),))
    assert earlier_here(state) == 0
    assert not tried_out(state)


def test_another_layer_s_attempts_are_another_target_s() -> None:
    played = play(A, [green()], cap=3, earlier_attempts={LINT: 4})
    assert (played.stop, played.models) == (None, ["sonnet"])


def test_the_setting_moves_both_bounds() -> None:
    state = remembering(4)
    state = replace(state, limits=Limits(max_retries=10, max_attempts=3))
    assert replan_due(state)
    assert not tried_out(state)
    assert tried_out(replace(state, earlier_attempts={TEST: 6}))


def test_a_first_run_has_exactly_the_attempts_that_it_is_given() -> None:
    for cap in (1, 2, 3):
        assert len(play(A, [NOTHING], cap=cap).state.attempts) == cap


def test_the_first_attempt_after_two_earlier_ones_is_a_replan() -> None:
    state = replace(remembering(2), escalated=True, attributions=play(A, [NOTHING], cap=1).state.attributions)
    decision = decide(state, now=0.0)
    assert isinstance(decision, Repair)
    assert decision.replan


@pytest.mark.parametrize(
    ("mode", "replan", "rung"),
    [
        (FailureMode.DETERMINISTIC_FAIL, False, Rung.PATCH),
        (FailureMode.RUBRIC_FAIL, False, Rung.RUBRIC),
        (FailureMode.RUBRIC_FAIL, True, Rung.REPLAN),
    ],
)
def test_each_rung_has_its_name(mode: FailureMode, *, replan: bool, rung: Rung) -> None:
    assert rung_of(mode, replan=replan) is rung


def asked(kind: QuestionKind) -> End:
    """Return the standing still of a run that asks."""
    question = Question(layer="test", question="?", option_a="a", option_b="b", kind=kind)
    return End(status=Status.NEED_DECISION, terminal=None, question=question)


@pytest.mark.parametrize(
    ("end", "attempts", "rungs"),
    [
        (End(status=Status.BLOCKED, terminal=TerminalState.FAILED_BUDGET), 1, (Rung.REVERT, Rung.STOP)),
        (End(status=Status.BLOCKED, terminal=TerminalState.FAILED_BUDGET), 0, (Rung.STOP,)),
        (asked(QuestionKind.APPROVAL), 1, (Rung.APPROVAL,)),
        (asked(QuestionKind.CHOICE), 1, ()),
        (End(status=Status.DONE, terminal=TerminalState.SUCCEEDED), 1, ()),
    ],
    ids=["gives up", "gives up before it tried", "waits for approval", "waits for a choice", "is done"],
)
def test_an_end_takes_the_last_rungs(end: End, attempts: int, rungs: tuple[Rung, ...]) -> None:
    state = play(A, [NOTHING], cap=1).state if attempts else start(A)
    assert last_rungs(state, end) == rungs
