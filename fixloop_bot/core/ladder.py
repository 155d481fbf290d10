"""What earlier attempts count for: on a target over all runs, and on the rungs of the escalation ladder."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from fixloop_bot.model.attempt import Attempt, FailureMode, Rung, Verdict
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.outcome import QuestionKind, Status
from fixloop_bot.model.state import End, LoopState

AttemptOutcome = tuple[Layer, str, bool]
"""Layer, verdict, and whether the score rose."""


def unproductive_on(outcomes: Iterable[AttemptOutcome], earlier: Mapping[Layer, int]) -> dict[Layer, int]:
    """Return the unproductive attempts on each layer, `earlier` and then these, the oldest first.

    A layer that came clean is a target no more: what comes after begins at 0.
    """
    counts = {layer: number for layer, number in earlier.items() if number}
    for layer, verdict, productive in outcomes:
        if verdict == Verdict.CLEAN:
            counts.pop(layer, None)
        elif not productive:
            counts[layer] = counts.get(layer, 0) + 1
    return counts


def outcome_of(attempt: Attempt) -> AttemptOutcome:
    """Return what an attempt of this run counts as."""
    return attempt.layer, str(attempt.verdict), attempt.score_after > attempt.score_before


def higher(one: Mapping[Layer, int], other: Mapping[Layer, int]) -> dict[Layer, int]:
    """Return the higher of two counts of the same attempts, layer by layer: each may have seen only some of them."""
    return {layer: max(one.get(layer, 0), other.get(layer, 0)) for layer in Layer if layer in one or layer in other}


def earlier_here(state: LoopState) -> int:
    """Return the unproductive attempts of earlier runs on the failing layer; none where this run has made it clean."""
    if state.failure is None or any(fix.layer is state.failure.layer for fix in state.fix_commits):
        return 0
    return state.earlier_attempts.get(state.failure.layer, 0)


def rung_of(mode: FailureMode, *, replan: bool) -> Rung:
    """Return the rung that an attempt stands on; `replan` says that the approach has had to change."""
    if replan:
        return Rung.REPLAN
    return Rung.RUBRIC if mode is FailureMode.RUBRIC_FAIL else Rung.PATCH


def last_rungs(state: LoopState, end: End) -> tuple[Rung, ...]:
    """Return the rungs that an end stands for: an approval that is waited for, or giving up on the best-known state."""
    match end.status:
        case Status.BLOCKED:
            return (Rung.REVERT, Rung.STOP) if state.attempts else (Rung.STOP,)
        case Status.NEED_DECISION if end.question and end.question.kind is QuestionKind.APPROVAL:
            return (Rung.APPROVAL,)
        case _:
            return ()


def climbed(state: LoopState, *rungs: Rung) -> LoopState:
    """Return the state with these steps of the ladder noted."""
    return replace(state, rungs=(*state.rungs, *rungs))
