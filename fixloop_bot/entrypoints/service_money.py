"""The shared budgets in a run of the service: whose they are, what is told of them, and what is not even begun."""

from dataclasses import replace

from fixloop_bot.core.budgets import advice, near_end, reason
from fixloop_bot.core.ending import out_of_money
from fixloop_bot.model.config import RepoConfig
from fixloop_bot.model.report import Surroundings
from fixloop_bot.model.spending import Account
from fixloop_bot.model.state import End
from fixloop_bot.model.ticket import RunTicket
from fixloop_bot.ports.jobs import JobOrder
from fixloop_bot.ports.ledger import Ledger


def to_account(ticket: RunTicket, order: JobOrder) -> Account:
    """Return for whom the run's calls are made."""
    return Account(
        repository=order.repository,
        pull_request=ticket.pull_request,
        author=ticket.author.login if ticket.author else "",
        installation=order.installation_id,
    )


def refused_at_once(ticket: RunTicket, ledger: Ledger) -> End | None:
    """Return the end of a run that need not begin, as it could pay for nothing; None: it may begin.

    One that goes on with an answer may have nothing to pay for.
    """
    refusal = None if ticket.answer else ledger.used_up()
    return out_of_money(f"{reason(refusal)}, so that nothing was run", advice(refusal)) if refusal else None


def by_own_prices(config: RepoConfig) -> RepoConfig:
    """Return the configuration without its prices: what a repository says a model costs fills no budget of others."""
    return replace(config, models=replace(config.models, prices={}))


def with_budgets(surroundings: Surroundings, ledger: Ledger) -> Surroundings:
    """Return the surroundings that name the budgets which come to their end."""
    return replace(surroundings, budgets=near_end(ledger.spendings()))
