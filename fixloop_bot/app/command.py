"""Commands other than run: answered, stopped, reverted."""

from fixloop_bot.app.conduct import Stage, react
from fixloop_bot.core.messages import revert_message
from fixloop_bot.core.render.escape import code, prose
from fixloop_bot.core.render.marker import MARKER_START, read_marker
from fixloop_bot.core.render.replies import help_reply, mistyped_reply, status_reply
from fixloop_bot.core.stop import stopped_check_run
from fixloop_bot.model.comment_command import (
    ApproveCommand,
    DecideCommand,
    DenyCommand,
    HelpCommand,
    RevertCommand,
    RunCommand,
    StatusCommand,
    StopCommand,
)
from fixloop_bot.model.delivery import CheckoutProblem, HeadMoved, Landed, PushOrder, RebaseConflict
from fixloop_bot.model.event import COMMENT_MARKER
from fixloop_bot.model.forge import Reaction, TooLarge
from fixloop_bot.model.report import Marker, Report, ReportStatus
from fixloop_bot.model.ticket import CommandTicket, Refused, RunTicket

REPLY_MARKER = f"{COMMENT_MARKER}reply -->\n"


def obey(ticket: CommandTicket, stage: Stage) -> str:
    """Carry out a command; return what was done, in words for the log."""
    react(ticket.comment_id, Reaction.EYES, stage)
    done, well = _carry_out(ticket, stage)
    react(ticket.comment_id, Reaction.ROCKET if well else Reaction.CONFUSED, stage)
    return done


def refuse(ticket: Refused, stage: Stage) -> str:
    """Tell a person no: by a reaction, and where that helps in one reply. Returns the reason, for the log."""
    react(ticket.comment_id, Reaction.CONFUSED, stage)
    if ticket.reply and ticket.number is not None:
        wrong = ticket.error
        text = mistyped_reply(wrong, redact=stage.redact) if wrong else f"Not done: {prose(ticket.reason)}.\n"
        reply(ticket.number, text, stage)
    return ticket.reason


def _carry_out(ticket: CommandTicket, stage: Stage) -> tuple[str, bool]:
    number = ticket.pull_request.number
    match ticket.command:
        case HelpCommand():
            return reply(number, help_reply(), stage), True
        case StatusCommand():
            left = _left(number, stage)
            return reply(number, status_reply(_report(left, ticket) if left else None), stage), True
        case StopCommand():
            return _stop(ticket, stage)
        case RevertCommand():
            return _revert(ticket, ticket.command, stage)
        case DecideCommand() | ApproveCommand() | DenyCommand() | RunCommand():
            return "a run has its own ticket", False


def _stop(ticket: CommandTicket, stage: Stage) -> tuple[str, bool]:
    """End the check run of the run under way: its process watches it, and ends in good order."""
    number = ticket.pull_request.number
    left = _left(number, stage)
    if left is None or left.status is not ReportStatus.RUNNING:
        if ticket.already_stopped:
            return reply(number, "The run that was about to begin is stopped.", stage), True
        return reply(number, "There is no run to stop.", stage), False
    found = stage.forge.own_check_run(left.head_sha, left.run_id)
    if found is None:
        return reply(number, "The run's check run is not there any more; nothing was stopped.", stage), False
    shown = stopped_check_run(run_id=left.run_id, head_sha=left.head_sha, by=ticket.actor.login)
    stage.forge.update_check_run(found, shown)
    return f"asked run {left.run_id} to stop", True


def _revert(ticket: CommandTicket, command: RevertCommand, stage: Stage) -> tuple[str, bool]:
    """Take back fixloop's newest commit of the layer, or the commit named, as a new commit on the head."""
    number = ticket.pull_request.number
    run = checkout_ticket(ticket)
    checkout = stage.workshop.check_out(run)
    if isinstance(checkout, HeadMoved | CheckoutProblem):
        return reply(number, "The branch could not be checked out as it stood; look at it and try again.", stage), False
    found = stage.workshop.own_commit(command.target)
    if found is None:
        return reply(number, f"There is no commit of fixloop's for {code(str(command.target))} here.", stage), False
    message = revert_message(found.sha, str(command.target), by=ticket.actor.login)
    reverted = stage.workshop.revert([found.sha], message)
    if isinstance(reverted, RebaseConflict):
        return reply(
            number, f"{found.sha[:7]} cannot be taken back by itself: later commits build on it.", stage
        ), False
    if not reverted:
        return reply(number, f"{found.sha[:7]} is taken back already.", stage), False
    head = ticket.pull_request.head_sha
    order = PushOrder(commit=reverted, onto=head, branch=run.branch, expected_old=head)
    outcome = stage.workshop.push(order)
    if isinstance(outcome, Landed):
        return reply(number, f"{found.sha[:7]} is taken back by {reverted[:7]}.", stage), True
    why = "somebody pushed meanwhile" if isinstance(outcome, HeadMoved) else outcome.detail
    return reply(number, f"{found.sha[:7]} could not be taken back: {prose(why)}.", stage), False


def checkout_ticket(ticket: CommandTicket) -> RunTicket:
    """Return the ticket of a run on the pull request that the command was given on."""
    found = ticket.pull_request
    return RunTicket(
        origin=ticket.origin,
        pull_request=found.number,
        branch=found.head_branch,
        head_sha=found.head_sha,
        head_repository=found.head_repository,
        from_fork=found.from_fork,
        base_branch=found.base_branch,
        reason=f"{ticket.actor.login} asked for it",
        automatic=False,
        author=found.author,
        actor=ticket.actor,
        comment_id=ticket.comment_id,
        title=found.title,
    )


def _left(number: int, stage: Stage) -> Marker | None:
    """Return what the last run left in fixloop's own comment."""
    comment = stage.forge.own_comment(number, MARKER_START)
    return read_marker(comment.body) if comment else None


def _report(left: Marker, ticket: CommandTicket) -> Report:
    return Report(
        run_id=left.run_id,
        head_sha=left.head_sha,
        pushed_sha=left.pushed_sha,
        branch=ticket.pull_request.head_branch,
        status=left.status,
        iteration=left.iterations,
        cost_usd=left.cost_usd,
        attempts_by_layer=left.attempts,
    )


def reply(number: int, text: str, stage: Stage) -> str:
    """Write a short answer below the conversation."""
    written = stage.forge.write_comment(number, REPLY_MARKER + text)
    return "replied" if not isinstance(written, TooLarge) else "the reply is too long"
