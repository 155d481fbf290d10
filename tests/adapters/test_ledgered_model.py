"""A model behind the shared budgets: when it is called, with how long a reply, and what is written down of it."""

from dataclasses import dataclass, field, replace

import pytest

from fixloop_bot.adapters.ledgered_model import LedgeredModel
from fixloop_bot.adapters.scripted_model import ScriptedModel
from fixloop_bot.core.budgets import grant, used_up
from fixloop_bot.model.agent import (
    AssistantTurn,
    BudgetRefused,
    ModelAlias,
    ModelOutcome,
    ModelReply,
    ModelRequest,
    PromptTooLong,
    ProviderDown,
    UserTurn,
)
from fixloop_bot.model.spending import Lost, Refusal, Reservation, Scope, Spending

HELLO = AssistantTurn("hello")
REQUEST = ModelRequest(
    model=ModelAlias.SONNET, system="", turns=(UserTurn("?"),), max_tokens=8_000, deadline=9.0, key="1.1", max_usd=3.0
)


@dataclass
class OneBudget:
    """`Ledger` over a single budget; `tests/adapters/test_ledger.py` holds the real one."""

    limit: float | None = None
    spent: float = 0.0
    lost: bool = False
    asked: list[tuple[float | None, float]] = field(default_factory=list)
    settled: list[float | None] = field(default_factory=list)

    def reserve(self, call: str, *, least_usd: float | None, wished_usd: float) -> Reservation | Refusal | Lost:
        self.asked.append((least_usd, wished_usd))
        granted = grant(self.spendings(), least_usd=least_usd, wished_usd=wished_usd)
        if self.lost:
            return Lost()
        return granted if isinstance(granted, Refusal) else Reservation(call=call, usd=granted, purses=())

    def settle(self, reservation: Reservation, actual_usd: float | None) -> None:
        assert reservation.call == "1.1"
        self.settled.append(actual_usd)

    def used_up(self) -> Refusal | None:
        return used_up(self.spendings())

    def spendings(self) -> tuple[Spending, ...]:
        return (Spending(scope=Scope.DAY, key="", day="2026-12-01", spent_usd=self.spent, limit_usd=self.limit),)


class ByLength(ScriptedModel):
    """A cent for a hundred tokens of the longest reply."""

    def quote(self, request: ModelRequest) -> float | None:
        return request.max_tokens / 10_000


def left() -> None:
    """Be told to leave."""


def ledgered(model: ScriptedModel, ledger: OneBudget) -> LedgeredModel:
    return LedgeredModel(model=model, ledger=ledger, leave=left)


def test_room_is_reserved_for_one_whole_try_more_and_bounds_the_call() -> None:
    model, ledger = ByLength([HELLO], price_usd=0.3), OneBudget(limit=10.0)
    assert isinstance(ledgered(model, ledger).reply(REQUEST), ModelReply)
    assert ledger.asked == [(0.2, 1.6)]
    assert (model.requests[0].max_tokens, model.requests[0].max_usd) == (8_000, 1.6)
    assert ledger.settled == [0.3]


def test_no_more_is_wished_for_than_the_run_has_left() -> None:
    model, ledger = ByLength([HELLO]), OneBudget(limit=10.0)
    ledgered(model, ledger).reply(replace(REQUEST, max_usd=0.9))
    assert ledger.asked == [(0.2, 0.9)]


def test_a_reply_is_made_shorter_before_a_budget_refuses_it() -> None:
    model, ledger = ByLength([HELLO]), OneBudget(limit=10.0, spent=9.5)
    assert isinstance(ledgered(model, ledger).reply(REQUEST), ModelReply)
    assert (model.requests[0].max_tokens, model.requests[0].max_usd) == (4_000, 0.5)


def test_a_refused_call_is_not_made_and_says_why() -> None:
    model, ledger = ByLength([HELLO]), OneBudget(limit=10.0, spent=9.9)
    outcome = ledgered(model, ledger).reply(REQUEST)
    assert isinstance(outcome, BudgetRefused)
    assert (outcome.needed_usd, round(outcome.left_usd, 6)) == (0.2, 0.1)
    assert "$9.90 of $10.00" in outcome.detail
    assert "2026-12-02" in outcome.advice
    assert (model.requests, ledger.settled) == ([], [])


@pytest.mark.parametrize(
    ("outcome", "cost"),
    [
        (PromptTooLong("x"), 0.0),
        (ProviderDown("away"), 0.0),
        (ProviderDown("broke off", cost_usd=0.4), 0.4),
        (ProviderDown("broke off", cost_usd=None), None),
    ],
)
def test_what_came_of_a_call_is_settled(outcome: ModelOutcome, cost: float | None) -> None:
    ledger = OneBudget(limit=10.0)
    assert isinstance(outcome, PromptTooLong | ProviderDown)
    assert ledgered(ByLength([outcome]), ledger).reply(REQUEST) == outcome
    assert ledger.settled == [cost]


def test_an_unknown_price_is_asked_for_as_unknown() -> None:
    model, ledger = ScriptedModel([HELLO], price_usd=None), OneBudget()
    assert isinstance(ledgered(model, ledger).reply(REQUEST), ModelReply)
    assert (ledger.asked, ledger.settled) == ([(None, 0.0)], [None])
    assert model.requests[0].max_usd == 3.0
    assert isinstance(ledgered(model, OneBudget(limit=1.0)).reply(REQUEST), BudgetRefused)


def test_a_process_that_has_lost_its_job_makes_no_call_and_leaves() -> None:
    model, told = ByLength([HELLO]), list[str]()
    lost = LedgeredModel(model=model, ledger=OneBudget(lost=True), leave=lambda: told.append("leave"))
    with pytest.raises(KeyboardInterrupt):
        lost.reply(REQUEST)
    assert (model.requests, told) == ([], ["leave"])
