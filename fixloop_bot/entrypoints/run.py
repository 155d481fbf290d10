"""`fixloop run`: one worktree, one status line."""

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from fixloop_bot.adapters.codec import to_json_value
from fixloop_bot.adapters.console import progress_for
from fixloop_bot.app.begin import Refused
from fixloop_bot.core.defuse import json_text
from fixloop_bot.core.record import remaining
from fixloop_bot.core.redact import redact_json, redactor
from fixloop_bot.core.status_line import how_to_answer, refused, status_line
from fixloop_bot.entrypoints.engine import run_job
from fixloop_bot.entrypoints.exit_code import OF_STATUS, ExitCode
from fixloop_bot.entrypoints.job import Job, Resume
from fixloop_bot.entrypoints.provider import anthropic_model
from fixloop_bot.entrypoints.request import to_request
from fixloop_bot.entrypoints.settings import Settings, SettingsError, environment, known_secrets, load_settings
from fixloop_bot.model.state import LoopState

CONTEXT_LIMIT = 5_000_000
"""Characters of an error context."""


def run_command(arguments: argparse.Namespace) -> int:
    """Run the loop on a worktree, print its one line (or JSON), and return the exit code."""
    for option in ("worktree_path", "state_dir"):
        if getattr(arguments, option) == "":
            raise SettingsError(f"--{option.replace('_', '-')}: the path is empty")
    settings = load_settings(vars(arguments) | {"command": None})
    redact = redactor(secrets_of(settings))
    context = redact(_error_context(arguments.error_context))
    return run_and_tell(arguments, settings, redact, context=context)


def run_and_tell(
    arguments: argparse.Namespace,
    settings: Settings,
    redact: Callable[[str], str],
    *,
    context: str = "",
    resume: Resume | None = None,
) -> int:
    """Run, or go on with a run, on the worktree; print its one line (or JSON), and return the exit code."""
    with progress_for(sys.stderr, redact) as progress:
        job = Job(
            path=str(Path(arguments.worktree_path).absolute()),
            state_dir=settings.state_dir,
            env=environment(),
            progress=progress,
            redact=redact,
            skip_visual=settings.skip_visual,
            to_model=lambda config, clock: anthropic_model(settings, config, clock, redact=redact),
            to_request=lambda run_id, config, clock: to_request(
                settings, config, run_id=run_id, now=clock.now(), error_context=context
            ),
            resume=resume,
            sandbox=settings.sandbox,
        )
        result = run_job(job)
    return tell(result, as_json=arguments.json, redact=redact)


def tell(result: LoopState | Refused, *, as_json: bool, redact: Callable[[str], str]) -> int:
    """Print the result on standard output and return the exit code."""
    if as_json:
        value = redact_json(to_json(result), redact)
        sys.stdout.write(json_text(value) + "\n")
    else:
        sys.stdout.write(redact(_line(result)) + "\n")
    sys.stdout.flush()
    if isinstance(result, LoopState) and (how := how_to_answer(result)):
        sys.stderr.write(f"{how}\n")
    if isinstance(result, Refused) or result.end is None:
        return ExitCode.BLOCKED
    return OF_STATUS[result.end.status]


def to_json(result: LoopState | Refused) -> Mapping[str, Any]:
    """Return the whole result: what the status line says, in fields, and the final state."""
    if isinstance(result, Refused) or result.end is None:
        return {"status": "BLOCKED", "status_line": _line(result), "terminal_state": None}
    end = result.end
    return {
        "status": end.status,
        "terminal_state": end.terminal,
        "status_line": _line(result),
        "run_id": result.run_id,
        "iterations": result.iteration_count,
        "commits": [fix.commit for fix in result.fix_commits],
        "cost_usd": None if result.cost_unknown else result.total_cost_usd,
        "breaker": end.breaker,
        "reason": end.reason,
        "remaining": remaining(result),
        "state": to_json_value(result),
    }


def _line(result: LoopState | Refused) -> str:
    return refused(result.reason) if isinstance(result, Refused) else status_line(result)


def secrets_of(settings: Settings) -> tuple[str, ...]:
    """Return the values that no output may hold."""
    key = settings.anthropic_api_key
    return (*known_secrets(environment()), *((key.get_secret_value(),) if key else ()))


def _error_context(given: str | None) -> str:
    """Return the text itself, that of @FILE, or standard input for `-`. Raises SettingsError."""
    if given == "-":
        return sys.stdin.read(CONTEXT_LIMIT)
    if not given or not given.startswith("@"):
        return given or ""
    try:
        with Path(given[1:]).open(encoding="utf-8", errors="replace") as file:
            return file.read(CONTEXT_LIMIT)
    except OSError as error:
        raise SettingsError(f"--error-context: {given[1:]} cannot be read: {error.strerror}") from None
