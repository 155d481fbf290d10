"""The shared budgets: asked and reserved at once, corrected when the cost is known, never overspent, never lost.

The tests for PostgreSQL are these, with another `database` (tests/system/test_postgres.py).
"""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from sqlalchemy import text

from fixloop_bot.adapters.job_claims import JobClaims
from fixloop_bot.adapters.ledger import JobLedger, SpendingBook
from fixloop_bot.adapters.service_database import Database
from fixloop_bot.model.spending import Account, Budgets, Lost, Refusal, Reservation, Scope, Spending
from fixloop_bot.ports.jobs import Capacity, JobKind
from fixloop_bot.ports.ledger import Ledger
from tests.adapters.conftest import SHOP, ToLedger


def reserve(ledger: Ledger, call: str = "1.1", usd: float = 1.0, wished: float = 0.0) -> Reservation:
    done = ledger.reserve(call, least_usd=usd, wished_usd=max(usd, wished))
    assert isinstance(done, Reservation)
    return done


def refused(ledger: Ledger, call: str = "1.1", usd: float = 1.0) -> Spending:
    done = ledger.reserve(call, least_usd=usd, wished_usd=usd)
    assert isinstance(done, Refusal)
    return done.spending


def sums(ledger: Ledger) -> dict[str, float]:
    return {one.scope.value: one.spent_usd for one in ledger.spendings()}


def test_a_call_counts_as_what_it_reserves_until_its_cost_is_known(ledger: ToLedger) -> None:
    one = ledger()
    reservation = reserve(one, usd=0.5, wished=1.25)
    assert reservation.usd == 1.25
    everywhere = {"pull-request": 1.25, "author": 1.25, "repository": 1.25, "installation": 1.25, "day": 1.25}
    assert sums(one) == everywhere
    one.settle(reservation, 0.010001)
    assert sums(one) == dict.fromkeys(everywhere, 0.010001)


def test_a_cost_that_nobody_knows_stays_what_was_reserved(ledger: ToLedger) -> None:
    one = ledger()
    one.settle(reserve(one), None)
    assert sums(one)["day"] == 1.0


def test_a_cost_above_the_reservation_is_told_as_it_is(ledger: ToLedger) -> None:
    one = ledger(day=1.0)
    one.settle(reserve(one), 1.5)
    assert sums(one)["day"] == 1.5
    assert refused(one, "1.2", 0.1).left_usd == 0.0


ELSEWHERE = Account(repository="octo/other", pull_request=8, author="rita", installation=4)


@pytest.mark.parametrize(
    ("limit", "beside"),
    [
        ("pull_request", Account(repository="octo/shop", pull_request=8, author="pat", installation=3)),
        ("author_day", Account(repository="octo/shop", pull_request=7, author="rita", installation=3)),
        ("repository_day", Account(repository="octo/other", pull_request=7, author="pat", installation=3)),
        ("installation_day", Account(repository="octo/shop", pull_request=7, author="pat", installation=4)),
    ],
)
def test_a_budget_that_is_used_up_stops_its_own_and_nobody_else(ledger: ToLedger, limit: str, beside: Account) -> None:
    reserve(ledger(**{limit: 1.5}))
    spending = refused(ledger(**{limit: 1.5}))
    assert (spending.spent_usd, spending.limit_usd) == (1.0, 1.5)
    reserve(ledger(beside, **{limit: 1.5}))


def test_the_budget_of_a_day_stops_everybody(ledger: ToLedger) -> None:
    reserve(ledger(day=1.5))
    assert refused(ledger(ELSEWHERE, day=1.5)).scope is Scope.DAY


def test_a_new_day_begins_anew_but_a_pull_request_does_not(ledger: ToLedger, database: Database) -> None:
    one = ledger()
    reserve(one)
    with database.transaction() as connection:
        connection.execute(text("UPDATE spending SET day = '2001-01-01' WHERE day <> ''"))
    assert sums(one) == {"pull-request": 1.0, "author": 0.0, "repository": 0.0, "installation": 0.0, "day": 0.0}


