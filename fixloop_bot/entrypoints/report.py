"""`fixloop report`: how well fixloop does, or what one run did, in the terminal, as JSON, or as one page."""

import argparse
import sys
from pathlib import Path

from fixloop_bot.adapters.block_writer import write_blocks
from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.adapters.codec import to_json_value
from fixloop_bot.adapters.files import write_durably
from fixloop_bot.core.defuse import defused, json_text
from fixloop_bot.core.metrics import measure, metrics_json
from fixloop_bot.core.redact import redact_json
from fixloop_bot.core.render.history_text import history_blocks, run_blocks
from fixloop_bot.core.render.page import history_page, run_page
from fixloop_bot.core.standing import run_json, status_json
from fixloop_bot.entrypoints.exit_code import ExitCode
from fixloop_bot.entrypoints.records_place import RecordsPlace, find_records
from fixloop_bot.entrypoints.settings import SettingsError
from fixloop_bot.model.history import History, Malformed, RunFacts


def report_command(arguments: argparse.Namespace) -> int:
    """Report all runs or one. Raises SettingsError for a run or a folder that there is not."""
    if arguments.html == "":
        raise SettingsError("--html: the path is empty")
    place = find_records(arguments)
    history = place.history()
    run = place.chosen(history, arguments.run) if arguments.run else None
    if arguments.html is not None:
        _write_page(Path(arguments.html), place, history, run)
    elif arguments.json:
        value = (
            _run_json(run, place) if run else {**metrics_json(measure(history)), "runs": [*map(run_json, history.runs)]}
        )
        sys.stdout.write(json_text(redact_json(value, place.redact)) + "\n")
    else:
        blocks = run_blocks(run, _of_run(history, run), place.flags) if run else history_blocks(history)
        write_blocks(sys.stdout, blocks, place.redact)
    return ExitCode.DONE


def _write_page(path: Path, place: RecordsPlace, history: History, run: RunFacts | None) -> None:
    at = SystemClock().iso()
    page = run_page(run, _of_run(history, run), at=at, state=place.flags) if run else history_page(history, at=at)
    write_durably(path.absolute(), place.redact(page).encode("utf-8", "replace"))
    sys.stdout.write(defused(f"wrote {path}") + "\n")


def _run_json(run: RunFacts, place: RecordsPlace) -> dict[str, object]:
    told = status_json(run, place.flags)
    return {**told, "attempts": to_json_value(run.records), "verifications": to_json_value(run.verified)}


def _history_json(history: History) -> dict[str, object]:
    return {**metrics_json(measure(history)), "runs": [run_json(run) for run in history.runs]}


def _of_run(history: History, run: RunFacts) -> tuple[Malformed, ...]:
    """Return the malformed records that are this run's by their place."""
    mine = (f"runs/{run.run_id}/", f"repair/{run.run_id}-")
    return tuple(one for one in history.malformed if one.path.startswith(mine))
