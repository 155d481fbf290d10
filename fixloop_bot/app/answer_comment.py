"""An answer in a comment or by a button: from fixloop's own report comment to the run that goes on."""

from dataclasses import replace

from fixloop_bot.app.command import checkout_ticket, reply
from fixloop_bot.app.conduct import Stage, react
from fixloop_bot.core.questions import unfit
from fixloop_bot.core.render.escape import prose
from fixloop_bot.core.render.marker import MARKER_START, read_marker
from fixloop_bot.core.render.waiting import read_waiting
from fixloop_bot.model.answer import Answer, Choice, Decided
from fixloop_bot.model.comment_command import ApproveCommand, CommentCommand, DecideCommand, DenyCommand
from fixloop_bot.model.forge import Reaction
from fixloop_bot.model.outcome import Question
from fixloop_bot.model.report import ReportStatus
from fixloop_bot.model.ticket import CommandTicket, RunTicket

NOTHING_WAITS = "No question of fixloop's waits for an answer here. `/fixloop status` tells how the last run ended."
TOO_LONG = (
    "The question's diff is too long for a comment, so it cannot be answered here. Make the change that you decide "
    "for, and comment `/fixloop`."
)


def is_answer(command: CommentCommand) -> bool:
    """Return whether the command answers a question."""
    return isinstance(command, DecideCommand | ApproveCommand | DenyCommand)


def to_run(ticket: CommandTicket, stage: Stage) -> RunTicket | str:
    """Return the run that goes on with the answer, or what was replied where there is nothing to answer, for the log.

    The question is read from fixloop's own comment alone; whoever may edit that may push to the branch, too.
    """
    number = ticket.pull_request.number
    comment = stage.forge.own_comment(number, MARKER_START)
    left = read_marker(comment.body) if comment else None
    question = read_waiting(comment.body) if comment else None
    answer = _answer(ticket, stage)
    if left is None or left.status is not ReportStatus.NEED_DECISION:
        return _no(ticket, NOTHING_WAITS, stage)
    if question is None:
        return _no(ticket, TOO_LONG, stage)
    if problem := unfit(question, answer.choice) or elsewhere(question, answer, ticket.pull_request.head_sha):
        return _no(ticket, f"Not done: {prose(problem)}.", stage)
    reason = f"{ticket.actor.login} decided: {answer.choice}"
    return replace(checkout_ticket(ticket), answer=Decided(question, answer), reason=reason)


def _answer(ticket: CommandTicket, stage: Stage) -> Answer:
    by = ticket.actor.login
    match ticket.command:
        case DecideCommand():
            return Answer(choice=Choice(ticket.command.option), text=stage.redact(ticket.command.text), by=by)
        case ApproveCommand():
            return Answer(choice=Choice.APPROVE, by=by)
        case _:
            return Answer(choice=Choice.DENY, by=by)


def elsewhere(question: Question, answer: Answer, head: str) -> str:
    """Return why a diff cannot be done on this head, empty where it can, or where none is to be done."""
    if answer.choice not in (Choice.A, Choice.APPROVE) or not question.patch or question.base == head:
        return ""
    return f"the diff was made for commit {question.base[:7]}, but the head is {head[:7]}; `/fixloop` asks anew"


def _no(ticket: CommandTicket, text: str, stage: Stage) -> str:
    react(ticket.comment_id, Reaction.EYES, stage)
    reply(ticket.pull_request.number, text, stage)
    react(ticket.comment_id, Reaction.CONFUSED, stage)
    return text
