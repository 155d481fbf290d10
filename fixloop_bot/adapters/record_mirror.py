"""The records of other machines' runs, copied to this one: for its dashboard, and as a second copy."""

from pathlib import Path

from fixloop_bot.adapters.checkpoints import Checkpoints
from fixloop_bot.adapters.run_archive import unpack_run
from fixloop_bot.adapters.state_folder import StateFolder

OVERLAP_S = 5.0
"""Seconds that are looked at twice: transactions end in another order than they began."""


class RecordMirror:
    """Copies what has come since the last look; for one thread."""

    def __init__(self, checkpoints: Checkpoints, folder: StateFolder, jobs: Path, worker: str) -> None:
        """Copy into this machine's records; `jobs` is the folder of runs under way here, which are the newer ones."""
        self._checkpoints, self._folder, self._jobs, self._worker = checkpoints, folder, jobs, worker
        self._seen: dict[str, float] = {}
        self._newest = 0.0

    def copy(self) -> int:
        """Return how many runs were copied. Raises `BrokenArchiveError`, OSError, and as the database does."""
        copied = 0
        for kept in self._checkpoints.since(self._newest - OVERLAP_S, but_of=self._worker):
            self._newest = max(self._newest, kept.saved_at)
            if self._seen.get(kept.job_id) == kept.saved_at or (self._jobs / kept.job_id).exists():
                continue
            if archive := self._checkpoints.load(kept.job_id):
                unpack_run(self._folder, kept.job_id, archive)
                copied += 1
            self._seen[kept.job_id] = kept.saved_at
        self._seen = {job: at for job, at in self._seen.items() if at >= self._newest - OVERLAP_S}
        return copied
