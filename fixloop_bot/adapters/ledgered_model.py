"""A model whose calls are asked of the shared budgets first, and put into their books after."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from fixloop_bot.core.affordable import affordable
from fixloop_bot.core.budgets import advice, reason
from fixloop_bot.model.agent import BudgetRefused, ModelOutcome, ModelReply, ModelRequest, ProviderDown
from fixloop_bot.model.spending import Lost, Refusal
from fixloop_bot.ports import Model
from fixloop_bot.ports.ledger import Ledger

ROOM: Final = 2.0
"""How many times its price a call reserves where there is enough: a reply that breaks off is paid, and asked again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgeredModel:
    """The port `Model`; the run's own cap was asked by then."""

    model: Model
    ledger: Ledger
    leave: Callable[[], None]
    """Called when the job is another process's by now; no call is made then."""

    begins: Callable[[], object] = lambda: None
    """Called before each call: what was paid before is to be kept first."""

    def prepare(self) -> None:
        """Let the model make itself ready."""
        self.model.prepare()

    def quote(self, request: ModelRequest) -> float | None:
        """Return the price as the model says it."""
        return self.model.quote(request)

    def reply(self, request: ModelRequest) -> ModelOutcome:
        """Make the call as far as the budgets allow, if need be with a shorter reply.

        Raises KeyboardInterrupt where the job is lost. A process that dies in the call leaves its reservation counted.
        """
        self.begins()
        quote = self.model.quote(request)
        least = self.model.quote(affordable(request, self.model.quote, 0.0))
        granted = self.ledger.reserve(request.key, least_usd=least, wished_usd=_wished(request, quote))
        if isinstance(granted, Lost):
            self.leave()
            raise KeyboardInterrupt
        if isinstance(granted, Refusal):
            return BudgetRefused(least, granted.spending.left_usd, reason(granted), advice(granted))
        if quote is not None:
            request = replace(affordable(request, self.model.quote, granted.usd), max_usd=granted.usd)
        outcome = self.model.reply(request)
        self.ledger.settle(granted, _cost(outcome))
        return outcome


def _wished(request: ModelRequest, quote: float | None) -> float:
    """Return what the call and one whole try more may cost, within what the run has left."""
    room = ROOM * (quote or 0.0)
    return room if request.max_usd is None else max(min(room, request.max_usd), quote or 0.0)


def _cost(outcome: ModelOutcome) -> float | None:
    return outcome.cost_usd if isinstance(outcome, ModelReply | ProviderDown) else 0.0
