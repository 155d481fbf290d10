"""Gates before automatic runs: fixloop never reacts to itself, and does only what is switched on."""

from typing import Final

from fixloop_bot.core.branch_names import is_own_branch
from fixloop_bot.core.gate import Verdict, known_config, known_pull_request
from fixloop_bot.core.own_commit import is_own_message
from fixloop_bot.model.config import TriggersConfig
from fixloop_bot.model.event import CiFailureTrigger, CommentTrigger, Ignored, PullRequest, PullRequestTrigger, Trigger
from fixloop_bot.model.ticket import RouteFacts

MAX_RUNS_OF_DAY: Final = 10
"""Automatic runs on one pull request within 24 hours: the last net under a loop that no other rule sees."""


def own_actor(trigger: Trigger, facts: RouteFacts) -> Verdict:
    """Ignore what one of fixloop's own accounts did."""
    actor = trigger.author if isinstance(trigger, CommentTrigger) else trigger.origin.sender
    if actor is None or actor.id not in facts.identity.actor_ids:
        return None
    return Ignored(f"the event is fixloop's own doing (as {actor.login})")


def own_check(trigger: Trigger, facts: RouteFacts) -> Verdict:
    """Ignore the failure of fixloop's own check or workflow."""
    if not isinstance(trigger, CiFailureTrigger):
        return None
    own = facts.identity
    if own.app_id is not None and trigger.app_id == own.app_id:
        return Ignored("the failing check is fixloop's own")
    if own.workflow_path and trigger.workflow_path == own.workflow_path:
        return Ignored(f"the failing workflow {own.workflow_path} is the one that fixloop runs in")
    return None


def own_commit(trigger: Trigger, facts: RouteFacts) -> Verdict:
    """Ignore a head commit with fixloop's trailer."""
    given = trigger.head_message if isinstance(trigger, CiFailureTrigger) else None
    message = facts.head_message if given is None else given
    if not is_own_message(message or ""):
        return None
    return Ignored("the head commit is fixloop's own (trailer Fixloop-Run); `/fixloop` in a comment starts a run on it")


def own_branch(trigger: Trigger, facts: RouteFacts) -> Verdict:
    """Ignore a pull request that fixloop itself proposed."""
    found = known_pull_request(trigger, facts)
    if found is None or found.from_fork or not is_own_branch(found.head_branch):
        return None
    return Ignored("the branch is fixloop's own proposal; `/fixloop` in a comment starts a run on it")


def current(trigger: Trigger, facts: RouteFacts) -> Verdict:
    """Ignore a failure that no open, ready pull request still has as its head."""
    found = known_pull_request(trigger, facts)
    if found is None or not isinstance(trigger, CiFailureTrigger):
        return None
    if not found.is_open:
        return Ignored("the pull request is closed")
    if found.draft:
        return Ignored("the pull request is a draft; fixloop starts when it is ready for review, or at a command")
    if found.head_sha != trigger.head_sha:
        return Ignored(
            f"the checks failed on {trigger.head_sha[:7]}, but the head is {found.head_sha[:7]} by now; "
            "its own checks will tell"
        )
    return None


def switched_on(trigger: Trigger, facts: RouteFacts) -> Verdict:
    """Ignore what `.fixloop.yml` has switched off."""
    config, found = known_config(facts), known_pull_request(trigger, facts)
    if isinstance(trigger, PullRequestTrigger) and not config.pull_request:
        return Ignored("`triggers.pull-request` is off in .fixloop.yml")
    if isinstance(trigger, CiFailureTrigger) and not config.ci_failure:
        return Ignored("`triggers.ci-failure` is off in .fixloop.yml")
    return unasked_fork(found, config)


def unasked_fork(found: PullRequest | None, config: TriggersConfig) -> Verdict:
    """Ignore a fork where nobody asked, as `triggers.forks` says."""
    if found is None or not found.from_fork or config.forks == "always":
        return None
    if config.forks == "never":
        return Ignored("the pull request comes from a fork, and `triggers.forks` is `never`")
    return Ignored("the pull request comes from a fork; there fixloop starts only at a command (`triggers.forks`)")


def not_tried_yet(trigger: Trigger, facts: RouteFacts) -> Verdict:
    """Ignore a head that had its automatic run, and a pull request that had too many."""
    found, ledger = known_pull_request(trigger, facts), facts.ledger
    if found is None or ledger is None:
        return None
    if ledger.runs_of_head:
        return Ignored(
            f"commit {found.head_sha[:7]} already had its automatic run; a new commit or `/fixloop` starts another"
        )
    if ledger.runs_of_day >= MAX_RUNS_OF_DAY:
        return Ignored(
            f"this pull request already had {ledger.runs_of_day} automatic runs in 24 hours; `/fixloop` starts another"
        )
    return None
