"""`fixloop decide`, `approve`, `deny` and `resume`: a run that waits or was interrupted goes on."""

import argparse
import getpass

from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.core.redact import redactor
from fixloop_bot.entrypoints.job import Resume
from fixloop_bot.entrypoints.run import run_and_tell, secrets_of
from fixloop_bot.entrypoints.settings import load_settings
from fixloop_bot.model.answer import Answer, Choice

TEXT_LIMIT = 4_000
"""Characters of a remark."""


def answer_command(arguments: argparse.Namespace) -> int:
    """Take the answer, go on with the run to its end, print its one line (or JSON), and return the exit code."""
    settings = load_settings(vars(arguments) | {"command": None})
    redact = redactor(secrets_of(settings))
    choice = _choice(arguments)
    text = redact(" ".join(getattr(arguments, "text", ())))[:TEXT_LIMIT]
    answer = Answer(choice=choice, text=text, by=_who(), at=SystemClock().iso()) if choice else None
    return run_and_tell(arguments, settings, redact, resume=Resume(arguments.run, answer))


def _choice(arguments: argparse.Namespace) -> Choice | None:
    match arguments.command:
        case "decide":
            return Choice(arguments.choice)
        case "approve":
            return Choice.APPROVE
        case "deny":
            return Choice.DENY
        case _:
            return None


def _who() -> str:
    """Return the name of the person at the shell; a process of an unknown user has none."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""
