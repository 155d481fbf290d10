"""`fixloop runs`: the runs in the state folder, newest first."""

import argparse
import sys

from fixloop_bot.adapters.block_writer import write_blocks
from fixloop_bot.core.defuse import json_text
from fixloop_bot.core.redact import redact_json
from fixloop_bot.core.render.history_tables import runs_table
from fixloop_bot.core.render.history_text import Lines
from fixloop_bot.core.render.words import count
from fixloop_bot.core.standing import run_json
from fixloop_bot.entrypoints.exit_code import ExitCode
from fixloop_bot.entrypoints.records_place import find_records


def runs_command(arguments: argparse.Namespace) -> int:
    """List the runs; a folder that is not there has none. Raises SettingsError where no folder is named or known."""
    place = find_records(arguments)
    history = place.history()
    if arguments.json:
        sys.stdout.write(json_text(redact_json([run_json(run) for run in history.runs], place.redact)) + "\n")
        return ExitCode.DONE
    none = Lines((f"No runs in {place.folder.root}.",))
    bad = len(history.malformed)
    told = Lines((f"Not counted: {count(bad, 'malformed record')}, named by: fixloop report",))
    blocks = [runs_table(history.runs) if history.runs else none, *([told] if bad else [])]
    write_blocks(sys.stdout, blocks, place.redact)
    return ExitCode.DONE
