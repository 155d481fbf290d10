"""What the service makes of an event: what costs nothing is done at once, a run becomes a job of its branch."""

import json
from dataclasses import replace

from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.adapters.job_queue import JobQueue
from fixloop_bot.app.answer_comment import is_answer, to_run
from fixloop_bot.core.events import parse_event
from fixloop_bot.entrypoints.action import judge
from fixloop_bot.entrypoints.action_stage import ActionStage
from fixloop_bot.entrypoints.action_tickets import handle, to_stage
from fixloop_bot.entrypoints.engine import new_run_id
from fixloop_bot.entrypoints.exit_code import ExitCode
from fixloop_bot.entrypoints.service_orders import branch_key, to_run_order, to_sweep_order
from fixloop_bot.model.comment_command import StopCommand
from fixloop_bot.model.event import Ignored
from fixloop_bot.model.ticket import CommandTicket, Routed, RunTicket, SweepTicket
from fixloop_bot.ports.jobs import JobOrder


def judged(order: JobOrder, stage: ActionStage, queue: JobQueue) -> int:
    """Judge an event; what it asks for is done here where it costs nothing, else it becomes a job of its branch."""
    trigger = parse_event(order.event, json.loads(order.body))
    if isinstance(trigger, Ignored):
        return handle(trigger, stage)
    return _file(judge(trigger, stage), order, stage, queue)


def _file(routed: Routed, order: JobOrder, stage: ActionStage, queue: JobQueue) -> int:
    match routed:
        case RunTicket():
            queue.submit(to_run_order(routed, order), asked_by=order.job_id)
        case CommandTicket() if is_answer(routed.command):
            found = to_run(routed, to_stage(stage))
            if isinstance(found, RunTicket):
                queue.submit(to_run_order(found, order), asked_by=order.job_id)
        case SweepTicket():
            queue.submit(to_sweep_order(routed, order, f"{order.job_id}-sweep"))
        case CommandTicket(command=StopCommand()):
            head = routed.pull_request
            branch = branch_key(order.repository, head.head_repository, head.head_branch)
            ended = queue.cancel_branch(branch, asked_by=order.job_id)
            return handle(replace(routed, already_stopped=ended > 0), stage)
        case _:
            return handle(routed, stage)
    return ExitCode.DONE


def new_job_id() -> str:
    """Return the id of a new event's job."""
    return new_run_id(SystemClock())
