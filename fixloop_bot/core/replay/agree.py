"""Whether all that was written down of a run agrees; whatever does not is named, a clause each."""

from collections.abc import Iterator

from fixloop_bot.core.ending import to_terminal
from fixloop_bot.core.record import iteration_id, to_record
from fixloop_bot.core.replay.difference import different
from fixloop_bot.core.replay.hashes import hash_disagreements
from fixloop_bot.core.replay.log import log_disagreements
from fixloop_bot.core.replay.money import money_disagreements
from fixloop_bot.core.replay.rows import row_disagreements
from fixloop_bot.core.replay.scores import score_disagreements
from fixloop_bot.model.outcome import Terminal
from fixloop_bot.model.record import RepairRecord
from fixloop_bot.model.replay import Recorded
from fixloop_bot.model.state import LoopState

STATE = "state.json"


def disagreements(run: Recorded) -> tuple[str, ...]:
    """Return everything in which the records contradict each other or lack what another one speaks of."""
    return tuple(_disagreements(run))


def _disagreements(run: Recorded) -> Iterator[str]:
    yield from (f"{one.path}: {one.problem}" for one in run.malformed)
    yield from _numbers(run)
    if run.state is None:
        place = f"runs/{run.run_id}/{STATE}"
        yield from [] if any(one.path == place for one in run.malformed) else [f"{place} is not there"]
    else:
        yield from _attempts(run.state, run.records)
        yield from _end(run.state, run.terminal, run.run_id)
        yield from score_disagreements(run.state, run.records)
        yield from hash_disagreements(run.state, run.records)
    yield from money_disagreements(run)
    yield from row_disagreements(run)
    yield from log_disagreements(run)


def _numbers(run: Recorded) -> Iterator[str]:
    """Yield the repair records that are not there: attempts are numbered from 1 without a gap."""
    known = {record.attempt for record in run.records}
    told = {attempt.iteration for attempt in run.state.attempts} if run.state else set()
    last = max(known | told, default=0)
    for number in sorted(set(range(1, last + 1)) - known):
        yield f"repair/{iteration_id(run.run_id, number)}.json is not there or not sound"


def _attempts(state: LoopState, records: tuple[RepairRecord, ...]) -> Iterator[str]:
    """Yield where a repair record is not what the state makes of its attempt."""
    by_number = {attempt.iteration: attempt for attempt in state.attempts}
    if not 0 <= state.iteration_count - len(by_number) <= 1:
        yield f"{STATE} counts {state.iteration_count} attempts and holds {len(by_number)}"
    for record in records:
        place = f"repair/{record.iteration_id}.json"
        attempt = by_number.get(record.attempt)
        if attempt is None:
            yield f"{place} is of an attempt that {STATE} does not know"
            continue
        expected = to_record(state, attempt, created_at=record.created_at)
        yield from different(record, expected, place=place, other=STATE)


def _end(state: LoopState, terminal: Terminal | None, run_id: str) -> Iterator[str]:
    """Yield where the end is told otherwise; a run killed in between may have its end in one of both alone."""
    place = f"runs/{run_id}/terminal.json"
    if terminal is None:
        if state.end and state.end.terminal:
            yield f"{place} is not there or not sound, but {STATE} tells of an end as {state.end.terminal}"
    elif state.end and state.end.terminal:
        expected = to_terminal(state, terminated_at=terminal.terminated_at)
        yield from different(terminal, expected, place=place, other=STATE)
    elif state.end:
        yield f"{place} tells of an end, but {STATE} waits for a person"
