"""One run of the service, in a process of its own: it ends when its worker does, and leaves a run to be gone on with.

    python -m fixloop_bot.entrypoints.service_job STATE_DIR JOB_ID CLAIM

Standard input is the worker's end of a pipe. A line names the end that the run is asked to come to; at the end of the
input, however that came about, the run is suspended.
"""

import fcntl
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from fixloop_bot.adapters.checkpoints import Checkpoints
from fixloop_bot.adapters.job_claims import JobClaims
from fixloop_bot.adapters.service_database import Database
from fixloop_bot.core.redact import redactor
from fixloop_bot.entrypoints.boundary import guarded
from fixloop_bot.entrypoints.event_desk import LATER
from fixloop_bot.entrypoints.exit_code import ExitCode
from fixloop_bot.entrypoints.service_access import opened, service_secrets
from fixloop_bot.entrypoints.service_leash import Leash
from fixloop_bot.entrypoints.service_place import ServicePlace
from fixloop_bot.entrypoints.service_progress import ServiceProgress
from fixloop_bot.entrypoints.service_run import Held, run
from fixloop_bot.entrypoints.service_settings import ServiceSettings, load_service_settings
from fixloop_bot.entrypoints.service_stage import open_service_stage
from fixloop_bot.entrypoints.service_tracing import traced_run
from fixloop_bot.entrypoints.settings import environment
from fixloop_bot.ports.forge import NotInstalledError

SUSPENDED: Final = 75
"""Exit code of a job that goes on at the next start (EX_TEMPFAIL of sysexits.h)."""


def main() -> int:
    """Do the job that the arguments name."""
    env, settings, leash = environment(), load_service_settings(), Leash()
    redact = redactor(service_secrets(env, settings))
    place, job_id, claim = ServicePlace(Path(sys.argv[1])), sys.argv[2], int(sys.argv[3])

    def work() -> int:
        leash.hold()
        folder = place.job(job_id)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with _alone(folder), opened(place, settings) as database:
            code = _run(job_id, claim, leash, database, place, settings, env, redact)
            if code != LATER:
                place.clear_away(job_id)
            return code

    return _told(guarded(work, redact=redact), leash)


def _told(code: int, leash: Leash) -> int:
    """Return the exit code. What failed before the run could say anything on GitHub is tried again later."""
    if code == ExitCode.INTERRUPTED or (leash.leaving and code != ExitCode.DONE):
        return SUSPENDED
    return code if code == ExitCode.DONE or leash.was_bound else LATER


def _run(  # noqa: PLR0913, PLR0917 - what a process starts with
    job_id: str,
    claim: int,
    leash: Leash,
    database: Database,
    place: ServicePlace,
    settings: ServiceSettings,
    env: Mapping[str, str],
    redact: Callable[[str], str],
) -> int:
    claims = JobClaims(database, "", settings.capacity)
    job = claims.claimed(job_id, claim)
    if job is None:
        return ExitCode.DONE  # another worker has it by now
    held = Held(
        claims=claims,
        checkpoints=Checkpoints(database) if database.shared else None,
        leash=leash,
        budgets=settings.budgets,
    )
    try:
        with open_service_stage(job.order, settings, place, env, redact) as stage, traced_run(stage.console, job, env):
            return run(job, stage, held)
    except NotInstalledError as error:
        ServiceProgress(sys.stderr, redact, job.order).note(error.advice)
        return ExitCode.DONE


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Wait until the process that worked on the job before is gone."""
    with (folder / "job.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        folder.mkdir(exist_ok=True, mode=0o700)  # that one may have cleared it away
        yield


if __name__ == "__main__":
    sys.exit(main())
