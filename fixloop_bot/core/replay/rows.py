"""The database: each row says what the records say."""

from collections.abc import Iterator, Mapping

from fixloop_bot.core.replay.difference import shown
from fixloop_bot.core.replay.money import Calls, calls_of, same_cost
from fixloop_bot.model.agent import Usage
from fixloop_bot.model.outcome import Terminal
from fixloop_bot.model.record import RepairRecord
from fixloop_bot.model.replay import Recorded, Row
from fixloop_bot.model.state import LoopState

_PLACE = "run-state.db"


def row_disagreements(run: Recorded) -> Iterator[str]:
    """Yield rows that lack, that nothing speaks of, or that say something else."""
    calls, runs = calls_of(run.receipts), run.rows.get("runs", ())
    for table, expected in (("fix_iterations", _iteration), ("attempts", _attempt)):
        found = {row.get("iteration"): row for row in run.rows.get(table, ())}
        for record in run.records:
            row = found.pop(record.attempt, None)
            name = f"{_PLACE}: {table} of attempt {record.attempt}"
            yield from [f"{name} is missing"] if row is None else _differs(name, row, expected(record, calls))
        yield from (f"{_PLACE}: {table} has an attempt {shown(number)} without a record" for number in found)
    if not runs:
        yield f"{_PLACE} does not know the run"
    elif run.state:
        yield from _differs(f"{_PLACE}: runs", runs[0], _run(run.state, run.terminal))


def _iteration(record: RepairRecord, calls: Calls) -> Row:
    usage = sum((receipt.usage for receipt in calls.get(record.attempt, {}).values()), start=Usage())
    return {
        "story_id": record.story_id,
        "model": record.model,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cache_tokens": usage.cache_read_tokens + usage.cache_write_tokens,
        "cost_usd": record.cost_usd,
        "error_hash": record.error_hash,
        "failing_layer": record.layer,
        "created_at": record.created_at,
    }


def _attempt(record: RepairRecord, _calls: Calls) -> Row:
    return {
        "layer": record.layer,
        "failure_mode": record.failure_mode,
        "hypothesis": record.hypothesis,
        "score_before": record.verification_before.score,
        "score_after": record.verification_after.score,
        "productive": int(record.productive),
        "verdict": record.verdict,
        "commit_id": record.commit,
        "created_at": record.created_at,
    }


def _run(state: LoopState, terminal: Terminal | None) -> Row:
    told: dict[str, object] = {
        "branch": state.branch,
        "story_id": state.story_id,
        "start_commit": state.start_commit,
        "terminal_state": terminal and str(terminal.state),
        "ended_at": terminal and terminal.terminated_at,
    }
    if state.end or terminal is None:
        told |= {"head": state.head, "iterations": state.iteration_count}
        told |= {"cost_usd": None if state.cost_unknown else state.total_cost_usd}
    return told | ({"status": str(terminal.status)} if terminal else {})


def _differs(name: str, row: Row, expected: Mapping[str, object]) -> Iterator[str]:
    for column, value in expected.items():
        found = row.get(column)
        if not (_same_cost(found, value) if column == "cost_usd" else found == _storable(value)):
            yield f"{name}: {column} is {shown(found)}, by the records {shown(value)}"


def _same_cost(found: object, value: object) -> bool:
    known = [one if isinstance(one, int | float) else None for one in (found, value)]
    return same_cost(*known)


def _storable(value: object) -> object:
    """Return a text as the database takes it, which has no bytes that are not UTF-8."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value
