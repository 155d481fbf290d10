"""Gates before what a person asked for: permission first, then whether it can be done as it was meant."""

from fixloop_bot.core.automatic_gates import unasked_fork
from fixloop_bot.core.gate import Verdict, known_config, known_pull_request
from fixloop_bot.core.tickets import asked_command, bound_to_head, refuse
from fixloop_bot.model.comment_command import CommandError
from fixloop_bot.model.event import ButtonTrigger, CommentTrigger, Ignored, TickTrigger, Trigger
from fixloop_bot.model.ticket import Absent, Permission, RouteFacts


def stranger(trigger: Trigger, facts: RouteFacts) -> Verdict:
    """Refuse who cannot write to the repository, whatever `.fixloop.yml` says."""
    return _too_little(trigger, facts, Permission.WRITE)


def permitted(trigger: Trigger, facts: RouteFacts) -> Verdict:
    """Refuse who has less than `triggers.min-permission`."""
    return _too_little(trigger, facts, Permission(known_config(facts).min_permission))


def _too_little(trigger: Trigger, facts: RouteFacts, least: Permission) -> Verdict:
    held = facts.permission or Permission.NONE
    if held.rank >= least.rank:
        return None
    return refuse(trigger, f"commands need {least} permission on this repository; this is {held}", reply=False)


def own_button(trigger: Trigger, facts: RouteFacts) -> Verdict:
    """Ignore the button of another app's check run; in an Action, which has no app of its own, the name has to do."""
    own = facts.identity.app_id
    if own is None or not isinstance(trigger, ButtonTrigger) or trigger.app_id == own:
        return None
    return Ignored("the check run is another app's")


def own_dashboard(trigger: Trigger, facts: RouteFacts) -> Verdict:
    """Ignore what is ticked in an issue that merely looks like the dashboard: its boxes may name anything."""
    if isinstance(trigger, TickTrigger) and facts.dashboard == trigger.number:
        return None
    return Ignored("the issue is not the dashboard that fixloop wrote")


def pull_request_found(trigger: Trigger, facts: RouteFacts) -> Verdict:
    """Ignore what has no pull request."""
    if not isinstance(facts.pull_request, Absent):
        return None
    sha = getattr(trigger, "head_sha", "")
    return Ignored(f"no open pull request has commit {sha[:7]} as its head" if sha else "there is no such pull request")


def commands_on(_trigger: Trigger, facts: RouteFacts) -> Verdict:
    """Ignore commands where they are switched off."""
    return None if known_config(facts).commands else Ignored("`triggers.commands` is off in .fixloop.yml")


def mistyped(trigger: Trigger, _facts: RouteFacts) -> Verdict:
    """Refuse a mistyped command with what would have worked."""
    command = asked_command(trigger)
    if not isinstance(command, CommandError):
        return None
    return refuse(trigger, f"the command is not understood: {command.problem}", error=command)


def fork_command(trigger: Trigger, facts: RouteFacts) -> Verdict:
    """Refuse a command on a fork where `triggers.forks` is `never`."""
    found = known_pull_request(trigger, facts)
    if found is None or not found.from_fork or known_config(facts).forks != "never":
        return None
    return refuse(trigger, "this pull request comes from a fork, and `triggers.forks` is `never` in .fixloop.yml")


def closed(trigger: Trigger, facts: RouteFacts) -> Verdict:
    """Refuse to work on a closed pull request."""
    found = known_pull_request(trigger, facts)
    if found is None or found.is_open or not bound_to_head(trigger):
        return None
    return refuse(trigger, "the pull request is closed")


def fresh(trigger: Trigger, facts: RouteFacts) -> Verdict:
    """Refuse a command that is older than the head; GitHub's times have whole seconds, so the same second is older."""
    found, pushed_at = known_pull_request(trigger, facts), facts.head_pushed_at
    if found is None or not isinstance(trigger, CommentTrigger):
        return None
    if isinstance(pushed_at, Absent) or pushed_at is None:
        unknown = "it cannot be told whether this comment is newer than the fork's last push; fixloop does not guess"
        return refuse(trigger, unknown) if found.from_fork else None
    if int(pushed_at) < trigger.created_at:
        return None
    return refuse(
        trigger,
        f"commit {found.head_sha[:7]} was pushed after this comment was written, so it may not be what was meant; "
        "look at it and comment again",
    )


def same_head(trigger: Trigger, facts: RouteFacts) -> Verdict:
    """Refuse a button of an earlier commit, if it acts on the commit."""
    found = known_pull_request(trigger, facts)
    if found is None or not isinstance(trigger, ButtonTrigger) or not bound_to_head(trigger):
        return None
    if found.head_sha == trigger.head_sha:
        return None
    return refuse(
        trigger,
        f"the button belongs to commit {trigger.head_sha[:7]}, but the head is {found.head_sha[:7]} by now",
    )


def dispatched_fork(trigger: Trigger, facts: RouteFacts) -> Verdict:
    """Let who dispatches count as who commands: both take write permission; a schedule is nobody's command."""
    found = known_pull_request(trigger, facts)
    if trigger.origin.sender is None:
        return unasked_fork(found, known_config(facts))
    return fork_command(trigger, facts)


def branch_found(_trigger: Trigger, facts: RouteFacts) -> Verdict:
    """Ignore a branch that is not there."""
    return Ignored("there is no such branch") if isinstance(facts.branch_head, Absent) else None
