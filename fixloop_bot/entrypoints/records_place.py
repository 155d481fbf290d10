"""Where the records are that a person asks about; nothing is made in finding them."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fixloop_bot.adapters.git.repository import NotAWorktree, Repository, find_repository
from fixloop_bot.adapters.history import read_history
from fixloop_bot.adapters.state_folder import StateFolder, default_state_root
from fixloop_bot.core.redact import redactor
from fixloop_bot.entrypoints.settings import SettingsError, environment, known_secrets, load_settings
from fixloop_bot.model.history import History, RunFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsPlace:
    """A state folder, and the worktree that it was asked for from."""

    folder: StateFolder
    repository: Repository | None
    """None: the folder was named, and no worktree is here."""
    why: str = ""
    """Why no worktree is here."""
    flags: tuple[str, ...] = ()
    """What names the folder again on a command line; empty: it is the default."""
    redact: Callable[[str], str]

    def history(self) -> History:
        """Return all that the records tell."""
        return read_history(self.folder)

    def chosen(self, history: History, run_id: str | None) -> RunFacts:
        """Return the run of this id, else the newest of this worktree. Raises SettingsError where there is none."""
        if run_id is not None:
            found = [run for run in history.runs if run.run_id == run_id]
        else:
            here = ("", self.repository.root) if self.repository else None
            found = [run for run in history.runs if here is None or run.repository in here]
        if not found:
            raise SettingsError(self._no_run(history, run_id))
        return found[0]

    def _no_run(self, history: History, run_id: str | None) -> str:
        others = f"; it has {len(history.runs)} others: fixloop runs --state-dir {self.folder.root}"
        what = f"no run {run_id}" if run_id else "no run on this worktree"
        return f"{what} in {self.folder.root}{others if history.runs else ''}"


def find_records(arguments: argparse.Namespace) -> RecordsPlace:
    """Return where to look: --state-dir or its setting, else the repository's own folder. Raises SettingsError."""
    if arguments.state_dir == "":
        raise SettingsError("--state-dir: the path is empty")
    settings, env = load_settings({"state_dir": arguments.state_dir}), environment()
    found = find_repository(str(Path(arguments.worktree_path).absolute()), person_env=env, for_reading=True)
    repository = None if isinstance(found, NotAWorktree) else found
    why = found.reason if isinstance(found, NotAWorktree) else ""
    if settings.state_dir is None and repository is None:
        raise SettingsError(f"{why}. Name the records with --state-dir, or their worktree with --worktree-path")
    named = settings.state_dir or default_state_root(repository.common_dir if repository else "", env)
    folder = StateFolder(named.absolute().resolve())
    return RecordsPlace(
        folder=folder,
        flags=("--state-dir", str(folder.root)) if arguments.state_dir else (),
        repository=repository,
        why=why,
        redact=redactor(known_secrets(env)),
    )
