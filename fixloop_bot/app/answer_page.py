"""An answer that a person who is known by name gives on the service's pages: to the run that goes on."""

from dataclasses import dataclass, replace

from fixloop_bot.app.answer_comment import elsewhere
from fixloop_bot.app.command import checkout_ticket
from fixloop_bot.app.look_up import ParseConfig, routed
from fixloop_bot.core.questions import unfit
from fixloop_bot.core.render.marker import MARKER_START, read_marker
from fixloop_bot.model.answer import Answer, Choice, Decided
from fixloop_bot.model.comment_command import ApproveCommand, DecideCommand, DenyCommand
from fixloop_bot.model.event import Actor, Ignored, Origin, PageTrigger, RepositoryRef
from fixloop_bot.model.history import RunOrigin
from fixloop_bot.model.report import Marker, ReportStatus
from fixloop_bot.model.ticket import CommandTicket, Refused, RouteFacts, RunTicket
from fixloop_bot.ports.forge import Forge

NO_PULL_REQUEST = "The run belongs to no pull request: push to its branch to have it looked at again."


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The run, its question as it was shown, and what was answered."""

    run_id: str
    origin: RunOrigin
    decided: Decided


def to_page_run(asked: Asked, forge: Forge, parse: ParseConfig, *, now: float) -> RunTicket | str:
    """Return the run that goes on with the answer, or why there is none, for the page.

    The gates are those of `/fixloop decide`: write permission, asked at this moment, `triggers` of the base branch's
    file. The question must be the one that fixloop's own comment says is open. Raises `ForgeError`.
    """
    trigger = _trigger(asked)
    if trigger is None:
        return NO_PULL_REQUEST
    ticket = routed(trigger, RouteFacts(identity=forge.identity()), forge, parse, now=now)
    if isinstance(ticket, Ignored | Refused):
        return f"Not done: {ticket.reason}."
    if not isinstance(ticket, CommandTicket):
        return "Not done: it is no answer."
    comment = forge.own_comment(trigger.number, MARKER_START)
    problem = _problem(asked, read_marker(comment.body) if comment else None, ticket.pull_request.head_sha)
    if problem:
        return f"Not done: {problem}."
    answer = asked.decided.answer
    return replace(
        checkout_ticket(ticket), answer=asked.decided, reason=f"{answer.by} decided on the dashboard: {answer.choice}"
    )


def _trigger(asked: Asked) -> PageTrigger | None:
    origin, answer = asked.origin, asked.decided.answer
    if origin.pull_request is None:
        return None
    return PageTrigger(
        origin=Origin(
            repository=RepositoryRef(full_name=origin.repository, id=origin.repository_id),
            sender=Actor(login=answer.by, id=0),
            installation_id=origin.installation_id,
        ),
        command=_command(answer),
        number=origin.pull_request,
    )


def _command(answer: Answer) -> DecideCommand | ApproveCommand | DenyCommand:
    match answer.choice:
        case Choice.A:
            return DecideCommand("A", answer.text)
        case Choice.B:
            return DecideCommand("B", answer.text)
        case Choice.APPROVE:
            return ApproveCommand()
        case Choice.DENY:
            return DenyCommand()


def _problem(asked: Asked, left: Marker | None, head: str) -> str:
    """Return why the answer cannot be acted on, a clause; empty where it can."""
    question, answer = asked.decided.question, asked.decided.answer
    if left is None or left.run_id != asked.run_id or left.status is not ReportStatus.NEED_DECISION:
        return "fixloop's comment on the pull request does not ask this now; look there"
    moved = answer.choice is not Choice.DENY and head not in (left.head_sha, left.pushed_sha)
    if problem := unfit(question, answer.choice) or elsewhere(question, answer, head):
        return problem
    return f"the head moved to {head[:7]} since it was asked; `/fixloop` asks anew" if moved else ""
