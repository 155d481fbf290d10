"""The command line's grammar."""

import argparse
from collections.abc import Mapping, Sequence

from fixloop_bot import __version__
from fixloop_bot.entrypoints.answer_arguments import add_answer_commands
from fixloop_bot.entrypoints.dashboard_arguments import add_dashboard_command
from fixloop_bot.entrypoints.init_arguments import add_init_command
from fixloop_bot.entrypoints.record_arguments import add_record_commands
from fixloop_bot.entrypoints.serve_arguments import add_serve_commands
from fixloop_bot.entrypoints.setting_arguments import Commands, flag, setting
from fixloop_bot.entrypoints.settings import Source, sources, variable
from fixloop_bot.model.layer import Layer

LAYERS = [str(Layer.COMPILE), str(Layer.LINT), str(Layer.TEST)]

EXITS = """\
exit status: 0 DONE, 3 NEED_DECISION, 4 BLOCKED, 2 bad usage or configuration,
1 a fault of fixloop itself, 130 interrupted"""

RUN_ABOUT = """\
Take a git worktree whose checks fail, repair it within its bounds, and tell the truth about it:
one status line on standard output, progress on standard error."""

GITHUB_EPILOG = """\
environment:
  GITHUB_TOKEN, else GH_TOKEN: the token
  GITHUB_API_URL, GITHUB_SERVER_URL: where GitHub is (default: github.com)
  ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL: the model provider"""

ENVIRONMENT_ABOUT = "settings from the environment (flags go before them, .fixloop.yml and defaults after):"


