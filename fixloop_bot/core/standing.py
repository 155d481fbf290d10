"""Where a run stands, in words: its status, what it waits for, and what to type next."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from fixloop_bot.core.as_typed import command_line
from fixloop_bot.core.metrics import is_false_completion, was_held
from fixloop_bot.core.status_line import SUGGESTIONS, money, one_line
from fixloop_bot.model.history import RunFacts
from fixloop_bot.model.outcome import QuestionKind, Status
from fixloop_bot.model.state import End, Phase

UNFINISHED, UNKNOWN, SUPERSEDED = "UNFINISHED", "UNKNOWN", "SUPERSEDED"
HELD, FALSE, _UNCHECKED, _NEVER = "holds", "does not hold", "could not be checked", "not checked again"
_CHECKED = {
    HELD: "Its DONE was checked again, and holds.",
    FALSE: "Its DONE was checked again, and does not hold: a false completion.",
    _UNCHECKED: "Its DONE could not be checked again.",
    _NEVER: "Its DONE was not checked again yet.",
}
QUESTION_LIMIT = 300
"""Characters of a question or a reason."""


def status_of(run: RunFacts) -> str:
    """Return DONE, NEED_DECISION, BLOCKED, UNFINISHED, SUPERSEDED, or UNKNOWN where the records do not tell."""
    if run.terminal:
        return str(run.terminal.status)
    if run.standing is None:
        return UNKNOWN
    if run.followed_by:
        return SUPERSEDED
    return str(run.standing.end.status) if run.standing.end else UNFINISHED


def end_of(run: RunFacts) -> str:
    """Return the terminal state, empty for a run that has not ended."""
    return str(run.terminal.state) if run.terminal else ""


def check_of(run: RunFacts) -> str:
    """Return what verifications found of a DONE; empty for any other run."""
    if not run.is_done:
        return ""
    if is_false_completion(run):
        return FALSE
    if was_held(run):
        return HELD
    return _UNCHECKED if run.verified else _NEVER


def iterations_of(run: RunFacts) -> int:
    """Return how many attempts were made."""
    return run.standing.iterations if run.standing else len(run.records)


def cost_of(run: RunFacts) -> float | None:
    """Return the run's dollars, None where a part of them is unknown."""
    if run.standing:
        return run.standing.cost_usd
    costs = [record.cost_usd for record in run.records]
    return None if None in costs else sum(cost for cost in costs if cost is not None)


def known_cost_of(run: RunFacts) -> float:
    """Return the dollars that the run is known to have cost: a lower bound where a part is unknown."""
    known = cost_of(run)
    if known is not None:
        return known
    return sum(record.cost_usd for record in run.records if record.cost_usd is not None)


