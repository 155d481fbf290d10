"""The records of other machines' runs, copied to this one: for its dashboard, and as a second copy."""

from collections.abc import Callable

from fixloop_bot.adapters.checkpoints import Checkpoints, News
from fixloop_bot.adapters.run_archive import BrokenArchiveError, unpack_run
from fixloop_bot.adapters.state_folder import StateFolder

OVERLAP_S = 5.0
"""Seconds that are looked at twice: transactions end in another order than they began."""


class RecordMirror:
    """Copies what has come since the last look; for one thread."""

    def __init__(
        self, checkpoints: Checkpoints, folder: StateFolder, worker: str, claim_here: Callable[[str], int]
    ) -> None:
        """Copy into this machine's records; `claim_here` says which claim on a job was worked on here last."""
        self._checkpoints, self._folder, self._worker, self._claim_here = checkpoints, folder, worker, claim_here
        self._seen: dict[str, float] = {}
        self._newest = 0.0

    def copy(self) -> list[str]:
        """Return what could not be copied, and why. Raises OSError, and as the database does."""
        wrong = []
        for news in self._checkpoints.since(self._newest - OVERLAP_S, but_of=self._worker):
            self._newest = max(self._newest, news.saved_at)
            if self._seen.get(news.job_id) != news.saved_at and news.claim > self._claim_here(news.job_id):
                try:
                    self._copy(news)
                except BrokenArchiveError as error:
                    wrong.append(str(error))
            self._seen[news.job_id] = news.saved_at
        self._seen = {job: at for job, at in self._seen.items() if at >= self._newest - OVERLAP_S}
        return wrong

    def _copy(self, news: News) -> None:
        kept = self._checkpoints.load(news.job_id)
        if kept is not None:
            unpack_run(self._folder, news.job_id, kept.archive)
