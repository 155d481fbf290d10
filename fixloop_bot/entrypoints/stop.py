"""`fixloop stop`: a running process stops in good order; a run that waits or was interrupted ends for good."""

import argparse
import sys
from pathlib import Path

from fixloop_bot.adapters.git.repository import NotAWorktree, find_repository
from fixloop_bot.adapters.lock import Held, lock_worktree
from fixloop_bot.adapters.running import interrupt
from fixloop_bot.core.redact import redactor
from fixloop_bot.core.status_line import one_line
from fixloop_bot.entrypoints.exit_code import ExitCode
from fixloop_bot.entrypoints.job import Resume
from fixloop_bot.entrypoints.run import run_and_tell, secrets_of
from fixloop_bot.entrypoints.settings import SettingsError, environment, load_settings


def stop_command(arguments: argparse.Namespace) -> int:
    """Stop the run and return 0 where a process was asked to, else the exit code of the run that ended."""
    settings = load_settings(vars(arguments) | {"command": None})
    redact = redactor(secrets_of(settings))
    repository = find_repository(str(Path(arguments.worktree_path).absolute()), person_env=environment())
    if isinstance(repository, NotAWorktree):
        raise SettingsError(repository.reason)
    lock = lock_worktree(repository.git_dir, run_id="", since="")
    if isinstance(lock, Held):
        return _interrupted(lock, arguments.run)
    lock.release()
    return run_and_tell(arguments, settings, redact, resume=Resume(arguments.run, stop=True))


def _interrupted(held: Held, wanted: str) -> int:
    """Ask the process that has the worktree to stop, if it is the run that is meant."""
    if wanted and held.run_id != wanted:
        raise SettingsError(f"run {wanted} is not the one that works here; that is run {held.run_id or 'of no name'}")
    problem = interrupt(held)
    if problem:
        raise SettingsError(problem)
    sys.stdout.write(one_line(f"Asked run {held.run_id} (process {held.pid}) to stop.", limit=300) + "\n")
    return ExitCode.DONE
