"""Which branches and pull requests a sweep runs on, in the order that wastes least."""

import json
from collections.abc import Collection, Iterable, Sequence
from typing import Final, Literal

from fixloop_bot.core.branch_globs import matches
from fixloop_bot.core.branch_names import is_own_branch, proposes_for
from fixloop_bot.model.config import SweepConfig
from fixloop_bot.model.sweep import Candidate, Checks, Chosen, Selection, Skipped

DAY_S: Final = 86_400
MAX_JOBS: Final = 256
"""GitHub's limit of jobs in one matrix."""
RUN_USD: Final = 3.0
LEAST_USD: Final = 0.05
"""A run with less to spend could not pay one model call worth having."""

Forks = Literal["command", "never", "always"]


def select(
    candidates: Sequence[Candidate],
    rules: SweepConfig,
    now: float,
    *,
    forks: Forks = "command",
    run_usd: float = RUN_USD,
    only: Collection[str] = (),
) -> Selection:
    """Return what to run on and why the rest is left out; `now` is in seconds since the epoch.

    Order: fewest failed runs first, then the cheapest expected (the unknown as dear as a run may be), then the most
    recently active, then by name. Each chosen run gets at most `run_usd`, and all together at most `rules.max_usd`, so
    that the cap holds even if every run spends its whole share. A branch with an open pull request counts as that.
    With `only`, branches that a person asked for, these are chosen whatever their checks and their age, and no other.
    """
    skipped, left = list[Skipped](), list[Candidate]()
    of_pull_requests = {one.branch for one in candidates if one.pull_request and not one.from_fork}
    for candidate in candidates:
        reason = _reason(candidate, rules, now, forks, only) or _doubled(candidate, rules, of_pull_requests)
        if reason:
            skipped.append(Skipped(candidate=candidate, reason=reason))
        else:
            left.append(candidate)
    chosen, over = _within_caps(sorted(left, key=lambda one: _order(one, run_usd)), rules, run_usd)
    return Selection(chosen=chosen, skipped=(*skipped, *over))


def _reason(candidate: Candidate, rules: SweepConfig, now: float, forks: Forks, only: Collection[str]) -> str:
    """Return why a candidate is left out for what it is, empty where it is not."""
    if candidate.branch in only:
        return _not_wanted(candidate, rules, forks) or _under_way(candidate)
    reason = _for_itself(candidate, rules, now, forks)
    return reason or ("its checks fail; the next sweep chooses among those" if only else "")


def _for_itself(candidate: Candidate, rules: SweepConfig, now: float, forks: Forks) -> str:
    return _not_wanted(candidate, rules, forks) or _not_failing(candidate) or _not_worth_it(candidate, rules, now)


def _not_wanted(candidate: Candidate, rules: SweepConfig, forks: Forks) -> str:
    if is_own_branch(candidate.branch) and not candidate.from_fork:
        return "the branch is fixloop's own"
    if candidate.pull_request is None:
        return "" if matches(candidate.branch, rules.branches) else "no pattern in `sweep.branches` matches"
    if not rules.pull_requests:
        return "`sweep.pull-requests` is off"
    if candidate.draft:
        return "the pull request is a draft"
    if candidate.from_fork and forks != "always":
        return f"the pull request comes from a fork, and `triggers.forks` is `{forks}`"
    return ""


def _not_failing(candidate: Candidate) -> str:
    match candidate.checks:
        case Checks.FAILING:
            return ""
        case Checks.PASSING:
            return "its checks pass"
        case Checks.PENDING:
            return "its checks still run"
        case Checks.NONE:
            return "no check ran on its head commit"


def _not_worth_it(candidate: Candidate, rules: SweepConfig, now: float) -> str:
    if under_way := _under_way(candidate):
        return under_way
    if candidate.own_head:
        return "its head commit is fixloop's own, and nobody pushed since"
    if candidate.tried_head:
        return "a run on its head commit has ended, and nobody pushed since"
    days = (now - candidate.active_at) / DAY_S
    if rules.stale_days and days > rules.stale_days:
        return f"nobody pushed for {days:.0f} days; `sweep.stale-days` is {rules.stale_days}"
    return ""


def _under_way(candidate: Candidate) -> str:
    return "a run is under way, or waits for a decision" if candidate.running else ""


def _doubled(candidate: Candidate, rules: SweepConfig, of_pull_requests: set[str]) -> str:
    proposed = sorted(own for own in of_pull_requests if proposes_for(candidate.branch, own))
    if proposed and not candidate.from_fork:
        return f"an open pull request from {proposed[0]} proposes a repair already"
    if rules.pull_requests and candidate.pull_request is None and candidate.branch in of_pull_requests:
        return "it is looked at as a pull request"
    return ""


def _order(candidate: Candidate, run_usd: float) -> tuple[int, float, float, str, int]:
    expected = run_usd if candidate.expected_usd is None else candidate.expected_usd
    return (candidate.failed_attempts, expected, -candidate.active_at, candidate.branch, candidate.pull_request or 0)


def _within_caps(
    ordered: Iterable[Candidate], rules: SweepConfig, run_usd: float
) -> tuple[tuple[Chosen, ...], tuple[Skipped, ...]]:
    chosen, skipped, left_usd = list[Chosen](), list[Skipped](), rules.max_usd
    most = min(rules.max_runs, MAX_JOBS)
    for candidate in ordered:
        share = int(min(run_usd, left_usd) * 100 + 1e-6) / 100
        if len(chosen) >= most:
            skipped.append(Skipped(candidate=candidate, reason=f"the sweep already has {most} runs"))
        elif share < max(candidate.expected_usd or 0, LEAST_USD):
            skipped.append(Skipped(candidate=candidate, reason=_too_dear(candidate, share)))
        else:
            chosen.append(Chosen(candidate=candidate, max_cost_usd=share))
            left_usd = max(left_usd - share, 0)
    return tuple(chosen), tuple(skipped)


def _too_dear(candidate: Candidate, share: float) -> str:
    expected = f"; about ${candidate.expected_usd:.2f} is expected" if candidate.expected_usd else ""
    return f"only ${share:.2f} may be spent on it within the sweep's cap{expected}"


def matrix_json(selection: Selection) -> str:
    """Return the Action's output `targets`: one line of ASCII, a JSON list with an object for each job.

    Use: `strategy: {matrix: {target: ${{ fromJSON(needs.select.outputs.targets) }}}}`, and
    `if: needs.select.outputs.targets != '[]'`, since GitHub refuses an empty matrix. Every value is a text, ready to be
    an input; of `pull-request` and `branch` one is empty.
    """
    return json.dumps([_job(chosen) for chosen in selection.chosen], separators=(",", ":"))


def _job(chosen: Chosen) -> dict[str, str]:
    candidate = chosen.candidate
    return {
        "name": candidate.name,
        "pull-request": str(candidate.pull_request or ""),
        "branch": "" if candidate.pull_request else candidate.branch,
        "max-cost-usd": f"{chosen.max_cost_usd:.2f}",
    }
