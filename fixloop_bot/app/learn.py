"""Writing down what a run has learned: tool errors as they are met, and what did not help when the approach changes."""

from collections.abc import Sequence

from fixloop_bot.checks.tool_errors import tool_errors
from fixloop_bot.core.learn import failed_approach, lessons
from fixloop_bot.model.context import Tried
from fixloop_bot.model.state import LoopState
from fixloop_bot.ports import Ports


def learn(before: LoopState, state: LoopState, ports: Ports) -> None:
    """Write down what the look between the two states has shown, if there was one and it failed."""
    if state.validation is None or state.validation is before.validation:
        return
    result = state.validation.failing
    if result and (found := lessons(result, tool_errors(result.output.split("\n")))):
        ports.records.learn(state, found, None, at=ports.clock.iso())


def learn_approach(state: LoopState, tried: Sequence[Tried], ports: Ports) -> None:
    """Write down what did not help on the target: from here on the approach must change."""
    told = [f"{one.hypothesis or 'no hypothesis'}: {one.effect}" for one in tried]
    if approach := failed_approach(state, told):
        ports.records.learn(state, (), approach, at=ports.clock.iso())
        ports.progress.note(f"{approach.layer}: {len(told)} attempts did not help; the approach must change")
