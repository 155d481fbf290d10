"""Who is asked before each model call of the service: whether the budgets that several runs share allow it."""

from typing import Protocol

from fixloop_bot.model.spending import Lost, Refusal, Reservation, Spending


class Ledger(Protocol):
    """The shared budgets, as one job's process sees them. What is reserved counts as spent until it is settled."""

    def reserve(self, call: str, *, least_usd: float | None, wished_usd: float) -> Reservation | Refusal | Lost:
        """Set aside what every budget can spare, at least `least_usd` (None: no price is known), at most `wished_usd`.

        `call` names the call within the run; the same name again by the same process is the same reservation.
        """
        ...

    def settle(self, reservation: Reservation, actual_usd: float | None) -> None:
        """Put what the call has cost in the place of what it reserved; None: nobody knows, so that this stays."""
        ...

    def used_up(self) -> Refusal | None:
        """Return the budget that leaves no room for any call, as far as it can be known; None: there is none."""
        ...

    def spendings(self) -> tuple[Spending, ...]:
        """Return what is spent of every budget that holds for the job."""
        ...
