"""The facts that routing asks for, looked up one at a time."""

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from fixloop_bot.core.gate import known_pull_request
from fixloop_bot.core.pull_requests import choose
from fixloop_bot.core.render.dashboard_issue import DASHBOARD_START
from fixloop_bot.core.route import route
from fixloop_bot.model.config import ConfigError, RepoConfig
from fixloop_bot.model.event import (
    ButtonTrigger,
    CiFailureTrigger,
    CommentTrigger,
    DispatchTrigger,
    PageTrigger,
    PullRequest,
    Trigger,
)
from fixloop_bot.model.ticket import Absent, Ask, Fact, Ledger, Permission, Routed, RouteFacts
from fixloop_bot.ports.forge import ForgeFacts

CONFIG_FILE = ".fixloop.yml"
ParseConfig = Callable[[str, str], RepoConfig | ConfigError]


def routed(trigger: Trigger, facts: RouteFacts, forge: ForgeFacts, parse: ParseConfig, *, now: float) -> Routed:
    """Return what the trigger comes to; asks GitHub only for what the next gate needs."""
    while isinstance(result := route(trigger, facts), Ask):
        facts = look_up(result.fact, trigger, facts, forge, parse, now=now)
    return result


def look_up(
    fact: Fact, trigger: Trigger, facts: RouteFacts, forge: ForgeFacts, parse: ParseConfig, *, now: float
) -> RouteFacts:
    """Return the facts with one more."""
    match fact:
        case Fact.PULL_REQUEST:
            return replace(facts, pull_request=_pull_request(trigger, forge))
        case Fact.BRANCH_HEAD:
            return replace(facts, branch_head=_branch_head(trigger, forge))
        case Fact.CONFIG:
            return replace(facts, config=_config(facts, trigger, forge, parse).triggers)
        case Fact.PERMISSION:
            actor = _actor(trigger)
            return replace(facts, permission=forge.permission(actor) if actor else Permission.NONE)
        case Fact.HEAD_MESSAGE:
            return replace(facts, head_message=_message(trigger, facts, forge))
        case Fact.HEAD_PUSHED_AT:
            return replace(facts, head_pushed_at=_pushed_at(facts, forge))
        case Fact.DASHBOARD | Fact.LEDGER:
            return _own_doings(fact, trigger, facts, forge, now=now)


def base_config(base: str, forge: ForgeFacts, parse: ParseConfig) -> RepoConfig | ConfigError:
    """Return what the base branch's `.fixloop.yml` says: never the pull request's own."""
    text = forge.file(CONFIG_FILE, base)
    return RepoConfig() if text is None else parse(text, CONFIG_FILE)


def _config(facts: RouteFacts, trigger: Trigger, forge: ForgeFacts, parse: ParseConfig) -> RepoConfig:
    """Return the configuration that routing judges by; a broken one is reported when the run begins."""
    found = base_config(_base(trigger, facts), forge, parse)
    return RepoConfig() if isinstance(found, ConfigError) else found


def _base(trigger: Trigger, facts: RouteFacts) -> str:
    found = known_pull_request(trigger, facts)
    return found.base_branch if found else trigger.origin.repository.default_branch or "HEAD"


def _pull_request(trigger: Trigger, forge: ForgeFacts) -> PullRequest | Absent:
    match trigger:
        case CommentTrigger() | PageTrigger():
            return forge.pull_request(trigger.number)
        case DispatchTrigger() if trigger.target.pull_request:
            return forge.pull_request(trigger.target.pull_request)
        case CiFailureTrigger() | ButtonTrigger() if trigger.pull_requests:
            listed = (forge.pull_request(number) for number in trigger.pull_requests)
            return choose((one for one in listed if not isinstance(one, Absent)), trigger)
        case CiFailureTrigger():
            return choose(
                forge.pull_requests_with_head(
                    trigger.head_sha, head_branch=trigger.head_branch, head_repository=trigger.head_repository
                ),
                trigger,
            )
        case ButtonTrigger():
            return choose(forge.pull_requests_with_head(trigger.head_sha, head_branch=trigger.head_branch), trigger)
        case _:
            return Absent()


def _branch_head(trigger: Trigger, forge: ForgeFacts) -> str | Absent:
    wanted = trigger.target.branch if isinstance(trigger, DispatchTrigger) else ""
    return forge.branch_head(wanted) if wanted else Absent()


def _actor(trigger: Trigger) -> str:
    if isinstance(trigger, CommentTrigger):
        return trigger.author.login
    return trigger.origin.sender.login if trigger.origin.sender else ""


def _message(trigger: Trigger, facts: RouteFacts, forge: ForgeFacts) -> str:
    found = known_pull_request(trigger, facts)
    message = forge.commit_message(found.head_sha) if found else Absent()
    return "" if isinstance(message, Absent) else message


def _pushed_at(facts: RouteFacts, forge: ForgeFacts) -> float | Absent:
    found = facts.pull_request
    return forge.head_pushed_at(found) if isinstance(found, PullRequest) else Absent()


def _own_doings(
    fact: Literal[Fact.DASHBOARD, Fact.LEDGER], trigger: Trigger, facts: RouteFacts, forge: ForgeFacts, *, now: float
) -> RouteFacts:
    """Return the facts with what fixloop itself left on GitHub."""
    if fact is Fact.LEDGER:
        return replace(facts, ledger=_ledger(trigger, facts, forge, now))
    found = forge.own_issue(DASHBOARD_START)
    return replace(facts, dashboard=found.number if found else Absent())


def _ledger(trigger: Trigger, facts: RouteFacts, forge: ForgeFacts, now: float) -> Ledger:
    found = known_pull_request(trigger, facts)
    return forge.ledger(found, now=now) if found else Ledger()
