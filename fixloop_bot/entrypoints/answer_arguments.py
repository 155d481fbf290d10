"""The command line's grammar of answering, going on and stopping."""

import argparse

from fixloop_bot.entrypoints.setting_arguments import Commands, flag, setting
from fixloop_bot.entrypoints.settings import sources

DECIDE_ABOUT = """\
Answers the question of a run that ended as NEED_DECISION, and goes on with it. Option A with a diff does exactly that
diff; every other answer is told to the agent. Works in another clone, too, that has the run's state folder."""

STOP_ABOUT = """\
Asks a running process to stop in good order, as Ctrl-C does; ends a run that waits or was interrupted for good."""


def add_answer_commands(commands: Commands) -> None:
    """Add `decide`, `approve`, `deny`, `resume` and `stop`."""
    decide = commands.add_parser(
        "decide", help="answer a run's question, and go on", description=DECIDE_ABOUT, allow_abbrev=False
    )
    decide.add_argument("run", metavar="RUN", help="id of the run")
    decide.add_argument("choice", metavar="A|B", type=_option, help="the option")
    decide.add_argument("text", nargs="*", metavar="TEXT", help="a remark for the agent")
    _goes_on(decide)
    approve = commands.add_parser("approve", help="let a run do exactly the diff that it shows", allow_abbrev=False)
    approve.add_argument("run", metavar="RUN", help="id of the run")
    _goes_on(approve)
    deny = commands.add_parser("deny", help="refuse the diff that a run shows", allow_abbrev=False)
    deny.add_argument("run", metavar="RUN", help="id of the run")
    deny.add_argument("text", nargs="*", metavar="TEXT", help="a remark for the agent")
    _goes_on(deny)
    resume = commands.add_parser("resume", help="go on with a run that was interrupted", allow_abbrev=False)
    resume.add_argument("run", metavar="RUN", help="id of the run")
    _goes_on(resume)
    stop = commands.add_parser("stop", help="stop a run", description=STOP_ABOUT, allow_abbrev=False)
    stop.add_argument("run", nargs="?", default="", metavar="RUN", help="id of the run (default: this worktree's)")
    _place(stop)
    _as_json(stop)


def _goes_on(parser: argparse.ArgumentParser) -> None:
    known = sources()
    _place(parser)
    setting(parser, "max-retries", "attempts at most in the whole run, clamped to 1..10", known, metavar="N")
    setting(parser, "max-cost-usd", "dollars that the whole run may cost at most", known, metavar="USD")
    setting(parser, "timeout", "seconds that it may take from now on", known, metavar="SECONDS")
    flag(parser, "allow-dirty", "set uncommitted changes aside and put them back at the end", known)
    _as_json(parser)


def _as_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the whole result as JSON instead of the status line")


def _place(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--worktree-path", default=".", metavar="PATH", help="top folder of the git worktree (default: this folder)"
    )
    setting(parser, "state-dir", "where state and records live", sources(), metavar="DIR")


def _option(text: str) -> str:
    if text.upper() not in ("A", "B"):
        raise argparse.ArgumentTypeError(f"{text!r} is neither A nor B")
    return text.upper()
