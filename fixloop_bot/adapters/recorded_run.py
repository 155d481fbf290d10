"""Everything that a state folder holds of one run, read as data of unknown origin."""

from pathlib import Path

from fixloop_bot.adapters.codec import CodecError, load_state
from fixloop_bot.adapters.history import read_history
from fixloop_bot.adapters.journal import to_receipt
from fixloop_bot.adapters.json_lines import read_json_lines
from fixloop_bot.adapters.standing import STATE_LIMIT
from fixloop_bot.adapters.state_folder import StateFolder
from fixloop_bot.adapters.store_reader import StoreUnreadableError, read_rows
from fixloop_bot.model.agent import Receipt
from fixloop_bot.model.history import History, Malformed
from fixloop_bot.model.replay import Recorded, Row
from fixloop_bot.model.state import LoopState


def read_recorded(folder: StateFolder, run_id: str) -> Recorded | None:
    """Return the run's records, None where the folder knows no such run."""
    history = read_history(folder)
    run = next((run for run in history.runs if run.run_id == run_id), None)
    if run is None:
        return None
    receipts, bad_receipts = _receipts(folder.receipts(run_id), run_id)
    rows, bad_rows = _rows(folder, run_id)
    return Recorded(
        run_id=run_id,
        state=_state(folder.state(run_id)),
        terminal=run.terminal,
        records=run.records,
        receipts=receipts,
        runlog=_log(folder.runlog, run_id),
        rows=rows,
        malformed=(*_own(history, run_id), *bad_receipts, *bad_rows),
    )


def _own(history: History, run_id: str) -> tuple[Malformed, ...]:
    mine = (f"runs/{run_id}/", f"repair/{run_id}-")
    return tuple(one for one in history.malformed if one.path.startswith(mine))


def _state(path: Path) -> LoopState | None:
    try:
        with path.open("rb") as file:
            return load_state(file.read(STATE_LIMIT))
    except (OSError, CodecError):
        return None


def _receipts(path: Path, run_id: str) -> tuple[tuple[Receipt, ...], tuple[Malformed, ...]]:
    """Return the receipts; a line that a crash cut off is passed over, as the run itself does."""
    found: list[Receipt] = []
    malformed: list[Malformed] = []
    name = f"receipts/{path.name}"
    for line in read_json_lines(path):
        try:
            receipt = to_receipt(line)
        except (KeyError, TypeError):
            malformed.append(Malformed(name, "a line is no receipt"))
            continue
        if receipt.run_id == run_id:
            found.append(receipt)
        else:
            malformed.append(Malformed(name, f"a line is of the run {receipt.run_id}"))
    return tuple(found), tuple(malformed)


def _rows(folder: StateFolder, run_id: str) -> tuple[dict[str, tuple[Row, ...]], tuple[Malformed, ...]]:
    try:
        return dict(read_rows(folder.database, run_id)), ()
    except StoreUnreadableError as error:
        return {}, (Malformed(folder.database.name, str(error)),)


def _log(path: Path, run_id: str) -> tuple[str, ...]:
    mark = f"`{run_id}-".encode()
    try:
        with path.open("rb") as file:
            return tuple(line.decode("utf-8", "replace") for line in file if mark in line)
    except OSError:
        return ()
