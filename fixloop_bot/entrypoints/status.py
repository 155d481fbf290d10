"""`fixloop status`: where one run stands, what it waits for, and what to type next."""

import argparse
import sys

import psutil

from fixloop_bot.adapters.block_writer import write_blocks
from fixloop_bot.adapters.lock import read_holder
from fixloop_bot.core.defuse import json_text
from fixloop_bot.core.redact import redact_json
from fixloop_bot.core.render.history_text import Lines, status_blocks
from fixloop_bot.core.standing import UNFINISHED, status_json, status_of
from fixloop_bot.entrypoints.exit_code import ExitCode
from fixloop_bot.entrypoints.records_place import RecordsPlace, find_records
from fixloop_bot.model.history import RunFacts


def status_command(arguments: argparse.Namespace) -> int:
    """Tell where the run stands. Raises SettingsError for a run or a folder that there is not."""
    place = find_records(arguments)
    run = place.chosen(place.history(), arguments.run)
    process = _process_of(place, run)
    if arguments.json:
        value = {**status_json(run, place.flags), "process": process}
        sys.stdout.write(json_text(redact_json(value, place.redact)) + "\n")
        return ExitCode.DONE
    running = [Lines((f"It is running now, process {process}.",))] if process else []
    write_blocks(sys.stdout, [*running, *status_blocks(run, place.flags)], place.redact)
    return ExitCode.DONE


def _process_of(place: RecordsPlace, run: RunFacts) -> int | None:
    """Return the process that works on the run in this worktree; the lock is only looked at, never taken."""
    if place.repository is None or status_of(run) != UNFINISHED:
        return None
    holder = read_holder(place.repository.git_dir)
    if holder is None or holder.run_id != run.run_id or holder.pid is None:
        return None
    return holder.pid if psutil.pid_exists(holder.pid) else None
