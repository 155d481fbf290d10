"""From attempts to what each model cost."""

from fixloop_bot.model.agent import Usage
from fixloop_bot.model.attempt import Attempt
from fixloop_bot.model.report import ModelCost
from fixloop_bot.model.state import LoopState

BESIDES = "calls without an attempt"
_LEAST = 0.000_000_5
"""US dollars; less is the rounding of sums."""


def model_costs(state: LoopState) -> tuple[ModelCost, ...]:
    """Return a line for each model in the order of use, and one for what the total has beyond them."""
    attempts = (*state.attempts, *((state.pending,) if state.pending and state.pending.usage != Usage() else ()))
    by_model: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        by_model.setdefault(str(attempt.model), []).append(attempt)
    lines = tuple(_line(model, used) for model, used in by_model.items())
    besides = state.total_cost_usd - sum(line.cost_usd for line in lines)
    if besides < _LEAST:
        return lines
    return (*lines, ModelCost(model=BESIDES, attempts=0, usage=Usage(), cost_usd=besides))


def _line(model: str, attempts: list[Attempt]) -> ModelCost:
    return ModelCost(
        model=model,
        attempts=len(attempts),
        usage=sum((attempt.usage for attempt in attempts), Usage()),
        cost_usd=sum(attempt.cost_usd or 0.0 for attempt in attempts),
        unknown=any(attempt.cost_usd is None for attempt in attempts),
    )
