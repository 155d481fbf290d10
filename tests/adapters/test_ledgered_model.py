"""A model behind the shared budgets: when it is called, with how long a reply, and what is written down of it."""

from dataclasses import replace

import pytest

from fixloop_bot.adapters.job_claims import JobClaims
from fixloop_bot.adapters.ledgered_model import LedgeredModel
from fixloop_bot.adapters.scripted_model import ScriptedModel
from fixloop_bot.adapters.service_database import Database
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
from fixloop_bot.ports.jobs import Capacity
from fixloop_bot.ports.ledger import Ledger
from tests.adapters.conftest import ToLedger
from tests.adapters.test_ledger import reserve

HELLO = AssistantTurn("hello")
REQUEST = ModelRequest(
    model=ModelAlias.SONNET, system="", turns=(UserTurn("?"),), max_tokens=8_000, deadline=9.0, key="1.1", max_usd=3.0
)


class ByLength(ScriptedModel):
    """A cent for a hundred tokens of the longest reply."""

    def quote(self, request: ModelRequest) -> float | None:
        return request.max_tokens / 10_000


class Watched(ByLength):
    """A model that notes what is reserved while it is called, and dies in a call that has no outcome."""

    def __init__(self, outcome: ModelOutcome | None, ledger: Ledger) -> None:
        super().__init__([])
        self.outcome, self.ledger, self.reserved = outcome, ledger, 0.0

    def reply(self, request: ModelRequest) -> ModelOutcome:
        self.requests.append(request)
        self.reserved = spent(self.ledger)
        if self.outcome is None:
            raise KeyboardInterrupt
        return self.outcome


def spent(ledger: Ledger) -> float:
    return ledger.spendings()[-1].spent_usd


def left() -> None:
    """Be told to leave."""


def ledgered(model: ScriptedModel, ledger: Ledger) -> LedgeredModel:
    return LedgeredModel(model=model, ledger=ledger, leave=left)


def test_room_is_reserved_for_one_whole_try_more_and_bounds_the_call(ledger: ToLedger) -> None:
    model, own = ByLength([HELLO], price_usd=0.3), ledger(day=10.0)
    assert isinstance(ledgered(model, own).reply(REQUEST), ModelReply)
    assert (model.requests[0].max_tokens, model.requests[0].max_usd) == (8_000, 1.6)
    assert spent(own) == 0.3


def test_no_more_is_reserved_than_the_run_has_left(ledger: ToLedger) -> None:
    model = ByLength([HELLO])
    ledgered(model, ledger(day=10.0)).reply(replace(REQUEST, max_usd=0.9))
    assert model.requests[0].max_usd == 0.9


def test_a_reply_is_made_shorter_before_a_budget_refuses_it(ledger: ToLedger) -> None:
    model, own = ByLength([HELLO]), ledger(day=10.0)
    reserve(own, "0", 9.5)
    assert isinstance(ledgered(model, own).reply(REQUEST), ModelReply)
    assert (model.requests[0].max_tokens, model.requests[0].max_usd) == (4_000, 0.5)


def test_a_refused_call_is_not_made_and_says_why(ledger: ToLedger) -> None:
    model, own = ByLength([HELLO]), ledger(day=10.0)
    reserve(own, "0", 9.9)
    outcome = ledgered(model, own).reply(REQUEST)
    assert isinstance(outcome, BudgetRefused)
    assert (outcome.needed_usd, round(outcome.left_usd, 6)) == (0.2, 0.1)
    assert "the whole service is used up: $9.90 of $10.00" in outcome.detail
    assert "00:00 UTC" in outcome.advice
    assert (model.requests, spent(own)) == ([], 9.9)


@pytest.mark.parametrize(
    ("outcome", "cost"),
    [
        pytest.param(PromptTooLong("x"), 0.0, id="what is refused for its length costs nothing"),
        pytest.param(ProviderDown("away"), 0.0, id="nor what was never answered"),
        pytest.param(ProviderDown("broke off", cost_usd=0.4), 0.4, id="what broke off costs what it came to"),
        pytest.param(ProviderDown("broke off", cost_usd=None), 1.6, id="or, unknown, what was reserved"),
    ],
)
def test_what_came_of_a_call_is_settled(ledger: ToLedger, outcome: ModelOutcome, cost: float) -> None:
    own = ledger(day=10.0)
    model = Watched(outcome, own)
    assert ledgered(model, own).reply(REQUEST) == outcome
    assert (model.reserved, spent(own)) == (1.6, cost)


def test_a_call_in_which_the_process_ends_stays_reserved(ledger: ToLedger) -> None:
    own = ledger(day=10.0)
    with pytest.raises(KeyboardInterrupt):
        ledgered(Watched(None, own), own).reply(REQUEST)
    assert spent(own) == 1.6


def test_an_unknown_price_is_refused_where_a_budget_is_set(ledger: ToLedger) -> None:
    model = ScriptedModel([HELLO], price_usd=None)
    refused = ledgered(model, ledger(day=10.0)).reply(REQUEST)
    assert isinstance(refused, BudgetRefused)
    assert "FIXLOOP_MODEL_PRICES" in refused.advice
    assert isinstance(ledgered(model, ledger()).reply(REQUEST), ModelReply)
    assert model.requests[0].max_usd == 3.0


def test_a_process_that_has_lost_its_job_makes_no_call_and_leaves(ledger: ToLedger, database: Database) -> None:
    model, told, own = ByLength([HELLO]), list[str](), ledger()
    JobClaims(database, "other", Capacity()).take_over("worker")
    lost = LedgeredModel(model=model, ledger=own, leave=lambda: told.append("leave"))
    with pytest.raises(KeyboardInterrupt):
        lost.reply(REQUEST)
    assert (model.requests, told) == ([], ["leave"])
