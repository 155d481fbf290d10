"""`Ledger` in the service's database: held against every budget and reserved, in one transaction."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Row, text
from sqlalchemy.exc import InterfaceError, OperationalError

from fixloop_bot.adapters.service_database import PATIENCE_S, Database
from fixloop_bot.core.budgets import day_of, grant, limit_of, purses, used_up
from fixloop_bot.model.spending import Account, Budgets, Lost, Purse, Refusal, Reservation, Scope, Spending

SETTLE_PATIENCE_S: Final = 20.0
"""A reply that is paid for must not wait long for the books: what is not settled counts as what it reserved."""

_MILLIONTHS: Final = 1_000_000
_MINE: Final = text("SELECT 1 FROM jobs WHERE job_id = :id AND claim = :claim AND state = 'running'")
_KNOWN: Final = text("SELECT amount, reserved_at FROM reservations WHERE call_id = :call")
_RESERVE: Final = text("INSERT INTO reservations VALUES (:call, :amount, :now)")
_CLOSE: Final = text("DELETE FROM reservations WHERE call_id = :call")
_SPENT: Final = text("SELECT spent, refused FROM spending WHERE scope = :scope AND name = :name AND day = :day")
_ADD: Final = text("""
    INSERT INTO spending (scope, name, day, spent) VALUES (:scope, :name, :day, :amount)
    ON CONFLICT (scope, name, day) DO UPDATE SET spent = spending.spent + :amount
""")
_REFUSE: Final = text("""
    INSERT INTO spending (scope, name, day, refused) VALUES (:scope, :name, :day, :amount)
    ON CONFLICT (scope, name, day) DO UPDATE SET refused =
        CASE WHEN spending.refused = 0 OR spending.refused > :amount THEN :amount ELSE spending.refused END
""")
_LARGEST: Final = text("""
    SELECT name, spent, refused FROM spending WHERE scope = :scope AND day = :day
    ORDER BY spent DESC, name LIMIT :most
""")


@dataclass(frozen=True, slots=True, kw_only=True)
class JobLedger:
    """The budgets as one claimed job sees them: a claim that stands no longer gets no money."""

    database: Database
    budgets: Budgets
    account: Account
    job_id: str
    claim: int

    def reserve(self, call: str, *, least_usd: float | None, wished_usd: float) -> Reservation | Refusal | Lost:
        """See `ports.ledger.Ledger`."""
        call_id = f"{self.job_id}/{self.claim}/{call}"

        def work(connection: Connection) -> Reservation | Refusal | Lost:
            if connection.execute(_MINE, {"id": self.job_id, "claim": self.claim}).first() is None:
                return Lost()
            now = self.database.now(connection)
            known = connection.execute(_KNOWN, {"call": call_id}).first()
            if known is not None:  # the answer of the first try never came
                return _reserved(call_id, int(known.amount), purses(self.account, self.budgets, known.reserved_at))
            asked = purses(self.account, self.budgets, now)
            granted = grant(_spendings(connection, asked), least_usd=least_usd, wished_usd=wished_usd)
            if isinstance(granted, Refusal):
                _note_refusal(connection, granted)
                return granted
            amount = _millionths(granted)
            _add(connection, asked, amount)
            connection.execute(_RESERVE, {"call": call_id, "amount": amount, "now": now})
            return _reserved(call_id, amount, asked)

        return self.database.write(work)

    def settle(self, reservation: Reservation, actual_usd: float | None) -> None:
        """See `ports.ledger.Ledger`. A database that stays away changes nothing: more is counted then, never less."""
        if actual_usd is None:
            return
        correction = _millionths(actual_usd) - _millionths(reservation.usd)

        def work(connection: Connection) -> None:
            if connection.execute(_CLOSE, {"call": reservation.call}).rowcount == 1:
                _add(connection, reservation.purses, correction)

        try:
            self.database.write(work, patience=SETTLE_PATIENCE_S)
        except (OperationalError, InterfaceError):
            return

    def used_up(self) -> Refusal | None:
        """See `ports.ledger.Ledger`."""
        return used_up(self.spendings())

    def spendings(self) -> tuple[Spending, ...]:
        """See `ports.ledger.Ledger`."""

        def work(connection: Connection) -> tuple[Spending, ...]:
            return _spendings(connection, purses(self.account, self.budgets, self.database.now(connection)))

        return self.database.read(work)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendingBook:
    """What the whole service spends, to be looked at."""

    database: Database
    budgets: Budgets

    def today(self, *, patience: float = PATIENCE_S) -> Spending:
        """Return what is spent on the present day in UTC."""

        def work(connection: Connection) -> Spending:
            every = purses(Account(repository=""), self.budgets, self.database.now(connection))
            return _spendings(connection, every[-1:])[0]

        return self.database.read(work, patience=patience)

    def largest(self, scope: Scope, *, most: int = 50) -> tuple[Spending, ...]:
        """Return the largest of a scope: of today, or of all time for pull requests."""

        def work(connection: Connection) -> tuple[Spending, ...]:
            day = "" if scope is Scope.PULL_REQUEST else day_of(self.database.now(connection))
            rows = connection.execute(_LARGEST, {"scope": scope.value, "day": day, "most": most}).all()
            limit = limit_of(scope, self.budgets)
            return tuple(_spending(Purse(scope=scope, key=row.name, day=day, limit_usd=limit), row) for row in rows)

        return self.database.read(work)


def _reserved(call_id: str, amount: int, asked: Sequence[Purse]) -> Reservation:
    return Reservation(call=call_id, usd=amount / _MILLIONTHS, purses=tuple(asked))


def _add(connection: Connection, asked: Sequence[Purse], amount: int) -> None:
    connection.execute(_ADD, [{**_place(purse), "amount": amount} for purse in asked])


def _note_refusal(connection: Connection, refusal: Refusal) -> None:
    """Remember the smallest call that the budget has refused: until more is left, no run need begin."""
    if refusal.needed_usd is not None:
        connection.execute(_REFUSE, {**_place(refusal.spending), "amount": _millionths(refusal.needed_usd)})


def _spendings(connection: Connection, asked: Sequence[Purse]) -> tuple[Spending, ...]:
    return tuple(_spending(purse, connection.execute(_SPENT, _place(purse)).first()) for purse in asked)


def _spending(purse: Purse, row: Row[Any] | None) -> Spending:
    return Spending(
        scope=purse.scope,
        key=purse.key,
        day=purse.day,
        spent_usd=row.spent / _MILLIONTHS if row else 0.0,
        limit_usd=purse.limit_usd,
        refused_usd=row.refused / _MILLIONTHS if row and row.refused else None,
    )


def _place(purse: Purse | Spending) -> dict[str, object]:
    return {"scope": purse.scope.value, "name": purse.key, "day": purse.day}


def _millionths(usd: float) -> int:
    """Return the sum rounded up: what is left of a budget is never overstated."""
    return math.ceil(round(usd * _MILLIONTHS, 3))
