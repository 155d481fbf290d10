"""The shared budgets: what a call is counted for, what may be reserved, and the words for a no."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fixloop_bot.core.budgets import advice, grant, near_end, purses, reason, used_up
from fixloop_bot.core.ending import no_call
from fixloop_bot.model.agent import BudgetRefused
from fixloop_bot.model.outcome import Breaker, Status, TerminalState
from fixloop_bot.model.spending import Account, Budgets, Refusal, Scope, Spending

NOON = 1_796_126_400.0
"""2026-12-01 12:00 UTC."""
ACCOUNT = Account(repository="octo/shop", pull_request=7, author="pat", installation=3)


def spent(usd: float, limit: float | None, scope: Scope = Scope.REPOSITORY, refused: float | None = None) -> Spending:
    day = "" if scope is Scope.PULL_REQUEST else "2026-12-01"
    key = "" if scope is Scope.DAY else "octo/shop"
    return Spending(scope=scope, key=key, day=day, spent_usd=usd, limit_usd=limit, refused_usd=refused)


def test_a_call_is_counted_for_everything_that_it_belongs_to() -> None:
    budgets = Budgets(pull_request=1.0, author_day=2.0, repository_day=3.0, installation_day=4.0, day=5.0)
    found = [(one.scope.value, one.key, one.day, one.limit_usd) for one in purses(ACCOUNT, budgets, NOON)]
    assert found == [
        ("pull-request", "octo/shop#7", "", 1.0),
        ("author", "pat", "2026-12-01", 2.0),
        ("repository", "octo/shop", "2026-12-01", 3.0),
        ("installation", "3", "2026-12-01", 4.0),
        ("day", "", "2026-12-01", 5.0),
    ]


def test_a_branch_without_a_pull_request_has_no_budget_for_life() -> None:
    scopes = [one.scope for one in purses(Account(repository="octo/shop", installation=3), Budgets(), NOON)]
    assert scopes == [Scope.REPOSITORY, Scope.INSTALLATION, Scope.DAY]


@pytest.mark.parametrize("second", [0, 43_199])
def test_a_day_ends_at_midnight_in_utc(second: int) -> None:
    assert purses(ACCOUNT, Budgets(), NOON + second)[-1].day == "2026-12-01"
    assert purses(ACCOUNT, Budgets(), NOON + second + 43_200)[-1].day == "2026-12-02"


@pytest.mark.parametrize(
    ("spendings", "granted"),
    [
        pytest.param([spent(9.0, None)], 2.0, id="what is wished, where nothing bounds it"),
        pytest.param([spent(9.0, 20.0)], 2.0, id="what is wished, where there is enough"),
        pytest.param([spent(9.0, 10.5), spent(0.0, 5.0)], 1.5, id="what the tightest budget can spare"),
        pytest.param([spent(9.0, 10.0)], 1.0, id="the very rest, where the call fits into it"),
    ],
)
def test_what_may_be_reserved(spendings: list[Spending], granted: float) -> None:
    assert grant(spendings, least_usd=1.0, wished_usd=2.0) == granted


def test_the_first_budget_that_cannot_pay_the_least_is_named() -> None:
    narrow, wide = spent(9.5, 10.0, Scope.PULL_REQUEST), spent(100.0, 100.0, Scope.DAY)
    assert grant([narrow, wide], least_usd=1.0, wished_usd=2.0) == Refusal(spending=narrow, needed_usd=1.0)
    assert grant([narrow, wide], least_usd=0.5, wished_usd=2.0) == Refusal(spending=wide, needed_usd=0.5)


def test_a_call_of_unknown_price_is_refused_where_a_budget_is_set() -> None:
    budget = spent(0.0, 10.0)
    refusal = Refusal(spending=budget, needed_usd=None, priced=False)
    assert grant([spent(0.0, None), budget], least_usd=None, wished_usd=0.0) == refusal
    assert grant([spent(0.0, None)], least_usd=None, wished_usd=0.0) == 0.0
    assert "FIXLOOP_MODEL_PRICES" in advice(refusal)
    assert "no price is known" in reason(refusal)


@given(st.lists(st.tuples(st.floats(0.001, 5.0), st.floats(1.0, 3.0), st.floats(0.0, 1.0)), max_size=60))
def test_no_history_of_calls_passes_a_limit(calls: list[tuple[float, float, float]]) -> None:
    """Each call's price, how much room it wishes for, and which part of what it reserved it costs."""
    totals = {Scope.PULL_REQUEST: (0.0, 4.0), Scope.REPOSITORY: (1.0, 7.0), Scope.DAY: (0.0, 20.0)}
    for price, room, part in calls:
        spendings = [spent(total, limit, scope) for scope, (total, limit) in totals.items()]
        granted = grant(spendings, least_usd=price, wished_usd=price * room)
        if isinstance(granted, Refusal):
            assert granted.spending.left_usd < price
            continue
        assert granted >= price
        assert all(one.spent_usd + granted <= (one.limit_usd or 0) + 1e-9 for one in spendings)
        totals = {scope: (total + granted * part, limit) for scope, (total, limit) in totals.items()}


@pytest.mark.parametrize(
    ("spending", "expected"),
    [
        pytest.param(spent(9.99, 10.0), False, id="there is a rest, and no call was refused"),
        pytest.param(spent(10.0, 10.0), True, id="nothing is left"),
        pytest.param(spent(0.0, 0.0), True, id="nothing may be spent at all"),
        pytest.param(spent(9.9, 10.0, refused=0.2), True, id="a call was refused that the rest cannot pay"),
        pytest.param(spent(9.5, 10.0, refused=0.2), False, id="so much was given back that the call would fit now"),
        pytest.param(spent(99.0, None, refused=0.2), False, id="the limit was taken away"),
    ],
)
def test_when_a_run_need_not_begin(spending: Spending, *, expected: bool) -> None:
    assert (used_up([spent(0.0, 1.0), spending]) is not None) is expected


def test_a_refusal_says_which_budget_and_until_when() -> None:
    refusal = Refusal(spending=spent(24.96, 25.0), needed_usd=0.1234)
    assert reason(refusal) == (
        "the day's budget of the repository octo/shop is used up: $24.96 of $25.00 are spent or reserved; "
        "the next model call could cost $0.1234"
    )
    assert advice(refusal) == (
        "wait until 2026-12-02 00:00 UTC, when a new day's budget begins, "
        "or have FIXLOOP_BUDGET_REPOSITORY_DAY_USD of the service raised"
    )
    for_life = advice(Refusal(spending=spent(10.0, 10.0, Scope.PULL_REQUEST), needed_usd=None))
    assert for_life.startswith("have FIXLOOP_BUDGET_PULL_REQUEST_USD of the service raised, or repair")


def test_a_refused_call_ends_the_run_as_any_other_cap_does() -> None:
    end = no_call(BudgetRefused(0.1, 0.0, "the day's budget is used up", "wait"))
    assert (end.status, end.terminal, end.breaker) == (Status.BLOCKED, TerminalState.FAILED_BUDGET, Breaker.BUDGET)
    assert (end.reason, end.suggestion) == ("the day's budget is used up", "wait")


def test_people_are_told_in_time_but_nothing_of_other_repositories() -> None:
    assert near_end([spent(7.99, 10.0), spent(8.0, 10.0, Scope.PULL_REQUEST), spent(99.0, 100.0, Scope.DAY)]) == (
        "the budget of the pull request octo/shop is nearly used up: $8.00 of $10.00",
    )
    assert near_end([spent(9.9, 10.0, refused=0.2), spent(5.0, None), spent(0.0, 0.0)]) == ()
