"""The service's judge: a warm process that takes events one after the other, as loading costs more than judging.

    python -m fixloop_bot.entrypoints.service_judge STATE_DIR

A line on standard input is a job's id and claim, one on standard output its id and exit code. It ends with its input.
"""

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TextIO

from fixloop_bot.adapters.job_queue import JobQueue
from fixloop_bot.core.redact import redactor
from fixloop_bot.entrypoints.boundary import guarded
from fixloop_bot.entrypoints.event_desk import LATER
from fixloop_bot.entrypoints.exit_code import ExitCode
from fixloop_bot.entrypoints.service_access import opened, service_secrets
from fixloop_bot.entrypoints.service_events import judged
from fixloop_bot.entrypoints.service_place import ServicePlace
from fixloop_bot.entrypoints.service_progress import ServiceProgress
from fixloop_bot.entrypoints.service_settings import ServiceSettings, load_service_settings
from fixloop_bot.entrypoints.service_stage import open_service_stage
from fixloop_bot.entrypoints.service_sweep import SweepDesk, sweep_all, sweep_one
from fixloop_bot.entrypoints.settings import environment
from fixloop_bot.model.forge import ForgeErrorKind
from fixloop_bot.ports.forge import ForgeError, NotInstalledError
from fixloop_bot.ports.jobs import SWEEP_ALL, SWEEP_ONE


def main() -> int:
    """Judge until standard input ends."""
    answers = _apart()
    env, place = environment(), ServicePlace(Path(sys.argv[1]))
    settings = load_service_settings()
    redact = redactor(service_secrets(env, settings))
    return guarded(lambda: _serve(place, settings, env, redact, answers), redact=redact)


def _serve(
    place: ServicePlace,
    settings: ServiceSettings,
    env: Mapping[str, str],
    redact: Callable[[str], str],
    answers: TextIO,
) -> int:
    with opened(place, settings) as database:
        queue = JobQueue(database)
        while line := sys.stdin.readline():
            job_id = line.split()[0]
            code = guarded(lambda job_id=job_id: _judge(job_id, queue, place, settings, env, redact), redact=redact)  # type: ignore[misc]
            if code == ExitCode.INTERRUPTED:
                return code
            answers.write(f"{job_id} {code}\n")
            answers.flush()
    return ExitCode.DONE


def _judge(
    job_id: str,
    queue: JobQueue,
    place: ServicePlace,
    settings: ServiceSettings,
    env: Mapping[str, str],
    redact: Callable[[str], str],
) -> int:
    order = queue.order(job_id)
    if order is None:
        return ExitCode.FAULT
    progress = ServiceProgress(sys.stderr, redact, order)
    desk = SweepDesk(settings=settings, queue=queue, note=progress.note)
    try:
        if order.event == SWEEP_ALL:
            return sweep_all(order, desk)
        with open_service_stage(order, settings, place, env, redact) as stage:
            return sweep_one(order, stage, desk) if order.event == SWEEP_ONE else judged(order, stage, queue)
    except ForgeError as error:
        progress.note(error.advice)
        if isinstance(error, NotInstalledError):
            return ExitCode.DONE
        return LATER if error.kind in (ForgeErrorKind.UNAVAILABLE, ForgeErrorKind.RATE_LIMITED) else ExitCode.FAULT
    finally:
        place.clear_away(job_id)


def _apart() -> TextIO:
    """Return standard output, and let what others print go to standard error: it is no answer."""
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    return answers


if __name__ == "__main__":
    sys.exit(main())
