"""What a gate of routing is: one short rule, and the fact that it reads."""

from collections.abc import Callable
from dataclasses import dataclass

from fixloop_bot.model.config import TriggersConfig
from fixloop_bot.model.event import Ignored, PullRequest, PullRequestTrigger, Trigger
from fixloop_bot.model.ticket import Fact, Refused, RouteFacts

Verdict = Ignored | Refused | None


@dataclass(frozen=True, slots=True)
class Gate:
    """A rule, and the fact that it reads beside the trigger."""

    check: Callable[[Trigger, RouteFacts], Verdict]
    fact: Fact | None = None


def known_pull_request(trigger: Trigger, facts: RouteFacts) -> PullRequest | None:
    """Return the pull request, from the payload where that has it whole."""
    if isinstance(trigger, PullRequestTrigger):
        return trigger.pull_request
    return facts.pull_request if isinstance(facts.pull_request, PullRequest) else None


def known_config(facts: RouteFacts) -> TriggersConfig:
    """Return the configuration; its defaults where it was not looked up."""
    return facts.config or TriggersConfig()
