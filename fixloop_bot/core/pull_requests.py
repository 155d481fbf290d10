"""Which pull request a failing commit, or a button's check run, belongs to."""

from collections.abc import Iterable

from fixloop_bot.model.event import ButtonTrigger, CiFailureTrigger, PullRequest
from fixloop_bot.model.ticket import Absent


def choose(candidates: Iterable[PullRequest], trigger: CiFailureTrigger | ButtonTrigger) -> PullRequest | Absent:
    """Return the pull request that the trigger is about.

    Numbers in the trigger bind. Without them (GitHub leaves the list empty for forks) it is the open pull request whose
    head is the trigger's commit in the trigger's repository and branch, so that two forks with the same commit are not
    mixed up. Of several: the one that still has the commit, ready before draft, then the oldest.
    """
    matching = [candidate for candidate in candidates if _matches(candidate, trigger)]
    return min(matching, key=lambda one: (one.head_sha != trigger.head_sha, one.draft, one.number), default=Absent())


def _matches(candidate: PullRequest, trigger: CiFailureTrigger | ButtonTrigger) -> bool:
    if candidate.base_repository_id != trigger.origin.repository.id:
        return False
    if trigger.pull_requests:
        return candidate.number in trigger.pull_requests
    if not candidate.is_open or candidate.head_sha != trigger.head_sha:
        return False
    return _same_repository(candidate, trigger) and trigger.head_branch in ("", candidate.head_branch)


def _same_repository(candidate: PullRequest, trigger: CiFailureTrigger | ButtonTrigger) -> bool:
    told = trigger.head_repository if isinstance(trigger, CiFailureTrigger) else None
    return told is None or (candidate.head_repository is not None and candidate.head_repository.id == told.id)
