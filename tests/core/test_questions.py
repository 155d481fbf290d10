"""Questions: which answers fit, what goes on with them, what silence and asking again come to."""

from dataclasses import replace

import pytest

from fixloop_bot.core.questions import WAIT_S, answered, asked_again, decided_before, is_stale, unanswered, waits
from fixloop_bot.model.answer import Answer, Choice, Decided
from fixloop_bot.model.outcome import Question, QuestionKind, Status, TerminalState
from fixloop_bot.model.state import Limits, LoopState, Phase

QUESTION = Question(layer="test", question="Which?", option_a="a", option_b="b", about=("test: x",))
WAITING = LoopState(
    run_id="r", phase=Phase.DECISION_WAIT, end=waits(QUESTION), asked_at=1_000.0, iteration_count=3, limits=Limits()
)


def waiting(kind: QuestionKind) -> LoopState:
    phase = Phase.APPROVAL_WAIT if kind is QuestionKind.APPROVAL else Phase.DECISION_WAIT
    return replace(WAITING, phase=phase, end=waits(replace(QUESTION, kind=kind)))


@pytest.mark.parametrize("kind", list(QuestionKind))
@pytest.mark.parametrize("choice", list(Choice))
def test_only_answers_that_fit_the_question_are_taken(kind: QuestionKind, choice: Choice) -> None:
    approval = kind is QuestionKind.APPROVAL
    fits = (choice in (Choice.APPROVE, Choice.DENY)) is approval
    taken = answered(waiting(kind), Answer(choice=choice))
    assert isinstance(taken, LoopState) is fits, taken


def test_an_answered_run_looks_again_and_has_one_more_attempt() -> None:
    taken = answered(WAITING, Answer(choice=Choice.B, text="t", by="pat"))
    assert isinstance(taken, LoopState)
    assert (taken.phase, taken.ended, taken.limits.max_retries) == (Phase.DETECT, False, 4)
    assert taken.answer == Decided(QUESTION, Answer(choice=Choice.B, text="t", by="pat"))
    assert answered(taken, Answer(choice=Choice.A)) == "it does not wait for an answer"
    most = answered(replace(WAITING, iteration_count=10, limits=Limits(max_retries=10)), Answer(choice=Choice.A))
    assert isinstance(most, LoopState)
    assert most.limits.max_retries == 10


@pytest.mark.parametrize(
    ("kind", "state"),
    [
        pytest.param(QuestionKind.CHOICE, TerminalState.FAILED_SPEC_GAP, id="a question"),
        pytest.param(QuestionKind.STALE_TEST, TerminalState.FAILED_SPEC_GAP, id="a stale test"),
        pytest.param(QuestionKind.APPROVAL, TerminalState.FAILED_BUDGET, id="an approval"),
    ],
)
def test_silence_ends_as_the_contract_says(kind: QuestionKind, state: TerminalState) -> None:
    run = waiting(kind)
    assert unanswered(run, 1_000.0 + WAIT_S - 1) is None
    end = unanswered(run, 1_000.0 + WAIT_S)
    assert end is not None
    assert (end.status, end.terminal) == (Status.BLOCKED, state)


def test_only_the_same_failure_of_the_same_layer_was_decided_before() -> None:
    decided = Decided(QUESTION, Answer(choice=Choice.B, by="pat"))
    run = replace(WAITING, decisions=(decided,))
    assert decided_before(run, replace(QUESTION, question="In other words?", about=("test: x", "test: y"))) is decided
    assert decided_before(run, replace(QUESTION, about=("test: y",))) is None
    assert decided_before(run, replace(QUESTION, layer="lint")) is None
    assert "B by pat" in asked_again(decided).reason


@pytest.mark.parametrize(
    ("verdicts", "kind", "stale"),
    [
        pytest.param(("test stale: a", "test stale: b"), QuestionKind.STALE_TEST, True, id="all of them"),
        pytest.param(("test stale: a", "ambiguous: b"), QuestionKind.STALE_TEST, False, id="one is ambiguous"),
        pytest.param((), QuestionKind.STALE_TEST, False, id="no test is known"),
        pytest.param(("test stale: a",), QuestionKind.APPROVAL, False, id="more than tests would change"),
    ],
)
def test_stale_is_every_failing_test_or_none(verdicts: tuple[str, ...], kind: QuestionKind, stale: bool) -> None:
    assert is_stale(replace(QUESTION, verdicts=verdicts, kind=kind)) is stale
