"""What a dispatch or a job of a sweep's matrix points at."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from fixloop_bot.core.event_payloads import Field, MalformedError
from fixloop_bot.model.event import DispatchTrigger, Ignored, ScheduleTrigger, Target, TickTrigger

_NUMBER: Final = re.compile(r"#?([1-9][0-9]{0,17})", re.ASCII)


def to_target(inputs: Mapping[str, object]) -> Target | Ignored:
    """Return the target that the inputs `pull-request` and `branch` name; an underscore serves for the hyphen.

    Empty means unset, as everywhere on GitHub. Both at once are refused rather than guessed about.
    """
    number = _given(inputs, "pull-request") or _given(inputs, "pull_request")
    branch = _given(inputs, "branch")
    if number and branch:
        return Ignored("both a pull request and a branch are given; give one of them")
    if number:
        match = _NUMBER.fullmatch(number)
        return Target(pull_request=int(match[1])) if match else Ignored("`pull-request` is not a number above 0")
    try:
        return Target(branch=Field(branch.removeprefix("refs/heads/"), "branch").name()) if branch else Target()
    except MalformedError as error:
        return Ignored(str(error))


Aimable = ScheduleTrigger | DispatchTrigger | TickTrigger


def aim(trigger: Aimable, target: Target) -> DispatchTrigger:
    """Return the trigger with the target that the Action's own inputs name, as in each job of a sweep's matrix.

    The job that chose asked whether the one who ticked may; here nobody counts as the one who asked, as for a schedule.
    """
    if isinstance(trigger, DispatchTrigger):
        return replace(trigger, target=target)
    if isinstance(trigger, TickTrigger):
        return DispatchTrigger(origin=replace(trigger.origin, sender=None), target=target)
    return DispatchTrigger(origin=trigger.origin, target=target)


def _given(inputs: Mapping[str, object], name: str) -> str:
    value = inputs.get(name)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return (f"{value:.0f}" if isinstance(value, float) else str(value))[:1001].strip()
