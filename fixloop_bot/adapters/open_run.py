"""A note in the worktree's git directory on the unfinished run there, so that no run from elsewhere passes it by."""

import json
import os
from dataclasses import dataclass
from pathlib import Path

from fixloop_bot.adapters.files import write_durably

NAME = "fixloop.run"
_LIMIT = 20_000
"""Bytes that are read of the note."""


@dataclass(frozen=True, slots=True)
class OpenRun:
    """A run that has the worktree until it ends, also while no process of it lives."""

    run_id: str
    state_dir: str
    """Absolute."""


def note_open_run(git_dir: str, run: OpenRun) -> None:
    """Write the note. Raises OSError where the git directory cannot be written."""
    path = Path(git_dir, NAME)
    write_durably(path, json.dumps({"run_id": run.run_id, "state_dir": run.state_dir}).encode())
    path.chmod(0o644)


def read_open_run(git_dir: str) -> OpenRun | None:
    """Return what the note says, None where there is none that can be read."""
    try:
        descriptor = os.open(Path(git_dir, NAME), os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        try:
            told = json.loads(file.read(_LIMIT))
        except (ValueError, OSError, RecursionError):
            return None
    if not isinstance(told, dict):
        return None
    run_id, state_dir = told.get("run_id"), told.get("state_dir")
    return OpenRun(run_id, state_dir) if isinstance(run_id, str) and isinstance(state_dir, str) else None


def forget_open_run(git_dir: str) -> None:
    """Remove the note; none there is no error."""
    Path(git_dir, NAME).unlink(missing_ok=True)
