"""One job of the service, in a process of its own: it ends when the service does, and leaves a run to be gone on with.

    python -m fixloop_bot.entrypoints.service_job STATE_DIR JOB_ID

Standard input is the service's end of a pipe: at its end, however that came about, the job suspends its run.
"""

import fcntl
import json
import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Final

from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.adapters.codec import decode, encode, to_json_value
from fixloop_bot.adapters.job_queue import JobQueue, open_queue
from fixloop_bot.app.answer_comment import is_answer, to_run
from fixloop_bot.app.conduct import conduct
from fixloop_bot.app.tell import Teller
from fixloop_bot.core.events import parse_event
from fixloop_bot.core.redact import redactor
from fixloop_bot.entrypoints.action import judge
from fixloop_bot.entrypoints.action_ending import FaultTold, cancelled
from fixloop_bot.entrypoints.action_stage import ActionStage
from fixloop_bot.entrypoints.action_tickets import first_state, handle, to_stage
from fixloop_bot.entrypoints.boundary import guarded
from fixloop_bot.entrypoints.engine import new_run_id
from fixloop_bot.entrypoints.exit_code import ExitCode
from fixloop_bot.entrypoints.service_settings import load_service_settings
from fixloop_bot.entrypoints.service_stage import ServiceWorkshop, open_service_stage
from fixloop_bot.entrypoints.settings import SettingsError, environment, known_secrets
from fixloop_bot.entrypoints.telling import TellingProgress
from fixloop_bot.entrypoints.watch import watching
from fixloop_bot.model.comment_command import StopCommand
from fixloop_bot.model.event import Ignored
from fixloop_bot.model.report import Surroundings
from fixloop_bot.model.ticket import CommandTicket, Routed, RunTicket, SweepTicket
from fixloop_bot.ports.jobs import JobKind, JobOrder

SUSPENDED: Final = 75
"""Exit code of a job that goes on at the next start (EX_TEMPFAIL of sysexits.h)."""


def main() -> int:
    """Do the job that the arguments name."""
    env = environment()
    redact = redactor(known_secrets(env))
    root, job_id = Path(sys.argv[1]), sys.argv[2]
    leaving = threading.Event()
    code = guarded(lambda: _work(root, job_id, env, redact, leaving), redact=redact)
    return SUSPENDED if leaving.is_set() and code != ExitCode.DONE else code


def _work(
    root: Path, job_id: str, env: Mapping[str, str], redact: Callable[[str], str], leaving: threading.Event
) -> int:
    folder = root / "jobs" / job_id
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    threading.Thread(target=_leave_with_service, args=(leaving,), daemon=True).start()
    clock = SystemClock()
    with _alone(folder), open_queue(root / "run-state.db", clock) as queue:
        order = queue.order(job_id)
        if order is None:
            raise SettingsError(f"there is no job {job_id}")
        with open_service_stage(order, load_service_settings(), root, env, redact) as stage:
            code = judged(order, stage, queue) if order.kind is JobKind.EVENT else _run(order, stage, leaving)
        shutil.rmtree(folder, ignore_errors=True)
        return code


def judged(order: JobOrder, stage: ActionStage, queue: JobQueue) -> int:
    """Judge an event; what it asks for is done here where it costs nothing, else it becomes a job of its branch."""
    trigger = parse_event(order.event, json.loads(order.body))
    if isinstance(trigger, Ignored):
        return handle(trigger, stage)
    return _file(judge(trigger, stage), order, stage, queue)


def _file(routed: Routed, order: JobOrder, stage: ActionStage, queue: JobQueue) -> int:
    match routed:
        case RunTicket():
            queue.submit(to_run_order(routed, order))
        case CommandTicket() if is_answer(routed.command):
            found = to_run(routed, to_stage(stage))
            if isinstance(found, RunTicket):
                queue.submit(to_run_order(found, order))
        case SweepTicket():
            stage.console.note("sweeps are the Action's and the shell's; the service has none yet")
        case CommandTicket(command=StopCommand()):
            head = routed.pull_request
            where = head.head_repository.full_name if head.head_repository else order.repository
            queue.cancel_branch(f"{where}:{head.head_branch}")
            return handle(routed, stage)
        case _:
            return handle(routed, stage)
    return ExitCode.DONE


def to_run_order(ticket: RunTicket, event: JobOrder) -> JobOrder:
    """Return the job of a ticket. Its id follows from the event's: an event that is judged again adds no second run."""
    where = ticket.head_repository.full_name if ticket.head_repository else event.repository
    return replace(
        event,
        job_id=f"{event.job_id}-run",
        kind=JobKind.RUN,
        branch=f"{where}:{ticket.branch}",
        body=encode(to_json_value(ticket)).encode(),
    )


def new_job_id() -> str:
    """Return the id of a new event's job."""
    return new_run_id(SystemClock())


def _run(order: JobOrder, stage: ActionStage, leaving: threading.Event) -> int:
    """Run the ticket as the Action does; a job that leaves with the service says nothing, as it will go on."""
    ticket = decode(order.body, RunTicket)
    teller = Teller(
        forge=stage.forge,
        clock=stage.clock,
        redact=stage.redact,
        ticket=ticket,
        surroundings=Surroundings(links=stage.links),
        note=stage.console.note,
        check_run=stage.forge.own_check_run(ticket.head_sha, order.job_id),
    )
    first = first_state(ticket, stage)
    staged = replace(to_stage(stage), progress=TellingProgress(stage.console, teller))
    try:
        with FaultTold(teller=teller, first=first, stage=stage), _stoppable(stage, teller):
            done = conduct(ticket, first, teller, staged)
    except KeyboardInterrupt:
        if leaving.is_set():
            raise
        cancelled(teller, first, stage)
        return ExitCode.DONE
    return ExitCode.FAULT if done.untold else ExitCode.DONE


def _stoppable(stage: ActionStage, teller: Teller) -> AbstractContextManager[None]:
    """Watch for a stop, but not where the run has ended: its check run may be complete because that was told."""
    over = isinstance(stage.workshop, ServiceWorkshop) and stage.workshop.ended() is not None
    return nullcontext() if over else watching(stage, teller)


def _leave_with_service(leaving: threading.Event) -> None:
    """Interrupt the main thread when the service's end of the pipe closes."""
    while os.read(0, 4096):
        pass
    leaving.set()
    main_thread = threading.main_thread().ident
    if main_thread is not None:
        signal.pthread_kill(main_thread, signal.SIGTERM)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Wait until the process that worked on the job before is gone."""
    with (folder / "job.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    sys.exit(main())
