"""A run from its start to its end, and the worktree left in order whatever happens in between."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace

from fixloop_bot.adapters.codec import CodecError
from fixloop_bot.adapters.git.command import GitError
from fixloop_bot.adapters.git.staging import FilteredPathError
from fixloop_bot.adapters.git.worktree import GitWorktree
from fixloop_bot.adapters.records import FileRecords
from fixloop_bot.adapters.reserve import Reserve
from fixloop_bot.app.begin import Refused
from fixloop_bot.app.close import abandon, suspend
from fixloop_bot.app.repair import repair
from fixloop_bot.model.state import LoopState
from fixloop_bot.ports import Ports
from fixloop_bot.ports.worktree import HeadMovedError

_MOVED = "Somebody else changed the branch during the run; their commit stands."


@dataclass(frozen=True, slots=True)
class Orderly:
    """One run, and what is needed to leave its worktree in order."""

    ports: Ports
    records: FileRecords
    reserve: Reserve
    run_id: str
    reopen: Callable[[], GitWorktree | None]
    """Opens the worktree anew after somebody moved its branch; None: that cannot be now."""

    def run(self, start: Callable[[], LoopState | Refused]) -> LoopState | Refused:
        """Start and run to the end. Whatever is raised meanwhile, the run is suspended before it goes on its way."""
        try:
            with ExitStack() as otherwise:
                otherwise.callback(self._suspend)
                result = self._run(start)
                otherwise.pop_all()
        except HeadMovedError as error:
            return Refused(f"{_MOVED} {error}")
        except FilteredPathError as error:
            return Refused(f"A file would have to change that fixloop cannot write: {error}. Commit or stash it first.")
        return result

    def _run(self, start: Callable[[], LoopState | Refused]) -> LoopState | Refused:
        try:
            state = start()
            return state if isinstance(state, Refused) else repair(state, self.ports)
        except HeadMovedError as error:
            self._leave(str(error))
            return Refused(f"{_MOVED} {error}")

    def _leave(self, why: str) -> None:
        """End a run whose branch somebody else moved; while they are in the middle of it, the next start does so."""
        saved, worktree = self._saved(), self.reopen()
        if saved and worktree:
            abandon(saved, replace(self.ports, worktree=worktree), why=why)

    def _suspend(self) -> None:
        self.reserve.release()
        try:
            if saved := self._saved():
                suspend(saved, self.ports, why="interrupted")
        except (OSError, GitError, FilteredPathError, HeadMovedError, CodecError) as error:
            self.ports.progress.note(f"the worktree could not be put in order; the next run there will: {error}")

    def _saved(self) -> LoopState | None:
        """Return the state on disk of a run that has not ended."""
        saved = self.records.load(self.run_id)
        return None if saved is None or saved.ended else saved
