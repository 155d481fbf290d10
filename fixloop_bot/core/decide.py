"""What the loop does next: a pure function of the state and the time.

All bounds of the loop stand here. `tripped` is the table of breakers, in its order; `RECURRENCE`,
`NO_PROGRESS` and `NO_PROGRESS_ESCALATED` are its numbers.
"""

from dataclasses import replace

from fixloop_bot.core.attribute import attribution_due, flaky_words
from fixloop_bot.core.ending import STABILISE
from fixloop_bot.core.ladder import earlier_here
from fixloop_bot.model.attempt import Failure, FailureMode, Verdict
from fixloop_bot.model.decision import (
    Attribute,
    Decision,
    Detect,
    Escalate,
    FixFree,
    Gate,
    Repair,
    Stop,
    TakeAnswer,
    Triage,
    Verify,
)
from fixloop_bot.model.layer import LayerStatus
from fixloop_bot.model.outcome import Breaker, Status, TerminalState
from fixloop_bot.model.state import End, LoopState, Phase

RECURRENCE = 5
"""Sightings of one hash, the first detection included, that end the run."""
NO_PROGRESS = 3
"""Attempts in a row with the hash of the one before that escalate."""
NO_PROGRESS_ESCALATED = 2
"""Such attempts in a row, once escalated, that end the run."""
FREE_ROUNDS = 6
"""Commits of one layer on which the free fixers run: a fixer that never settles must not go on for ever."""
LADDER_ROUNDS = 2
"""Rounds of `round_of` unproductive attempts on a failure mode: one leads to a replan, two to a stop.

The same numbers hold for a target over all runs on one head of a person's.
"""

TERMINAL_OF: dict[Breaker, TerminalState] = {
    Breaker.SAFETY: TerminalState.FAILED_SAFETY,
    Breaker.BUDGET: TerminalState.FAILED_BUDGET,
    Breaker.SAME_ERROR_RECURRENCE: TerminalState.FAILED_BUDGET,
    Breaker.NO_PROGRESS: TerminalState.FAILED_BUDGET,
    Breaker.MAX_RETRIES: TerminalState.FAILED_BUDGET,
    Breaker.ENVIRONMENT: TerminalState.FAILED_BLOCKED,
    Breaker.PROVIDER: TerminalState.FAILED_BLOCKED,
    Breaker.AGENT: TerminalState.FAILED_BLOCKED,
    Breaker.NOTHING_VERIFIED: TerminalState.FAILED_UNVERIFIABLE,
    Breaker.FLAKY: TerminalState.FAILED_UNVERIFIABLE,
    Breaker.STOPPED: TerminalState.ABORTED_BY_HUMAN,
}


def decide(state: LoopState, now: float) -> Decision:
    """Return what to do next; `now` is in seconds since the epoch."""
    if state.violations:
        return Stop(_end(Breaker.SAFETY, "; ".join(state.violations[:5])))
    if state.ending:
        return Stop(state.ending)
    if now >= state.limits.deadline:
        return Stop(_end(Breaker.BUDGET, "the run's time limit is reached"))
    return TakeAnswer() if state.answer else _in_phase(state, now)


def _in_phase(state: LoopState, now: float) -> Decision:
    match state.phase:
        case Phase.DETECT:
            return Detect()
        case Phase.VERIFY:
            return Verify()
        case Phase.GATE:
            return Gate()
        case Phase.FIX if state.pending:
            return Repair(state.pending.iteration, state.pending.model, state.pending.replan)
        case _:
            return _next(state, now)


def _next(state: LoopState, now: float) -> Decision:
    failure = state.failure
    if failure is None:
        return Gate()
    if unverifiable := _cannot_be_repaired(failure, state):
        return Stop(unverifiable)
    if free_turn(state) and not recurs(state):
        return FixFree(failure.layer)
    if tried_out(state):
        return Stop(_tried_out(state))
    return _looked_into(failure, state, now) or _tried_again(state)


def _looked_into(failure: Failure, state: LoopState, now: float) -> Attribute | Triage | None:
    """Return what is to be found out before an attempt on a layer is paid for, None once all is known."""
    if attribution_due(state, now):
        return Attribute(failure.layer)
    return Triage(failure.layer) if triage_due(state) else None


def _tried_again(state: LoopState) -> Escalate | Stop | Repair:
    if reason := escalation(state):
        return Escalate(reason)
    if breaker := tripped(state):
        return Stop(_end(breaker, REASONS[breaker]))
    return Repair(state.iteration_count + 1, state.current_model, replan_due(state))


def tripped(state: LoopState) -> Breaker | None:
    """Return the first breaker that fires before the next attempt, None for none."""
    table = (
        (Breaker.SAFETY, bool(state.violations)),
        (Breaker.BUDGET, over_budget(state)),
        (Breaker.SAME_ERROR_RECURRENCE, recurs(state)),
        (Breaker.NO_PROGRESS, stuck(state)),
        (Breaker.MAX_RETRIES, state.iteration_count >= state.limits.max_retries),
    )
    return next((breaker for breaker, fires in table if fires), None)


def recurs(state: LoopState) -> bool:
    """Return whether one failure was seen too often."""
    return max(state.error_hash_counts.values(), default=0) >= RECURRENCE


