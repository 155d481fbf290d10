"""Writing the ticket for a trigger that passed every gate, and the refusal for one that did not."""

from fixloop_bot.model.comment_command import (
    ApproveCommand,
    CommandError,
    CommentCommand,
    DecideCommand,
    DenyCommand,
    RevertCommand,
    RunCommand,
    RunOptions,
    StopCommand,
)
from fixloop_bot.model.event import (
    Actor,
    Button,
    ButtonTrigger,
    CiFailureTrigger,
    CommentTrigger,
    DispatchTrigger,
    Ignored,
    PageTrigger,
    PullRequest,
    PullRequestTrigger,
    ScheduleTrigger,
    TickTrigger,
    Trigger,
)
from fixloop_bot.model.ticket import CommandTicket, Refused, Routed, RouteFacts, RunTicket, SweepTicket

_OF_BUTTON: dict[Button, CommentCommand] = {
    Button.DECIDE_A: DecideCommand("A"),
    Button.DECIDE_B: DecideCommand("B"),
    Button.APPROVE: ApproveCommand(),
    Button.DENY: DenyCommand(),
    Button.RUN: RunCommand(),
    Button.STOP: StopCommand(),
}


def asked_command(trigger: Trigger) -> CommentCommand | CommandError | None:
    """Return the command that counts: the first of a comment, that of a button or page, None for other triggers."""
    match trigger:
        case CommentTrigger():
            return trigger.commands[0]
        case ButtonTrigger():
            return _OF_BUTTON[trigger.button]
        case PageTrigger():
            return trigger.command
        case _:
            return None


def bound_to_head(trigger: Trigger) -> bool:
    """Return whether the trigger acts on the head commit, so that it has to be the one that the person saw.

    Stop, deny, status and help are never held up: they spend nothing and change nothing.
    """
    command = asked_command(trigger)
    return command is None or isinstance(command, RunCommand | DecideCommand | ApproveCommand | RevertCommand)


def refuse(
    trigger: Trigger, reason: str, *, reply: bool = True, error: CommandError | None = None
) -> Refused | Ignored:
    """Return the refusal for whoever asked; where nobody can be answered the reason goes to the log alone."""
    actor = trigger.author if isinstance(trigger, CommentTrigger) else trigger.origin.sender
    if actor is None or not isinstance(trigger, CommentTrigger | ButtonTrigger):
        return Ignored(reason)
    return Refused(
        origin=trigger.origin,
        actor=actor,
        reason=reason,
        number=_number(trigger),
        comment_id=trigger.comment_id if isinstance(trigger, CommentTrigger) else None,
        reply=reply,
        error=error,
    )


def _number(trigger: CommentTrigger | ButtonTrigger) -> int | None:
    if isinstance(trigger, CommentTrigger):
        return trigger.number
    return trigger.pull_requests[0] if trigger.pull_requests else None


def to_ticket(trigger: Trigger, facts: RouteFacts) -> Routed:
    """Return the ticket of a trigger that passed its gates."""
    found = facts.pull_request if isinstance(facts.pull_request, PullRequest) else None
    match trigger:
        case PullRequestTrigger():
            return _run(trigger, trigger.pull_request, f"the pull request was {_PAST[trigger.action]}")
        case CiFailureTrigger() if found:
            return _run(trigger, found, _failed(trigger))
        case CommentTrigger() | ButtonTrigger() | PageTrigger() if found:
            return _asked(trigger, found)
        case DispatchTrigger() if trigger.target.branch and isinstance(facts.branch_head, str):
            return _branch_run(trigger, facts.branch_head)
        case DispatchTrigger() if trigger.target.pull_request and found:
            return _run(trigger, found, _dispatched(trigger))
        case TickTrigger():
            return SweepTicket(origin=trigger.origin, reason=_ticked(trigger), only=trigger.branches)
        case DispatchTrigger() | ScheduleTrigger():
            return SweepTicket(origin=trigger.origin, reason=_dispatched(trigger))
        case _:
            return Ignored("there is no such pull request")


_PAST = {
    "opened": "opened",
    "reopened": "reopened",
    "synchronize": "pushed to",
    "ready_for_review": "marked ready for review",
}


def _failed(trigger: CiFailureTrigger) -> str:
    what = f"workflow {trigger.workflow_name}".rstrip() if trigger.workflow_run_id else "a check suite"
    ended = "timed out" if trigger.conclusion == "timed_out" else "failed"
    return f"{what} {ended} on {trigger.head_sha[:7]}"


def _dispatched(trigger: DispatchTrigger | ScheduleTrigger) -> str:
    sender = trigger.origin.sender
    return f"{sender.login} started the workflow" if sender else "the schedule started the workflow"


def _ticked(trigger: TickTrigger) -> str:
    who = trigger.origin.sender.login if trigger.origin.sender else "somebody"
    return f"{who} ticked {', '.join(trigger.branches[:5])} in the dashboard"


def _asked(trigger: CommentTrigger | ButtonTrigger | PageTrigger, found: PullRequest) -> Routed:
    command, actor = asked_command(trigger), _asker(trigger)
    if actor is None or command is None or isinstance(command, CommandError):
        return Ignored("nobody is named as the one who asked")
    if isinstance(command, RunCommand):
        return _run(trigger, found, f"{actor.login} asked for it", command.options)
    return CommandTicket(
        origin=trigger.origin,
        command=command,
        pull_request=found,
        actor=actor,
        comment_id=trigger.comment_id if isinstance(trigger, CommentTrigger) else None,
        check_run_id=trigger.check_run_id if isinstance(trigger, ButtonTrigger) else None,
        external_id=trigger.external_id if isinstance(trigger, ButtonTrigger) else "",
    )


def _asker(trigger: Trigger) -> Actor | None:
    return trigger.author if isinstance(trigger, CommentTrigger) else trigger.origin.sender


def _run(trigger: Trigger, found: PullRequest, reason: str, options: RunOptions | None = None) -> RunTicket:
    failed = trigger if isinstance(trigger, CiFailureTrigger) else None
    return RunTicket(
        origin=trigger.origin,
        pull_request=found.number,
        branch=found.head_branch,
        head_sha=found.head_sha,
        head_repository=found.head_repository,
        from_fork=found.from_fork,
        base_branch=found.base_branch,
        options=options or RunOptions(),
        reason=reason,
        automatic=_automatic(trigger),
        workflow_run_ids=(failed.workflow_run_id,) if failed and failed.workflow_run_id else (),
        check_suite_ids=(failed.check_suite_id,) if failed and failed.check_suite_id else (),
        author=found.author,
        title=found.title,
        actor=_asker(trigger),
        comment_id=trigger.comment_id if isinstance(trigger, CommentTrigger) else None,
    )


def _branch_run(trigger: DispatchTrigger, head_sha: str) -> RunTicket:
    return RunTicket(
        origin=trigger.origin,
        pull_request=None,
        branch=trigger.target.branch,
        head_sha=head_sha,
        head_repository=trigger.origin.repository,
        base_branch=trigger.target.branch,
        reason=_dispatched(trigger),
        automatic=_automatic(trigger),
        actor=trigger.origin.sender,
    )


def _automatic(trigger: Trigger) -> bool:
    asked = isinstance(trigger, CommentTrigger | ButtonTrigger | DispatchTrigger) and _asker(trigger) is not None
    return not asked
