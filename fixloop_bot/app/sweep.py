"""A sweep: look over branches and pull requests, choose, and tell on one issue."""

from collections.abc import Iterator
from dataclasses import dataclass

from fixloop_bot.core.own_commit import is_own_message
from fixloop_bot.core.render.dashboard_issue import DASHBOARD_START, to_dashboard_issue
from fixloop_bot.core.render.limits import COMMENT
from fixloop_bot.core.render.report import iso
from fixloop_bot.core.sweep import select
from fixloop_bot.model.config import RepoConfig
from fixloop_bot.model.dashboard import Dashboard, DashboardRow
from fixloop_bot.model.forge import Branch, Issue, ListedPullRequest, TooLarge
from fixloop_bot.model.sweep import Candidate, Selection
from fixloop_bot.model.ticket import Absent
from fixloop_bot.ports import Clock, Progress
from fixloop_bot.ports.forge import Forge

TITLE = "fixloop: sweep"
MOST_LOOKED_AT = 300
"""Branches and pull requests whose checks are asked for in one sweep: each takes a few requests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Swept:
    """What a sweep chose, and where it tells of it."""

    selection: Selection
    issue: Issue | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepOrder:
    """What one sweep is to do."""

    run_usd: float
    """The most that one run may cost, in US dollars."""
    only: tuple[str, ...] = ()
    """Branches that a person asked for; empty: choose by the rules."""
    run_url: str = ""
    boxes: bool = False
    """Somebody listens when a box of the dashboard is ticked."""


def look_over(forge: Forge, config: RepoConfig, clock: Clock, progress: Progress, order: SweepOrder) -> Swept:
    """Choose by the rules of `.fixloop.yml` and write the dashboard issue; nothing is run here."""
    now = clock.now()
    chosen = survey(forge, config, progress, now=now, order=order)
    dashboard = Dashboard(
        rows=tuple(_rows(chosen, order.only)),
        updated_at=iso(now),
        cost_usd=None,
        max_usd=config.sweep.max_usd,
        run_url=order.run_url,
        boxes=order.boxes,
    )
    return Swept(selection=chosen, issue=_tell(forge, dashboard))


def survey(forge: Forge, config: RepoConfig, progress: Progress, *, now: float, order: SweepOrder) -> Selection:
    """Choose by the rules of `.fixloop.yml`; nothing is written. `now` is in seconds since the epoch."""
    candidates = tuple(_candidates(forge, config, progress))
    forks = config.triggers.forks
    chosen = select(candidates, config.sweep, now, forks=forks, run_usd=order.run_usd, only=order.only)
    progress.note(f"{len(candidates)} looked at, {len(chosen.chosen)} chosen")
    return chosen


def _candidates(forge: Forge, config: RepoConfig, progress: Progress) -> Iterator[Candidate]:
    """Yield what may be run on; what no rule can choose costs no request."""
    pulls = forge.open_pull_requests() if config.sweep.pull_requests else ()
    branches = forge.branches() if config.sweep.branches else ()
    left_out = max(len(pulls) + len(branches) - MOST_LOOKED_AT, 0)
    if left_out:
        progress.note(f"{left_out} of the branches and pull requests are not looked at: a sweep takes {MOST_LOOKED_AT}")
    for listed in pulls[:MOST_LOOKED_AT]:
        yield _of_pull_request(forge, listed)
    for branch in branches[: max(MOST_LOOKED_AT - len(pulls), 0)]:
        yield _of_branch(forge, branch)


def _of_pull_request(forge: Forge, listed: ListedPullRequest) -> Candidate:
    pull, standing = listed.pull_request, forge.standing(listed.pull_request.head_sha)
    return Candidate(
        branch=pull.head_branch,
        pull_request=pull.number,
        head_sha=pull.head_sha,
        from_fork=pull.from_fork,
        draft=pull.draft,
        checks=standing.checks,
        active_at=listed.updated_at if standing.active_at is None else standing.active_at,
        own_head=_is_own(forge, pull.head_sha),
        running=standing.running,
        tried_head=standing.tried,
    )


def _of_branch(forge: Forge, branch: Branch) -> Candidate:
    standing = forge.standing(branch.head_sha)
    return Candidate(
        branch=branch.name,
        head_sha=branch.head_sha,
        checks=standing.checks,
        active_at=standing.active_at or 0.0,
        own_head=_is_own(forge, branch.head_sha),
        running=standing.running,
        tried_head=standing.tried,
    )


def _is_own(forge: Forge, sha: str) -> bool:
    message = forge.commit_message(sha)
    return not isinstance(message, Absent) and is_own_message(message)


def _rows(selection: Selection, only: tuple[str, ...]) -> Iterator[DashboardRow]:
    for chosen in selection.chosen:
        asked = "somebody ticked it" if chosen.candidate.branch in only else "its checks fail"
        why = f"{asked}; at most ${chosen.max_cost_usd:.2f}"
        yield _row(chosen.candidate, chosen=True, why=why)
    for skipped in selection.skipped:
        yield _row(skipped.candidate, chosen=False, why=skipped.reason)


def _row(candidate: Candidate, *, chosen: bool, why: str) -> DashboardRow:
    return DashboardRow(branch=candidate.branch, pull_request=candidate.pull_request, chosen=chosen, why=why)


def _tell(forge: Forge, dashboard: Dashboard) -> Issue | None:
    existing = forge.own_issue(DASHBOARD_START)
    for step in range(4):
        written = forge.write_issue(TITLE, to_dashboard_issue(dashboard, limit=COMMENT >> step), existing=existing)
        if not isinstance(written, TooLarge):
            return written
    return None
