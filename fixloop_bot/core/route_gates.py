"""Which gates a trigger has to pass, cheapest first."""

from fixloop_bot.core import asked_gates as asked
from fixloop_bot.core import automatic_gates as automatic
from fixloop_bot.core.gate import Gate
from fixloop_bot.core.tickets import bound_to_head
from fixloop_bot.model.event import (
    ButtonTrigger,
    CiFailureTrigger,
    CommentTrigger,
    DispatchTrigger,
    PageTrigger,
    PullRequestTrigger,
    ScheduleTrigger,
    TickTrigger,
    Trigger,
)
from fixloop_bot.model.ticket import Fact


def gates(trigger: Trigger) -> tuple[Gate, ...]:
    """Return the gates of a trigger, cheapest first."""
    match trigger:
        case PullRequestTrigger():
            return (_OWN_ACTOR, _OWN_BRANCH, _SWITCHED_ON, _OWN_COMMIT, _NOT_TRIED)
        case CiFailureTrigger():
            early = Gate(automatic.own_commit) if trigger.head_message is not None else None
            late = None if early else _OWN_COMMIT
            listed = (_OWN_ACTOR, _OWN_CHECK, early, _FOUND, _CURRENT, _OWN_BRANCH, _SWITCHED_ON, late, _NOT_TRIED)
            return tuple(gate for gate in listed if gate)
        case CommentTrigger() | ButtonTrigger() | PageTrigger() | TickTrigger():
            return _of_person(trigger)
        case DispatchTrigger():
            return _of_dispatch(trigger)
        case ScheduleTrigger():
            return ()


def _of_person(trigger: CommentTrigger | ButtonTrigger | PageTrigger | TickTrigger) -> tuple[Gate, ...]:
    match trigger:
        case CommentTrigger():
            fresh = (_FRESH,) if bound_to_head(trigger) else ()
            return (_OWN_ACTOR, _STRANGER, _FOUND, _COMMANDS_ON, _PERMITTED, _MISTYPED, _FORK_COMMAND, _CLOSED, *fresh)
        case ButtonTrigger():
            return (
                _OWN_ACTOR,
                _OWN_BUTTON,
                _STRANGER,
                _FOUND,
                _COMMANDS_ON,
                _PERMITTED,
                _FORK_COMMAND,
                _CLOSED,
                _SAME_HEAD,
            )
        case PageTrigger():
            return (_STRANGER, _FOUND, _COMMANDS_ON, _PERMITTED, _FORK_COMMAND, _CLOSED)
        case TickTrigger():
            return (_OWN_ACTOR, _STRANGER, _COMMANDS_ON, _PERMITTED, _OWN_DASHBOARD)


def _of_dispatch(trigger: DispatchTrigger) -> tuple[Gate, ...]:
    if trigger.target.pull_request:
        return (_FOUND, _CLOSED, _DISPATCHED_FORK)
    return (_BRANCH_FOUND,) if trigger.target.branch else ()


_OWN_ACTOR = Gate(automatic.own_actor)
_OWN_CHECK = Gate(automatic.own_check)
_OWN_BRANCH = Gate(automatic.own_branch)
_OWN_BUTTON = Gate(asked.own_button)
_OWN_DASHBOARD = Gate(asked.own_dashboard, Fact.DASHBOARD)
_FOUND = Gate(asked.pull_request_found, Fact.PULL_REQUEST)
_CURRENT = Gate(automatic.current, Fact.PULL_REQUEST)
_CLOSED = Gate(asked.closed, Fact.PULL_REQUEST)
_SWITCHED_ON = Gate(automatic.switched_on, Fact.CONFIG)
_COMMANDS_ON = Gate(asked.commands_on, Fact.CONFIG)
_PERMITTED = Gate(asked.permitted, Fact.CONFIG)
_FORK_COMMAND = Gate(asked.fork_command, Fact.CONFIG)
_DISPATCHED_FORK = Gate(asked.dispatched_fork, Fact.CONFIG)
_STRANGER = Gate(asked.stranger, Fact.PERMISSION)
_MISTYPED = Gate(asked.mistyped)
_OWN_COMMIT = Gate(automatic.own_commit, Fact.HEAD_MESSAGE)
_FRESH = Gate(asked.fresh, Fact.HEAD_PUSHED_AT)
_SAME_HEAD = Gate(asked.same_head, Fact.PULL_REQUEST)
_NOT_TRIED = Gate(automatic.not_tried_yet, Fact.LEDGER)
_BRANCH_FOUND = Gate(asked.branch_found, Fact.BRANCH_HEAD)
