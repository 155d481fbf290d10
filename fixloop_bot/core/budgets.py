"""Which shared budgets a model call has to ask, what they answer, and the words for it."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from fixloop_bot.model.spending import Account, Budgets, Purse, Refusal, Scope, Spending

NEAR: Final = 0.8
"""Part of a budget from which on people are told that it comes to its end."""

VARIABLES: Final = {
    Scope.PULL_REQUEST: "FIXLOOP_BUDGET_PULL_REQUEST_USD",
    Scope.AUTHOR: "FIXLOOP_BUDGET_AUTHOR_DAY_USD",
    Scope.REPOSITORY: "FIXLOOP_BUDGET_REPOSITORY_DAY_USD",
    Scope.INSTALLATION: "FIXLOOP_BUDGET_INSTALLATION_DAY_USD",
    Scope.DAY: "FIXLOOP_BUDGET_DAY_USD",
}

_OWN: Final = (Scope.PULL_REQUEST, Scope.AUTHOR, Scope.REPOSITORY)
"""What a pull request's readers may be told of unasked; sums over other repositories are nobody's business there."""


def day_of(now: float) -> str:
    """Return the day in UTC of a time in seconds since the epoch, `2026-11-30`."""
    return datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%d")


def limit_of(scope: Scope, budgets: Budgets) -> float | None:
    """Return the limit of a scope, None for none."""
    match scope:
        case Scope.PULL_REQUEST:
            return budgets.pull_request
        case Scope.AUTHOR:
            return budgets.author_day
        case Scope.REPOSITORY:
            return budgets.repository_day
        case Scope.INSTALLATION:
            return budgets.installation_day
        case Scope.DAY:
            return budgets.day


def purses(account: Account, budgets: Budgets, now: float) -> tuple[Purse, ...]:
    """Return all that a call made at `now` is counted for, the narrowest first; most of them may have no limit."""
    keys = {
        Scope.PULL_REQUEST: "" if account.pull_request is None else f"{account.repository}#{account.pull_request}",
        Scope.AUTHOR: account.author,
        Scope.REPOSITORY: account.repository,
        Scope.INSTALLATION: str(account.installation),
        Scope.DAY: "",
    }
    return tuple(
        Purse(
            scope=scope,
            key=key,
            day="" if scope is Scope.PULL_REQUEST else day_of(now),
            limit_usd=limit_of(scope, budgets),
        )
        for scope, key in keys.items()
        if key or scope is Scope.DAY
    )


def grant(spendings: Sequence[Spending], *, least_usd: float | None, wished_usd: float) -> float | Refusal:
    """Return what may be reserved for a call, or the first budget that does not allow its least price.

    A call of unknown price is refused as soon as any budget is set, and reserves nothing where none is.
    """
    limited = [spending for spending in spendings if spending.limit_usd is not None]
    if least_usd is None:
        return Refusal(spending=limited[0], needed_usd=None, priced=False) if limited else 0.0
    for spending in limited:
        if spending.left_usd < least_usd:
            return Refusal(spending=spending, needed_usd=least_usd)
    return min((wished_usd, *(spending.left_usd for spending in limited)))


def used_up(spendings: Sequence[Spending]) -> Refusal | None:
    """Return the first budget of which nothing is left, or less than a call that it has refused; None for none."""
    found = next((spending for spending in spendings if is_used_up(spending)), None)
    return Refusal(spending=found, needed_usd=None) if found else None


def is_used_up(spending: Spending) -> bool:
    """Return whether a budget leaves no room for a call, as far as it can be known."""
    refused = spending.refused_usd is not None and spending.left_usd < spending.refused_usd
    return spending.left_usd <= 0 or (refused and spending.limit_usd is not None)


def reason(refusal: Refusal) -> str:
    """Return why a call is refused: which budget, what is spent, and of what."""
    spending = refusal.spending
    if not refusal.priced:
        return f"no price is known for the model, so that {_named(spending)} could not be kept"
    sums = f"{_dollars(spending.spent_usd)} of {_dollars(spending.limit_usd or 0.0)} are spent or reserved"
    needed = "" if refusal.needed_usd is None else f"; the next model call could cost {_dollars(refusal.needed_usd)}"
    return f"{_named(spending)} is used up: {sums}{needed}"


def advice(refusal: Refusal) -> str:
    """Return when there is money again, and what a person can do until then."""
    spending = refusal.spending
    if not refusal.priced:
        return "have the model's price named in FIXLOOP_MODEL_PRICES of the service"
    raised = f"have {VARIABLES[spending.scope]} of the service raised"
    if not spending.day:
        return f"{raised}, or repair what is left by hand: this budget is for the pull request's whole life"
    return f"wait until {_next_day(spending.day)}, when a new day's budget begins, or {raised}"


def near_end(spendings: Sequence[Spending]) -> tuple[str, ...]:
    """Return a clause for each budget of the pull request's own world that is nearly, but not yet, used up."""
    return tuple(
        f"{_named(one)} is nearly used up: {_dollars(one.spent_usd)} of {_dollars(one.limit_usd)}"
        for one in spendings
        if one.scope in _OWN and one.limit_usd and one.spent_usd >= NEAR * one.limit_usd and not is_used_up(one)
    )


def _named(spending: Spending) -> str:
    match spending.scope:
        case Scope.PULL_REQUEST:
            return f"the budget of the pull request {spending.key}"
        case Scope.AUTHOR:
            return f"the day's budget for pull requests of {spending.key}"
        case Scope.REPOSITORY:
            return f"the day's budget of the repository {spending.key}"
        case Scope.INSTALLATION:
            return f"the day's budget of the installation {spending.key}"
        case Scope.DAY:
            return "the day's budget of the whole service"


def _next_day(day: str) -> str:
    """Return when the day is over, `2026-12-01 00:00 UTC`."""
    return f"{datetime.fromisoformat(day) + timedelta(days=1):%Y-%m-%d %H:%M} UTC"


def _dollars(usd: float) -> str:
    """Return cents for whole dollars, and finer for less, where a cent may be the whole difference."""
    return f"${usd:.2f}" if usd >= 1 or not usd else f"${usd:.4f}"