def free_turn(state: LoopState) -> bool:
    """Return whether the free fixers have not had this commit yet, nor too many turns on this layer."""
    failure = state.failure
    if failure is None or failure.layer not in state.fixable or free_key(state) in state.free_tried:
        return False
    return sum(key.startswith(f"{failure.layer}:") for key in state.free_tried) < FREE_ROUNDS


def over_budget(state: LoopState) -> bool:
    """Return whether the next model call could pass the cap; a call of unknown price could."""
    if state.next_call_usd is None:
        return True
    return state.spent_usd + state.next_call_usd > state.limits.max_cost_usd


def stuck(state: LoopState) -> bool:
    """Return whether the stronger model makes no progress either, or the ladder's last rung is used up."""
    hopeless = state.escalated and state.consecutive_no_progress >= NO_PROGRESS_ESCALATED
    return hopeless or unproductive(state) >= LADDER_ROUNDS * round_of(state)


def unproductive(state: LoopState) -> int:
    """Return the unproductive attempts on the current failure mode, and by earlier runs on the same target."""
    return state.unproductive_by_mode.get(state.failure.mode, 0) + earlier_here(state) if state.failure else 0


def tried_out(state: LoopState) -> bool:
    """Return whether earlier runs have used the ladder up on this target: then nothing is spent on it any more."""
    return earlier_here(state) >= LADDER_ROUNDS * state.limits.max_attempts


def triage_due(state: LoopState) -> bool:
    """Return whether a model may say once whose fault it is: the environment's or the code's, and no rule can tell."""
    failure = state.failure
    if failure is None or failure.from_context or failure.layer in state.triaged:
        return False
    open_question = failure.result.ambiguous and failure.mode is FailureMode.DETERMINISTIC_FAIL
    untouched = all(attempt.layer is not failure.layer for attempt in state.attempts)
    return open_question and untouched and tripped(state) is None


def escalation(state: LoopState) -> str:
    """Return why the stronger model takes over now, empty if it does not. It happens once."""
    if state.escalated:
        return ""
    if state.attempts and state.attempts[-1].verdict is Verdict.REGRESSION:
        return "the last attempt made it worse"
    if state.consecutive_no_progress >= NO_PROGRESS:
        return f"{state.consecutive_no_progress} attempts in a row left the same failure"
    if replan_due(state):
        return f"{unproductive(state)} attempts did not help"
    return ""


def replan_due(state: LoopState) -> bool:
    """Return whether the next attempt must take another hypothesis than all before; happens once."""
    return not state.replanned and unproductive(state) >= round_of(state)


def round_of(state: LoopState) -> int:
    """Return the unproductive attempts that lead to the ladder's next rung: a rubric's dimension has one repair."""
    is_rubric = state.failure is not None and state.failure.mode is FailureMode.RUBRIC_FAIL
    return 1 if is_rubric else state.limits.max_attempts


def escalated(state: LoopState) -> LoopState:
    """Return the state on the stronger model; the no-progress count starts again, the sightings stay."""
    return replace(state, escalated=True, current_model=state.models.escalated, consecutive_no_progress=0)


def free_key(state: LoopState) -> str:
    """Return what marks the free fixers as used: they run once per layer and commit."""
    return f"{state.failure.layer}:{state.head}" if state.failure else ""


def _cannot_be_repaired(failure: Failure, state: LoopState) -> End | None:
    result = failure.result
    if failure.mode is FailureMode.FLAKY:
        return _end(Breaker.FLAKY, "; ".join(flaky_words(state)[:5]), suggestion=STABILISE)
    if failure.mode is FailureMode.ENVIRONMENTAL:
        what = "; ".join(result.missing) or result.reason or "the environment lacks something"
        return _end(Breaker.ENVIRONMENT, what, suggestion=what)
    if result.status is LayerStatus.ERROR:
        return _end(Breaker.NOTHING_VERIFIED, result.reason or f"{result.name} could not be verified")
    return None


def _tried_out(state: LoopState) -> End:
    """Return the end of a run that begins where earlier ones gave up, under the first breaker that fires."""
    breaker = tripped(state) or Breaker.NO_PROGRESS
    layer = state.failure.layer if state.failure else "layer"
    tries = f"{earlier_here(state)} attempts of earlier runs on this head did not repair the {layer} layer"
    return _end(breaker, REASONS[breaker] if breaker is not Breaker.NO_PROGRESS else tries, suggestion=OWN_COMMIT)


OWN_COMMIT = "commit a change of your own first; the count of attempts starts again with it"
REASONS: dict[Breaker, str] = {
    Breaker.SAFETY: "the change crosses a forbidden boundary",
    Breaker.BUDGET: "the next model call could pass the cost cap",
    Breaker.SAME_ERROR_RECURRENCE: f"the same failure was seen {RECURRENCE} times",
    Breaker.NO_PROGRESS: "the attempts no longer change anything for the better",
    Breaker.MAX_RETRIES: "all attempts are used",
}


def _end(breaker: Breaker, reason: str, *, suggestion: str = "") -> End:
    return End(
        status=Status.BLOCKED, terminal=TERMINAL_OF[breaker], breaker=breaker, reason=reason, suggestion=suggestion
    )
