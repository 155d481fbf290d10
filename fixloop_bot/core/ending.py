"""From a state that ended to `terminal.json`."""

from collections.abc import Sequence

from fixloop_bot.core.evidence import evidence
from fixloop_bot.core.record import iteration_id
from fixloop_bot.model.agent import BudgetRefused, PromptTooLong, ProviderDown
from fixloop_bot.model.layer import Layer, LayerStatus, Validation
from fixloop_bot.model.outcome import Breaker, Status, Terminal, TerminalState
from fixloop_bot.model.state import End, LoopState

STABILISE = (
    "make the check give the same answer each time (where projects want the same port or database, `parallel: 1` in"
    " .fixloop.yml checks one after the other), or take it out of the layer; until then nothing is proven"
)


def gate_end(validation: Validation, require: Sequence[Layer], flaky: Sequence[str] = ()) -> End | None:
    """Return how a gate without a failure ends the run; None when a layer failed, which goes back into the loop.

    `require` are the layers that must have run: those that the repository names, and those that ran in this run.
    `flaky` says in words what passes and fails on one tree: a green of that is no proof.
    """
    if validation.failing is not None:
        return None
    if flaky:
        return unproven(flaky)
    absent = [layer for layer in dict.fromkeys(require) if layer not in validation.passed]
    if absent:
        why = f"required but not run: {', '.join(absent)}. {_why_skipped(validation, absent[0])}"
    elif not validation.passed:
        why = "every layer is skipped. " + _why_skipped(validation, Layer.TEST)
    else:
        return End(status=Status.DONE, terminal=TerminalState.SUCCEEDED, reason="all validation layers passed")
    return End(
        status=Status.BLOCKED,
        terminal=TerminalState.FAILED_UNVERIFIABLE,
        breaker=Breaker.NOTHING_VERIFIED,
        reason=f"nothing was verified: {why}".strip(),
        suggestion="declare the commands under `layers:` in .fixloop.yml",
    )


def unproven(flaky: Sequence[str]) -> End:
    """Return the end of a run in which nothing fails but what is flaky."""
    return End(
        status=Status.BLOCKED,
        terminal=TerminalState.FAILED_UNVERIFIABLE,
        breaker=Breaker.FLAKY,
        reason=f"nothing fails each time, but not every check passes each time: {'; '.join(flaky[:5])}",
        suggestion=STABILISE,
    )


def no_call(why: BudgetRefused | ProviderDown | PromptTooLong) -> End:
    """Return the end of a run that needs a model call which is not to be had."""
    if isinstance(why, BudgetRefused):
        return out_of_money(why.detail or _over_cap(why), why.advice)
    return End(
        status=Status.BLOCKED,
        terminal=TerminalState.FAILED_BLOCKED,
        breaker=Breaker.PROVIDER,
        reason=why.detail,
        suggestion=why.advice if isinstance(why, ProviderDown) else "",
    )


def out_of_money(reason: str, suggestion: str) -> End:
    """Return the end of a run that may not pay for what it needs."""
    return End(
        status=Status.BLOCKED,
        terminal=TerminalState.FAILED_BUDGET,
        breaker=Breaker.BUDGET,
        reason=reason,
        suggestion=suggestion,
    )


def _over_cap(why: BudgetRefused) -> str:
    price = "is of unknown price" if why.needed_usd is None else f"could cost ${why.needed_usd:.4f}"
    return f"the next model call {price}, ${why.left_usd:.4f} are left"


def _why_skipped(validation: Validation, layer: Layer) -> str:
    result = validation.result(layer)
    return result.reason if result else ""


def to_terminal(state: LoopState, *, terminated_at: str) -> Terminal:
    """Return the terminal record of an ended run. Raises ValueError for a run that only waits."""
    if state.end is None or state.end.terminal is None:
        raise ValueError("the run has not ended")
    last = state.attempts[-1].iteration if state.attempts else None
    return Terminal(
        run_id=state.run_id,
        state=state.end.terminal,
        status=state.end.status,
        reason=state.end.reason,
        criteria_met=criteria(state),
        evidence=evidence(state),
        false_completion=False,
        iteration_id=iteration_id(state.run_id, last) if last else None,
        terminated_at=terminated_at,
    )


def criteria(state: LoopState) -> dict[str, bool]:
    """Return what DONE demands, each as true or false."""
    gate = state.gate
    passed = gate is not None and gate.overall is LayerStatus.PASS
    return {
        "termination_gate_passed": passed,
        "required_layers_ran": gate is not None and set(state.require) <= set(gate.passed) and bool(gate.passed),
        "protected_files_unchanged": not state.violations,
        "within_budget": state.spent_usd <= state.limits.max_cost_usd,
    }
