"""The next attempt is told of every failure, whoever made it and whatever became of it."""

from dataclasses import replace

import pytest

from fixloop_bot.core.tried import tried
from fixloop_bot.model.agent import ModelAlias
from fixloop_bot.model.attempt import Attempt, FailureMode, Verdict
from fixloop_bot.model.guard import Finding, Severity
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.state import LoopState
from fixloop_bot.model.target import TriedBefore

SAME = Attempt(
    iteration=1,
    layer=Layer.TEST,
    mode=FailureMode.DETERMINISTIC_FAIL,
    model=ModelAlias.SONNET,
    hypothesis="off by one",
    changed=("a.py",),
    errors_before=2,
    errors_after=2,
    failing_after=("test: t",),
    verdict=Verdict.SAME,
)
WEAKENS = Finding(rule_id="skip", severity=Severity.HIGH, path="t.py", line=1, message="adds a skip")


@pytest.mark.parametrize(
    ("attempt", "effect"),
    [
        pytest.param(SAME, "same, 2 -> 2 errors, still failing: test: t", id="it changed nothing for the better"),
        pytest.param(replace(SAME, changed=()), "no file was changed", id="it did nothing"),
        pytest.param(
            replace(SAME, repeats="r-0"),
            "the same idea as r-0 again; same, 2 -> 2 errors, still failing: test: t",
            id="it was no other idea",
        ),
    ],
)
def test_a_failed_attempt_is_told_with_its_effect(attempt: Attempt, effect: str) -> None:
    (told,) = tried(LoopState(run_id="r", attempts=(attempt,)), Layer.TEST)
    assert (told.iteration, told.hypothesis, told.effect) == (1, "off by one", effect)


def test_what_the_guard_undid_is_told_as_such() -> None:
    refused = replace(SAME, verdict=Verdict.REFUSED, guard=(WEAKENS,))
    (told,) = tried(LoopState(run_id="r", attempts=(refused,)), Layer.TEST)
    assert told.effect.startswith("undone by the guard, which found it to weaken a check: ")


def test_what_helped_is_not_told_and_earlier_runs_come_first_on_their_layer_alone() -> None:
    before = TriedBefore(
        iteration_id="old-1", layer=Layer.TEST, hypothesis="a race", repair_action="a lock", verdict="same",
        failing_after=("test: t",),
    )  # fmt: skip
    state = LoopState(
        run_id="r",
        earlier_tried=(before, replace(before, layer=Layer.LINT)),
        attempts=(SAME, replace(SAME, iteration=2, score_after=0.5)),
    )
    told = tried(state, Layer.TEST)
    assert [(one.iteration, one.hypothesis, one.effect) for one in told] == [
        (0, "a race", "same, still failing: test: t"),
        (1, "off by one", "same, 2 -> 2 errors, still failing: test: t"),
    ]
