"""The grammar of the commands that read what runs have left."""

import argparse

from fixloop_bot.entrypoints.setting_arguments import Commands

VERIFY_ABOUT = """\
Makes a private checkout of the recorded commit, runs the setup and the checks that the commit itself declares, and
compares them with the record, whose commands are never run. Your worktree and branch are not touched."""

REPLAY_ABOUT = """\
Checks that a run's records agree with each other (state, repair records, receipts, run log, database, salvage,
commits), and, where the run is DONE, proves its termination gate again as `fixloop verify` does. No model is asked."""
RUN_ID = "id of a run in the state folder"
VERDICT_EXITS = "exit status: 0 holds, 1 does not hold, 2 cannot be checked or bad usage"


def add_record_commands(commands: Commands) -> None:
    """Add them."""
    _runs(commands)
    _status(commands)
    _report(commands)
    _verify(commands)
    _replay(commands)


def _runs(commands: Commands) -> None:
    runs = commands.add_parser("runs", help="list the runs in the state folder, newest first", allow_abbrev=False)
    _place(runs)
    runs.add_argument("--json", action="store_true", help="print a JSON list")


def _status(commands: Commands) -> None:
    status = commands.add_parser(
        "status", help="say where a run stands, what it waits for and what to type next", allow_abbrev=False
    )
    status.add_argument("run", nargs="?", metavar="RUN", help=f"{RUN_ID} (default: the newest of this worktree)")
    _place(status)
    status.add_argument("--json", action="store_true", help="print one JSON object")


def _report(commands: Commands) -> None:
    report = commands.add_parser(
        "report",
        help="report how well fixloop does, or what one run did",
        description="From the records alone; malformed ones are named and count for nothing.",
        allow_abbrev=False,
    )
    report.add_argument("run", nargs="?", metavar="RUN", help=f"{RUN_ID} (default: all runs together)")
    _place(report)
    form = report.add_mutually_exclusive_group()
    form.add_argument("--html", default=None, metavar="FILE", help="write one page that needs nothing else")
    form.add_argument("--json", action="store_true", help="print one JSON object")


def _verify(commands: Commands) -> None:
    verify = commands.add_parser(
        "verify",
        help="say whether a recorded DONE still holds",
        description=VERIFY_ABOUT,
        epilog=VERDICT_EXITS,
        allow_abbrev=False,
    )
    verify.add_argument("record", metavar="RECORD", help="a terminal.json, a repair record, or the id of a run")
    _place(verify)
    verify.add_argument("--json", action="store_true", help="print all that was compared as JSON")


def _replay(commands: Commands) -> None:
    replay = commands.add_parser(
        "replay",
        help="check a whole run again by its records",
        description=REPLAY_ABOUT,
        epilog=VERDICT_EXITS,
        allow_abbrev=False,
    )
    replay.add_argument("run", metavar="RUN", help=RUN_ID)
    _place(replay)
    replay.add_argument("--json", action="store_true", help="print all that was found as JSON")


def _place(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--worktree-path", default=".", metavar="PATH", help="the repository (default: this folder)")
    parser.add_argument("--state-dir", default=None, metavar="DIR", help="where the runs' records lie")