def parse_arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Return the parsed command line; ends the process with status 2 and a usage message when it is wrong."""
    return _parser().parse_args(argv)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="fixloop",
        description="Repairs failing checks in a bounded, verified loop.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"fixloop {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _run(commands)
    add_answer_commands(commands)
    _validate(commands)
    _visual(commands)
    _diagnose(commands)
    add_record_commands(commands)
    add_dashboard_command(commands)
    _demo(commands)
    add_init_command(commands)
    _doctor(commands)
    _sweep(commands)
    add_serve_commands(commands)
    return parser


def _run(commands: Commands) -> None:
    known = sources()
    run = commands.add_parser(
        "run",
        help="repair a worktree",
        description=RUN_ABOUT,
        epilog="\n".join([ENVIRONMENT_ABOUT, *_environment(known), "", EXITS]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    run.add_argument("--worktree-path", required=True, metavar="PATH", help="top folder of the git worktree")
    setting(run, "max-retries", "attempts at most, clamped to 1..10", known, metavar="N")
    flag(run, "skip-visual", "leave the visual layer out", known)
    setting(run, "story-branch", "name of the branch, for the agent and the records", known, metavar="NAME")
    setting(run, "story-id", "name of the work item, for the agent and the records", known, metavar="ID")
    flag(run, "skip-compile", "start at lint; the final gate runs every layer all the same", known)
    run.add_argument(
        "--error-context",
        metavar="TEXT|@FILE|-",
        help="output of a failed run: the first attempt takes it as its diagnosis instead of a first validation",
    )
    setting(run, "max-cost-usd", "dollars that the run may cost at most", known, metavar="USD")
    setting(run, "timeout", "seconds that the whole run may take", known, metavar="SECONDS")
    setting(run, "state-dir", "where state and records live", known, metavar="DIR")
    flag(run, "allow-dirty", "set uncommitted changes aside and put them back at the end", known)
    run.add_argument("--json", action="store_true", help="print the whole result as JSON instead of the status line")


def _validate(commands: Commands) -> None:
    validate = commands.add_parser(
        "validate",
        help="run the validation pyramid and print one JSON object",
        epilog="exit status: 0 pass, 1 fail, 2 error or bad usage, 3 skip (nothing to validate)",
        allow_abbrev=False,
    )
    validate.add_argument("--project-root", required=True, metavar="PATH")
    which = validate.add_mutually_exclusive_group()
    which.add_argument(
        "--layer", choices=[*LAYERS, "visual", "all"], default=None, help="run this one layer (default: all)"
    )
    which.add_argument("--from", dest="from_layer", choices=LAYERS, default=None, help="run this layer and all above")
    validate.add_argument(
        "--explain",
        action="store_true",
        help="run nothing; print what would run where, in which order and why, and what would change it",
    )
    validate.add_argument("--json", action="store_true", help="print the explanation as JSON, too")
    flag(validate, "skip-visual", "leave the visual layer out of `all` and of `--from`", sources())
    validate.add_argument(
        "--update-baselines",
        action="store_true",
        help="with `--layer visual`: record the pictures that pages are compared with; look at them, and commit them",
    )


def _visual(commands: Commands) -> None:
    """Add what the plan's visual check runs: a command of its own, told to nobody, as any other check's program."""
    visual = commands.add_parser("visual", allow_abbrev=False, description="Compare pages with their baselines.")
    visual.add_argument("--report", default=None, metavar="FILE", help="write a report there, pictures beside it")
    visual.add_argument(
        "--threshold", type=float, default=0.1, metavar="T", help="how far apart colours may be, 0 to 1"
    )
    visual.add_argument("--mask", action="append", metavar="MASK", help="a CSS selector, or x,y,width,height")
    visual.add_argument("--record", action="store_true", help="record the baselines")
    visual.add_argument("pages", nargs="+", metavar="PAGE")


def _diagnose(commands: Commands) -> None:
    diagnose = commands.add_parser(
        "diagnose", help="say what fixloop makes of an output, read from standard input", allow_abbrev=False
    )
    diagnose.add_argument("--layer", required=True, choices=LAYERS)
    diagnose.add_argument("--project-root", default=".", metavar="P", help="where sources may be read")
    diagnose.add_argument("--command", dest="checked", default="", metavar="C", help="the command that printed it")
    diagnose.add_argument("--cwd", default=None, metavar="D", help="the directory that the output speaks of")
    diagnose.add_argument("--tmpdir", default="", metavar="T", help="the temporary directory that it speaks of")
    diagnose.add_argument("--exit-code", type=int, default=1, metavar="N", help="negative: ended by that signal")
    diagnose.add_argument(
        "--report",
        action="append",
        metavar="FILE",
        help="the tool's machine-readable report, or a folder of them; may be given several times",
    )


def _demo(commands: Commands) -> None:
    demo = commands.add_parser("demo", help="repair a small broken repository before your eyes", allow_abbrev=False)
    demo.add_argument("--keep", default=None, metavar="DIR", help="folder to make and keep the demo in")


def _doctor(commands: Commands) -> None:
    doctor = commands.add_parser(
        "doctor",
        help="check the installation, and say how to mend what is wrong",
        description="Checks machine, model and GitHub; changes nothing and makes no paid call.",
        epilog=f"{GITHUB_EPILOG}\n\nexit status: 0 nothing stops work, 1 something does, 2 bad usage",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    _repository(doctor)
    doctor.add_argument("--online", action="store_true", help="also ask the provider whether the key is good (free)")
    doctor.add_argument("--json", action="store_true", help="print the findings as JSON")


def _sweep(commands: Commands) -> None:
    known = sources()
    sweep = commands.add_parser(
        "sweep",
        help="repair the branches and pull requests of a repository on GitHub that fail",
        description="Chooses as .fixloop.yml of the default branch says, tells on the dashboard issue, and repairs "
        "several at once.",
        epilog=f"{GITHUB_EPILOG}\n\nexit status: 0 all were run, 1 a fault, 2 bad usage,\n130 interrupted",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    _repository(sweep)
    sweep.add_argument("--dry-run", action="store_true", help="only print what would be chosen; nothing is written")
    sweep.add_argument("--max-runs", type=_positive, default=None, metavar="N", help="runs at most")
    sweep.add_argument("--max-usd", type=_dollars, default=None, metavar="X", help="dollars of all runs together")
    at_once = "runs at the same time (default: two for each processor)"
    sweep.add_argument("--at-once", type=_positive, default=None, metavar="N", help=at_once)
    setting(sweep, "state-dir", "where state and records live", known, metavar="DIR")
    sweep.add_argument("--json", action="store_true", help="print one JSON object instead of lines")


def _repository(parser: argparse.ArgumentParser) -> None:
    about = "on GitHub (default: that of the remote `origin` of this folder)"
    parser.add_argument("--repository", default=None, metavar="OWNER/NAME", help=about)


def _positive(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 0 < int(text[:9]) <= 256:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to 256")
    return int(text)


def _dollars(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1e6:
        raise argparse.ArgumentTypeError(f"{text!r} is not an amount of dollars")
    return value


def _environment(known: Mapping[str, Source]) -> list[str]:
    only = ("sandbox", "model_provider", "model_ids", "model_prices", "anthropic_api_key", "anthropic_base_url")
    return [f"  {variable(name)}: {known[name].value} ({known[name].origin})" for name in only]
