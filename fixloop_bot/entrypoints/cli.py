"""The `fixloop` command."""

import argparse
import gc
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module

from fixloop_bot.core.redact import redactor
from fixloop_bot.entrypoints.arguments import parse_arguments
from fixloop_bot.entrypoints.boundary import Answer, guarded
from fixloop_bot.entrypoints.settings import environment, known_secrets


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code; wrong usage ends the process with 2."""
    arguments = parse_arguments(argv)
    answer = Answer.NONE
    if arguments.command in ("run", "decide", "approve", "deny", "resume", "stop"):
        answer = Answer.JSON if arguments.json else Answer.LINE
    redact = redactor(known_secrets(environment()))
    return guarded(lambda: _dispatch(arguments), answer=answer, redact=redact)


COMMANDS: Mapping[str, str] = {
    "run": "run:run_command",
    "decide": "answer:answer_command",
    "approve": "answer:answer_command",
    "deny": "answer:answer_command",
    "resume": "answer:answer_command",
    "stop": "stop:stop_command",
    "validate": "validate:validate_command",
    "visual": "visual:visual_command",
    "diagnose": "diagnose:diagnose_command",
    "verify": "verify:verify_command",
    "replay": "replay:replay_command",
    "runs": "runs:runs_command",
    "status": "status:status_command",
    "report": "report:report_command",
    "dashboard": "dashboard:dashboard_command",
    "init": "init:init_command",
    "doctor": "doctor:doctor_command",
    "sweep": "sweep:sweep_command",
    "serve": "serve:serve_command",
    "worker": "serve:worker_command",
    "demo": "demo:demo_command",
}
"""Command → module beside this one, and the function in it."""


def _dispatch(arguments: argparse.Namespace) -> int:
    """Each command is imported only when it is asked for: `validate` needs nothing of the agent's."""
    module, _, name = COMMANDS[arguments.command].partition(":")
    command: Callable[[argparse.Namespace], int] = getattr(import_module(f"fixloop_bot.entrypoints.{module}"), name)
    gc.freeze()  # what is loaded stays
    gc.enable()
    return command(arguments)


if __name__ == "__main__":
    sys.exit(main())
