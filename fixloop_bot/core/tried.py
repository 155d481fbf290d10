"""What was tried in vain, as the next attempt is told."""

from collections.abc import Iterator

from fixloop_bot.core.guard.judge_change import described
from fixloop_bot.model.attempt import Attempt, Verdict
from fixloop_bot.model.context import Tried
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.state import LoopState


def tried(state: LoopState, layer: Layer) -> tuple[Tried, ...]:
    """Return what did not help: on the layer by earlier runs on the same head, then by this run; oldest first."""
    return (*_before(state, layer), *_here(state))


def _before(state: LoopState, layer: Layer) -> Iterator[Tried]:
    for before in state.earlier_tried:
        if before.layer is layer:
            effect = f"{before.verdict}, still failing: {'; '.join(before.failing_after[:3])}"
            yield Tried(iteration=0, hypothesis=before.hypothesis, repair_action=before.repair_action, effect=effect)


def _here(state: LoopState) -> Iterator[Tried]:
    for attempt in state.attempts:
        if attempt.score_after <= attempt.score_before:
            yield Tried(
                iteration=attempt.iteration,
                hypothesis=attempt.hypothesis,
                repair_action=attempt.repair_action,
                effect=_effect(attempt),
            )


def _effect(attempt: Attempt) -> str:
    if attempt.verdict is Verdict.REFUSED:
        return f"undone by the guard, which found it to weaken a check: {described(attempt.guard)}"
    again = f"the same idea as {attempt.repeats} again; " if attempt.repeats else ""
    if not attempt.changed:
        return f"{again}no file was changed"
    if attempt.verdict is Verdict.CONTRADICTED:
        return f"{again}it passed in the worktree alone, at the gate it fails: {'; '.join(attempt.failing_after[:3])}"
    left = f"{attempt.errors_before} -> {attempt.errors_after} errors"
    return f"{again}{attempt.verdict}, {left}, still failing: {'; '.join(attempt.failing_after[:3])}"
