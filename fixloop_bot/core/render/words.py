"""The plain words of a report."""

import re

from fixloop_bot.core.render.escape import PROSE_LIMIT, prose
from fixloop_bot.core.status_line import money
from fixloop_bot.model.outcome import Breaker
from fixloop_bot.model.report import Report
from fixloop_bot.model.state import LoopState, Phase

_FOREIGN_TO_NAMES = re.compile(r"[^A-Za-z0-9_-]")

WHY: dict[Breaker, str] = {
    Breaker.SAFETY: "the change crosses a boundary that fixloop never crosses",
    Breaker.BUDGET: "the budget is used up",
    Breaker.SAME_ERROR_RECURRENCE: "the same failure came back too often",
    Breaker.NO_PROGRESS: "the attempts no longer changed anything for the better",
    Breaker.MAX_RETRIES: "all attempts are used",
    Breaker.ENVIRONMENT: "the environment lacks something, the code is not at fault",
    Breaker.PROVIDER: "the model provider did not answer",
    Breaker.AGENT: "the agent says that it cannot repair this",
    Breaker.NOTHING_VERIFIED: "nothing could be verified",
    Breaker.FLAKY: "a check passes and fails on the same code, so that its green proves nothing",
    Breaker.DECISION: "a question was not answered",
    Breaker.STOPPED: "the run was stopped",
}


def count(number: int, noun: str) -> str:
    """Return `1 error`, `2 errors`, `1,200 errors`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def cost(report: Report) -> str:
    """Return the run's cost so far; what is unknown in it is told."""
    return at_least(report.cost_usd, unknown=report.cost_unknown)


def at_least(usd: float, *, unknown: bool) -> str:
    """Return a sum in dollars, of which a part may be unknown."""
    return f"at least {money(usd)}" if unknown else money(usd)


def name(text: str) -> str:
    """Return a word of fixloop's own vocabulary (a layer, a verdict); of any other text only what could be one."""
    return _FOREIGN_TO_NAMES.sub("", text[:40])


def sentence(text: str, limit: int = PROSE_LIMIT) -> str:
    """Return foreign prose with one full stop at its end."""
    return prose(text, limit).rstrip(".") + "."


def activity(state: LoopState) -> str:
    """Return what a run does now, in a sentence."""
    pending = state.pending
    match state.phase:
        case Phase.DETECT:
            return "Running the checks."
        case Phase.FIX if pending:
            return f"Attempt {pending.iteration}: {pending.model} looks for the cause of the {pending.layer} failure."
        case Phase.VERIFY if pending:
            return f"Attempt {pending.iteration}: running all checks again from the lowest layer."
        case Phase.GATE:
            return "Everything passes; running all layers once more on the committed tree alone."
        case _:
            return "Deciding what comes next."
