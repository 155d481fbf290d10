"""Doing what a ticket asks for, and leaving no report behind that says less or more than the truth."""

import sys
from dataclasses import replace

from fixloop_bot.adapters.repo_config import parse_repo_config
from fixloop_bot.app import command
from fixloop_bot.app.answer_comment import is_answer, to_run
from fixloop_bot.app.conduct import Concluded, Stage, conduct
from fixloop_bot.app.tell import Teller
from fixloop_bot.core.render.job_summary import to_job_summary
from fixloop_bot.core.render.log_groups import log_group
from fixloop_bot.core.status_line import status_line
from fixloop_bot.entrypoints.action_ending import FaultTold, cancelled, set_outputs
from fixloop_bot.entrypoints.action_stage import ActionStage
from fixloop_bot.entrypoints.action_sweep import sweep
from fixloop_bot.entrypoints.exit_code import ExitCode
from fixloop_bot.entrypoints.request import to_request
from fixloop_bot.entrypoints.telling import TellingProgress
from fixloop_bot.entrypoints.watch import watching
from fixloop_bot.model.config import RepoConfig
from fixloop_bot.model.event import Ignored
from fixloop_bot.model.report import Surroundings
from fixloop_bot.model.state import LoopState
from fixloop_bot.model.ticket import CommandTicket, Refused, Routed, RunTicket, SweepTicket


def handle(ticket: Routed, stage: ActionStage) -> int:
    """Carry out the ticket and return the step's exit code."""
    match ticket:
        case Ignored():
            return _say(stage, f"Nothing to do: {ticket.reason}")
        case Refused():
            return _say(stage, f"Refused: {command.refuse(ticket, to_stage(stage))}")
        case CommandTicket() if is_answer(ticket.command):
            found = to_run(ticket, to_stage(stage))
            return run(found, stage) if isinstance(found, RunTicket) else _say(stage, f"Command: {found}")
        case CommandTicket():
            return _say(stage, f"Command: {command.obey(ticket, to_stage(stage))}")
        case SweepTicket():
            return sweep(ticket, stage)
        case RunTicket():
            return run(ticket, stage)


def to_stage(stage: ActionStage) -> Stage:
    """Return what the conductor speaks to."""
    return Stage(
        forge=stage.forge,
        workshop=stage.workshop,
        clock=stage.clock,
        progress=stage.console,
        parse_config=parse_repo_config,
        redact=stage.redact,
    )


def run(ticket: RunTicket, stage: ActionStage) -> int:
    """Run on the ticket's head; whatever happens, comment and check run end with a last word."""
    stage.console.note(f"{ticket.reason}: {ticket.branch} at {ticket.head_sha[:12]}")
    teller = Teller(
        forge=stage.forge,
        clock=stage.clock,
        redact=stage.redact,
        ticket=ticket,
        surroundings=Surroundings(links=stage.links),
        note=stage.console.note,
    )
    first = first_state(ticket, stage)
    progress = TellingProgress(stage.console, teller)
    try:
        with FaultTold(teller=teller, first=first, stage=stage), watching(stage, teller):
            done = conduct(ticket, first, teller, replace(to_stage(stage), progress=progress))
    except KeyboardInterrupt:
        return cancelled(teller, first, stage)
    return _concluded(done, stage)


def first_state(ticket: RunTicket, stage: ActionStage) -> LoopState:
    """Return the state before anything is known."""
    workshop = stage.workshop
    request = to_request(stage.settings, RepoConfig(), run_id=workshop.run_id, now=stage.clock.now())
    return LoopState(
        run_id=workshop.run_id,
        branch=ticket.branch,
        start_commit=ticket.head_sha,
        head=ticket.head_sha,
        clean_commit=ticket.head_sha,
        limits=request.limits,
        started_at=stage.clock.now(),
    )


def _concluded(done: Concluded, stage: ActionStage) -> int:
    stage.job.add_summary(to_job_summary(done.report))
    set_outputs(done.state, done.delivery, stage)
    title = f"fixloop: {done.state.end.status if done.state.end else 'no end'}"
    for line in log_group(title, _texts(done.state), redact=stage.redact):
        sys.stdout.write(line + "\n")
    if done.config_error is not None:
        stage.console.note(f"configuration: {done.config_error}")
        return ExitCode.USAGE
    if done.untold:
        stage.console.note(f"the check run could not say how it ended: {done.untold}")
        return ExitCode.FAULT
    return ExitCode.DONE


def _texts(state: LoopState) -> list[str]:
    return [status_line(state), *([state.failure.result.output] if state.failure else [])]


def _say(stage: ActionStage, text: str) -> int:
    stage.console.note(text)
    stage.job.add_summary(f"**fixloop**: {stage.redact(text)}.")
    return ExitCode.DONE