def started_of(run: RunFacts) -> str:
    """Return when the run began (ISO 8601, UTC), empty where that is not known."""
    if run.standing is None or not 0 < run.standing.started_at < 1e11:
        return ""
    return datetime.fromtimestamp(run.standing.started_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def waits_for(run: RunFacts) -> str:
    """Return what the run waits for in a few words, empty for one that has ended."""
    end = _waiting_end(run)
    if run.origin and (end is None or run.followed_by):
        return ""
    if end is None:
        return "fixloop resume, if it is not running now" if status_of(run) == UNFINISHED else ""
    what = "an approval" if run.standing and run.standing.phase is Phase.APPROVAL_WAIT else "a decision"
    return one_line(f"{what}: {end.question.question if end.question else end.reason}", limit=QUESTION_LIMIT)


def next_steps(run: RunFacts, state: Sequence[str] = ()) -> tuple[str, ...]:
    """Return what a person can type or do next, a line each; `state` are the flags that name the state folder."""
    return tuple(_next_steps(run, state))


def typed(run: RunFacts, command: str, state: Sequence[str]) -> str:
    """Return a command on the run as it can be typed anywhere."""
    where = ("--worktree-path", run.repository) if run.repository else ()
    return command_line(("fixloop", command, run.run_id, *state, *where))


def told(run: RunFacts) -> tuple[str, ...]:
    """Return where the run stands, a sentence a line."""
    return tuple(_told(run))


def proposed(run: RunFacts) -> str:
    """Return the frozen diff about which a waiting run asks, empty where it asks about none."""
    end = _waiting_end(run)
    return end.question.patch if end and end.question else ""


def run_json(run: RunFacts) -> dict[str, Any]:
    """Return the run in fields; what is not known is null."""
    return {
        "run_id": run.run_id,
        "repository": run.repository or None,
        "branch": run.branch or None,
        "story_id": run.story_id or None,
        "status": status_of(run),
        "terminal_state": end_of(run) or None,
        "iterations": iterations_of(run),
        "cost_usd": cost_of(run),
        "started_at": started_of(run) or None,
        "ended_at": run.terminal.terminated_at if run.terminal else None,
        "waits_for": waits_for(run) or None,
        "verification": check_of(run) or None,
    }


def status_json(run: RunFacts, state: Sequence[str] = ()) -> dict[str, Any]:
    """Return the run in fields, with the words of `fixloop status`; `state` as in `next_steps`."""
    standing = run.standing
    end = standing.end if standing else None
    question = end.question if end else None
    return {
        **run_json(run),
        "phase": str(standing.phase) if standing else None,
        "layer": standing.layer or None if standing else None,
        "max_retries": standing.max_retries if standing else None,
        "breaker": str(end.breaker) if end and end.breaker else None,
        "reason": run.terminal.reason if run.terminal else end.reason if end else None,
        "option_a": question.option_a if question else None,
        "option_b": question.option_b if question else None,
        "proposed_diff": proposed(run) or None,
        "told": list(told(run)),
        "next": list(next_steps(run, state)),
    }


def _told(run: RunFacts) -> Iterator[str]:
    of = f" on {run.branch}" if run.branch else ""
    started = f", started {started_of(run)}" if started_of(run) else ""
    yield f"Run {run.run_id}{of}{started}: {' '.join(filter(None, (status_of(run), _parenthesised(end_of(run)))))}."
    if run.standing:
        known = cost_of(run)
        spent = money(known) if known is not None else f"at least {money(known_cost_of(run))}, a part is not known"
        yield f"Attempts: {iterations_of(run)} of {run.standing.max_retries}. Cost: {spent}."
    if run.terminal:
        yield f"Reason: {_sentence(run.terminal.reason)}"
    elif run.standing and run.standing.layer:
        yield f"Fails now: {run.standing.layer}."
    if check_of(run):
        yield _CHECKED[check_of(run)]
    if run.followed_by:
        yield f"Run {run.followed_by} took its place."
    if waits_for(run):
        yield f"It waits for {_sentence(waits_for(run))}"


def _next_steps(run: RunFacts, state: Sequence[str]) -> Iterator[str]:
    again = command_line(("fixloop", "run", *state, "--worktree-path", run.repository or "PATH"))
    end = run.standing.end if run.standing else None
    match status_of(run):
        case Status.DONE:
            yield f"{typed(run, 'verify', state)}   (proves the DONE again, without a model)"
        case Status.NEED_DECISION:
            yield from _answers(run, state)
        case Status.BLOCKED:
            yield _suggestion(end)
            yield f"then: {again}"
        case _ if status_of(run) == UNFINISHED:
            yield f"{typed(run, 'resume', state)}   (goes on where it was, and pays for no answer twice)"
        case _:
            yield "its state.json cannot be read; see the malformed records in: fixloop report"


def _answers(run: RunFacts, state: Sequence[str]) -> Iterator[str]:
    """Yield the answers that a waiting run takes, and what each is for."""
    end = _waiting_end(run)
    question = end.question if end else None
    if question and question.kind is QuestionKind.APPROVAL:
        yield f"{typed(run, 'approve', state)}   (does exactly the diff that is shown)"
        yield f"{typed(run, 'deny', state)}   (refuses it)"
        return
    for choice, option in (("A", question.option_a), ("B", question.option_b)) if question else ():
        shown = one_line(option, limit=QUESTION_LIMIT)
        yield f"{typed(run, 'decide', (choice, *state))}   ({shown})"


def _suggestion(end: End | None) -> str:
    if end is None:
        return "read the reason"
    breaker = SUGGESTIONS[end.breaker] if end.breaker else "read the reason"
    return one_line(end.suggestion or breaker, limit=QUESTION_LIMIT).rstrip(".")


def _waiting_end(run: RunFacts) -> End | None:
    """Return the end of a run that stands still without having ended."""
    return run.standing.end if run.standing and not run.terminal else None


def _sentence(text: str) -> str:
    said = one_line(text, limit=QUESTION_LIMIT).rstrip(".")
    return said if said.endswith(("?", "!")) else f"{said}."


def _parenthesised(text: str) -> str:
    return f"({text})" if text else ""
