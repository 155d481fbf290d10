"""The `fixloop` command."""

import argparse
import sys
from collections.abc import Sequence

from fixloop_bot.core.redact import redactor
from fixloop_bot.entrypoints.arguments import parse_arguments
from fixloop_bot.entrypoints.boundary import Answer, guarded
from fixloop_bot.entrypoints.settings import environment, known_secrets


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code; wrong usage ends the process with 2."""
    arguments = parse_arguments(argv)
    answer = Answer.NONE
    if arguments.command == "run":
        answer = Answer.JSON if arguments.json else Answer.LINE
    redact = redactor(known_secrets(environment()))
    return guarded(lambda: _dispatch(arguments), answer=answer, redact=redact)


def _dispatch(arguments: argparse.Namespace) -> int:
    """Each command is imported only when it is asked for: `validate` needs nothing of the agent's."""
    match arguments.command:
        case "run":
            from fixloop_bot.entrypoints.run import run_command  # noqa: PLC0415

            return run_command(arguments)
        case "validate":
            from fixloop_bot.entrypoints.validate import validate_command  # noqa: PLC0415

            return validate_command(arguments)
        case "diagnose":
            from fixloop_bot.entrypoints.diagnose import diagnose_command  # noqa: PLC0415

            return diagnose_command(arguments)
        case "verify" | "replay" | "runs" | "status" | "report":
            return _dispatch_record(arguments)
        case "init":
            from fixloop_bot.entrypoints.init import init_command  # noqa: PLC0415

            return init_command(arguments)
        case "doctor":
            from fixloop_bot.entrypoints.doctor import doctor_command  # noqa: PLC0415

            return doctor_command(arguments)
        case "sweep":
            from fixloop_bot.entrypoints.sweep import sweep_command  # noqa: PLC0415

            return sweep_command(arguments)
        case _:
            from fixloop_bot.entrypoints.demo import demo_command  # noqa: PLC0415

            return demo_command(arguments)


def _dispatch_record(arguments: argparse.Namespace) -> int:
    """The commands that read what runs have left."""
    match arguments.command:
        case "verify":
            from fixloop_bot.entrypoints.verify import verify_command  # noqa: PLC0415

            return verify_command(arguments)
        case "replay":
            from fixloop_bot.entrypoints.replay import replay_command  # noqa: PLC0415

            return replay_command(arguments)
        case "runs":
            from fixloop_bot.entrypoints.runs import runs_command  # noqa: PLC0415

            return runs_command(arguments)
        case "status":
            from fixloop_bot.entrypoints.status import status_command  # noqa: PLC0415

            return status_command(arguments)
        case _:
            from fixloop_bot.entrypoints.report import report_command  # noqa: PLC0415

            return report_command(arguments)


if __name__ == "__main__":
    sys.exit(main())
