"""From attempts to the rows of a table."""

from fixloop_bot.core.render.words import count
from fixloop_bot.model.attempt import Attempt, Verdict
from fixloop_bot.model.report import AttemptRow
from fixloop_bot.model.state import LoopState


def attempt_rows(state: LoopState, *, running: bool) -> tuple[AttemptRow, ...]:
    """Return a row for each attempt, oldest first, the one that is not judged yet last."""
    rows = [_row(state, attempt, now="") for attempt in state.attempts]
    if state.pending and state.end is None:
        rows.append(_row(state, state.pending, now="under way" if running else "not finished"))
    return tuple(rows)


def _row(state: LoopState, attempt: Attempt, *, now: str) -> AttemptRow:
    """Return the row of a judged attempt, or of one about which `now` says all that is known."""
    judged = attempt.verdict is not None
    commit = _layer_commit(state, attempt) if judged else ""
    return AttemptRow(
        iteration=attempt.iteration,
        layer=str(attempt.layer),
        model=str(attempt.model),
        hypothesis=attempt.hypothesis or attempt.said,
        change=attempt.repair_action,
        before=_failing(str(attempt.layer), attempt.failing_before, attempt.errors_before) if judged else "",
        after=_after(attempt) if judged else now,
        verdict=str(attempt.verdict or ""),
        cost_usd=attempt.cost_usd,
        fate="" if commit or not judged else _fate(state, attempt),
        commit=commit,
        diff_stat=attempt.diff_stat,
    )


def _after(attempt: Attempt) -> str:
    if attempt.verdict is Verdict.CLEAN:
        return "clean"
    if attempt.verdict is Verdict.REFUSED:
        return f"refused: {attempt.guard[0].rule_id}" if attempt.guard else "refused"
    told = _failing(str(attempt.layer), attempt.failing_after, attempt.errors_after)
    return told.removeprefix(f"{attempt.layer}: ")


def _failing(layer: str, items: tuple[str, ...], errors: int) -> str:
    named = items[0].partition(":")[0] if items else layer
    return f"{named}: {count(errors, 'error')}"


def _layer_commit(state: LoopState, attempt: Attempt) -> str:
    """Return the layer's commit that holds this attempt's change: attempts are squashed into it when it comes clean."""
    if attempt.commit is None or attempt.salvage:
        return ""
    holds = (c for c in state.fix_commits if c.layer is attempt.layer and c.iteration >= attempt.iteration)
    return next((found.commit for found in holds), "")


def _fate(state: LoopState, attempt: Attempt) -> str:
    if attempt.salvage:
        return "undone"
    if attempt.commit is None:
        return "no change"
    if state.end is not None or attempt.iteration not in state.kept_iterations:
        return "undone"
    return "kept"
