"""RUNLOG.md: one line for each attempt, with what cannot change about it later."""

from collections.abc import Iterator

from fixloop_bot.core.logs import stop_line, stop_mark
from fixloop_bot.core.status_line import money
from fixloop_bot.model.record import RepairRecord
from fixloop_bot.model.replay import Recorded


def log_disagreements(run: Recorded) -> Iterator[str]:
    """Yield attempts without a line, or with a line that names another layer, mode, model or cost."""
    for record in run.records:
        mark = f"`{record.iteration_id}`"
        lines = [line for line in run.runlog if mark in line]
        if len(lines) != 1:
            yield f"RUNLOG.md has {len(lines) or 'no'} lines of attempt {record.attempt}"
        elif not all(f" {part} " in lines[0] for part in _parts(record, mark)):
            yield f"RUNLOG.md tells attempt {record.attempt} otherwise than its record"

    yield from _end(run)


def _end(run: Recorded) -> Iterator[str]:
    """Yield that the last line of a run that gave up tells it otherwise; a process killed before it left none."""
    lines = [line for line in run.runlog if stop_mark(run.run_id) in line]
    if run.state is None or run.terminal is None or not lines:
        return
    expected = " ".join(stop_line(run.state, run.terminal).split())  # as the log keeps every line
    if len(lines) > 1 or expected not in lines[0]:
        yield "RUNLOG.md tells the run's end otherwise than its records"


def _parts(record: RepairRecord, mark: str) -> tuple[str, str]:
    cost = "cost unknown" if record.cost_usd is None else money(record.cost_usd)
    return f"{mark} {record.layer} {record.failure_mode} {record.model}", cost
