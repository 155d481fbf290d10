"""The one line on standard output of `fixloop run`."""

from fixloop_bot.model.outcome import Breaker, Status
from fixloop_bot.model.state import End, LoopState, Phase

SUMMARY_LIMIT = 300
"""Characters of foreign text in the line."""

SUGGESTIONS: dict[Breaker, str] = {
    Breaker.SAFETY: "look at the guard's findings in the record; change protected files by hand",
    Breaker.BUDGET: "raise --max-cost-usd or --timeout, or repair what is left by hand",
    Breaker.SAME_ERROR_RECURRENCE: "read the tried hypotheses in the record and repair it by hand",
    Breaker.NO_PROGRESS: "read the tried hypotheses in the record and repair it by hand",
    Breaker.MAX_RETRIES: "raise --max-retries, or go on by hand from the patches under salvage/",
    Breaker.ENVIRONMENT: "provide what is missing, or declare a `setup` command in .fixloop.yml",
    Breaker.PROVIDER: "set ANTHROPIC_API_KEY, or try again later",
    Breaker.AGENT: "decide what the agent could not",
    Breaker.NOTHING_VERIFIED: "declare the commands under `layers:` in .fixloop.yml",
    Breaker.FLAKY: "make the check give the same answer each time, or take it out of the layer",
    Breaker.DECISION: "answer the question",
    Breaker.STOPPED: "run fixloop again when you are ready",
}


def status_line(state: LoopState) -> str:
    """Return the final line, always one. Raises ValueError for a run that goes on."""
    if state.end is None:
        raise ValueError("the run goes on")
    match state.end.status:
        case Status.DONE:
            return _done(state)
        case Status.NEED_DECISION:
            return _need_decision(state, state.end)
        case Status.BLOCKED:
            return _blocked(state, state.end)


def how_to_answer(state: LoopState) -> str:
    """Return the commands that answer a run that waits in a shell, empty for one that does not."""
    if state.end is None or state.end.terminal is not None:
        return ""
    run = state.run_id
    if state.phase is Phase.APPROVAL_WAIT:
        return f"To answer: fixloop approve {run}   or   fixloop deny {run} [REMARK]   To end it: fixloop stop {run}"
    return f"To answer: fixloop decide {run} A|B [REMARK]   To end it: fixloop stop {run}"


def refused(reason: str) -> str:
    """Return the line for a run that never started, for a reason that a person can mend."""
    return one_line(f"BLOCKED: {reason}", limit=1000)


def one_line(text: str, *, limit: int = SUMMARY_LIMIT) -> str:
    """Return the text with every run of white space and control characters as one space, cut to `limit`.

    `##[`, which a GitHub runner obeys anywhere in a line, is broken up.
    """
    clean = " ".join("".join(c if c.isprintable() else " " for c in text[: limit * 8]).split()).replace("##[", "## [")
    return clean if len(clean) <= limit else clean[: limit - 1] + "…"


def money(usd: float | None, *, unknown: bool = False) -> str:
    """Return dollars and cents; unknown is never 0."""
    if usd is None:
        return "unknown"
    return f"${usd:.2f}" + (" and unknown" if unknown else "")


def _cost(state: LoopState) -> str:
    return money(state.total_cost_usd, unknown=state.cost_unknown)


def _done(state: LoopState) -> str:
    commits = ",".join(fix.commit for fix in state.fix_commits) or "none"
    model = str(state.attempts[-1].model) if state.attempts else "N/A"
    return (
        f"DONE: All validation layers passed. Iterations: {state.iteration_count}. Commits: {commits}. "
        f"Model: {model}. Cost: {_cost(state)}."
    )


def _need_decision(state: LoopState, end: End) -> str:
    question = end.question
    layer = question.layer if question else "validation"
    summary = one_line(question.question if question else end.reason)
    return (
        f"NEED_DECISION: {layer} has errors that require architectural judgment. "
        f"Remaining errors: {_remaining(state)}. Error summary: {summary} "
        f"Option A: {one_line(question.option_a if question else '')} "
        f"Option B: {one_line(question.option_b if question else '')} "
        f"Fix-loop cost so far: {_cost(state)} ({state.iteration_count} iterations)."
    )


def _blocked(state: LoopState, end: End) -> str:
    breaker = end.breaker or Breaker.STOPPED
    layer = state.failure.layer if state.failure else "none"
    return (
        f"BLOCKED: Fix-loop exhausted after {state.iteration_count} iterations. Breaker: {breaker}. "
        f"Last failing layer: {layer}. Cost: {_cost(state)}. Last error output: {_last_output(state, end)} "
        f"Suggestion: {one_line(end.suggestion or SUGGESTIONS[breaker]).rstrip('.')}."
    )


def _remaining(state: LoopState) -> int:
    return state.failure.result.error_count if state.failure else 0


def _last_output(state: LoopState, end: End) -> str:
    """Return the reason where the output does not say it, else what the first diagnostics say."""
    if end.breaker not in (Breaker.SAME_ERROR_RECURRENCE, Breaker.NO_PROGRESS, Breaker.MAX_RETRIES, Breaker.BUDGET):
        return one_line(end.reason)
    if state.failure is None:
        return one_line(end.reason)
    result = state.failure.result
    messages = [f"{d.path or ''}:{d.line or ''}: {d.message}" for d in result.diagnostics[:3]]
    return one_line(" | ".join(messages) or result.output[-SUMMARY_LIMIT * 2 :] or end.reason)