def test_many_at_once_never_pass_a_limit(ledger: ToLedger) -> None:
    jobs = [ledger(repository_day=2.0, day=50.0) for _ in range(8)]
    together = Barrier(len(jobs))

    def spend(one: JobLedger) -> float:
        together.wait()
        kept = 0.0
        for number in range(6):
            done = one.reserve(f"1.{number}", least_usd=0.07, wished_usd=0.11)
            assert sums(one)["repository"] <= 2.0
            if isinstance(done, Reservation):
                one.settle(done, 0.01 if number % 2 else None)
                kept += 0.01 if number % 2 else done.usd
        return kept

    with ThreadPoolExecutor(len(jobs)) as pool:
        kept = sum(pool.map(spend, jobs))
    assert sums(jobs[0])["repository"] == pytest.approx(kept, abs=1e-9)
    assert 1.0 < kept <= 2.0, "the least that is kept where a call was refused while the seven others held the most"


def test_the_same_call_again_is_the_same_reservation_and_ends_once(ledger: ToLedger) -> None:
    one = ledger()
    first, again = reserve(one), reserve(one, usd=2.0)
    assert again == first
    for _ in range(2):
        one.settle(first, 0.25)
    assert sums(one)["day"] == 0.25


def test_a_call_in_which_the_process_died_stays_counted_beside_the_one_in_its_place(
    ledger: ToLedger, database: Database
) -> None:
    dead = ledger()
    reserve(dead)
    claims = JobClaims(database, "worker", Capacity())
    claims.take_over("worker")
    job = claims.claim(JobKind.RUN)
    assert job is not None
    name = job.order.job_id
    alive = JobLedger(database=database, budgets=Budgets(), account=SHOP, job_id=name, claim=job.claim)
    alive.settle(reserve(alive), 0.25)
    assert sums(alive)["pull-request"] == 1.25


def test_who_has_lost_the_job_gets_no_money(ledger: ToLedger, database: Database) -> None:
    one = ledger()
    JobClaims(database, "other", Capacity()).take_over("worker")
    assert one.reserve("1.1", least_usd=1.0, wished_usd=1.0) == Lost()
    assert sums(one)["day"] == 0.0


def test_a_call_of_unknown_price_needs_a_service_without_budgets(ledger: ToLedger) -> None:
    done = ledger(day=5.0).reserve("1.1", least_usd=None, wished_usd=0.0)
    assert isinstance(done, Refusal)
    assert not done.priced
    free = ledger()
    granted = free.reserve("1.1", least_usd=None, wished_usd=0.0)
    assert isinstance(granted, Reservation)
    free.settle(granted, 0.4)
    assert sums(free)["day"] == 0.4


def test_a_refused_call_keeps_runs_from_beginning_until_it_would_fit(ledger: ToLedger) -> None:
    one, limits = ledger(repository_day=2.0), {"repository_day": 2.0}
    held = reserve(one, usd=1.5)
    assert one.used_up() is None
    refused(one, "1.2", 0.75)
    refused(one, "1.3", 1.0)
    used_up = ledger(**limits).used_up()
    assert used_up is not None
    assert used_up.spending.refused_usd == 0.75
    assert ledger(ELSEWHERE, **limits).used_up() is None
    one.settle(held, 1.25)
    assert ledger(**limits).used_up() is None


def test_the_book_shows_the_day_and_who_spent_most(ledger: ToLedger, database: Database) -> None:
    reserve(ledger(), usd=0.5)
    reserve(ledger(ELSEWHERE), usd=2.0)
    book = SpendingBook(database=database, budgets=Budgets(day=10.0, pull_request=4.0))
    today = book.today()
    assert (today.scope, today.spent_usd, today.limit_usd) == (Scope.DAY, 2.5, 10.0)
    assert [(one.key, one.spent_usd) for one in book.largest(Scope.REPOSITORY)] == [
        ("octo/other", 2.0),
        ("octo/shop", 0.5),
    ]
    (largest,) = book.largest(Scope.PULL_REQUEST, most=1)
    assert (largest.key, largest.limit_usd) == ("octo/other#8", 4.0)
