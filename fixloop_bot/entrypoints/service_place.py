"""Where the service's files are: records closed to others, clones in folders that the checks' own user may pass."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

from platformdirs import user_state_path


@dataclass(frozen=True, slots=True)
class ServicePlace:
    """The layout of the service's folder on one machine."""

    root: Path

    @property
    def records(self) -> Path:
        """Return the state folder of all runs, with SQLite's database."""
        return self.root / "records"

    @property
    def workers(self) -> Path:
        """Return the folder of the locks of this machine's workers."""
        return self.root / "workers"

    @property
    def jobs(self) -> Path:
        """Return the folder of clones."""
        return self.root / "jobs"

    def job(self, job_id: str) -> Path:
        """Return the folder of a job."""
        return self.jobs / job_id

    def clear_away(self, job_id: str) -> None:
        """Delete a job's folder, to be seen whole or not at all: a kill leaves no half clone for the next to go on in.

        What a kill leaves of it lies beside it, where upkeep finds it.
        """
        folder = self.job(job_id)
        if folder.exists():
            beside = Path(mkdtemp(prefix=f"{job_id}-gone-", dir=self.jobs))
            folder.rename(beside / "folder")
            shutil.rmtree(beside, ignore_errors=True)

    def make(self) -> None:
        """Make what is missing. Raises OSError."""
        self.root.mkdir(parents=True, exist_ok=True)
        for folder, mode in ((self.root, 0o711), (self.jobs, 0o711), (self.records, 0o700), (self.workers, 0o700)):
            folder.mkdir(exist_ok=True, mode=mode)
            folder.chmod(mode)


def to_place(state_dir: str | None) -> ServicePlace:
    """Return the place that a command names, else the platform's own."""
    named = Path(state_dir).absolute() if state_dir else user_state_path("fixloop", appauthor=False) / "service"
    return ServicePlace(named)
