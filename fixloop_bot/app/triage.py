"""One cheap question to a model where the rules cannot tell the environment's fault from the code's."""

from dataclasses import replace

from fixloop_bot.app.converse import ask
from fixloop_bot.core.triage import triage_request, triaged
from fixloop_bot.model.agent import ModelReply, ProviderDown
from fixloop_bot.model.decision import Triage
from fixloop_bot.model.state import LoopState
from fixloop_bot.ports import Ports

PATIENCE_S = 60.0
"""A tie is not worth a longer wait for the provider."""


def triage(decision: Triage, state: LoopState, ports: Ports) -> LoopState:
    """Return the state with the layer's tie broken; a call that is refused or fails leaves what the rules said."""
    if state.failure is None:
        raise ValueError("nothing fails")
    request = triage_request(
        state.failure.result,
        model=state.models.triage,
        number=len(state.triaged) + 1,
        deadline=min(state.limits.deadline, ports.clock.now() + PATIENCE_S),
    )
    outcome = ask(request, model=ports.model, journal=ports.journal, cap_usd=state.limits.max_cost_usd)
    answer = outcome.turn.text if isinstance(outcome, ModelReply) else ""
    cost = outcome.cost_usd if isinstance(outcome, ModelReply | ProviderDown) else 0.0
    state = triaged(state, answer)
    blamed = "the environment" if state.failure and state.failure.result.missing else "the code"
    ports.progress.note(f"{decision.layer}: no rule tells whose fault it is; taken for that of {blamed}")
    return replace(
        state,
        total_cost_usd=state.total_cost_usd + (cost or 0.0),
        cost_unknown=state.cost_unknown or cost is None,
        spent_usd=ports.journal.spent(),
    )
