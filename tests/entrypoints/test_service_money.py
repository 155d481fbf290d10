"""Whose money a run of the service spends, and which run need not begin."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.adapters.ledger import JobLedger
from fixloop_bot.adapters.service_database import Database, open_database
from fixloop_bot.entrypoints.service_money import by_own_prices, refused_at_once, to_account
from fixloop_bot.model.answer import Answer, Choice, Decided
from fixloop_bot.model.config import ModelPrice, ModelsConfig, RepoConfig
from fixloop_bot.model.event import Actor, Origin, RepositoryRef
from fixloop_bot.model.outcome import Question, TerminalState
from fixloop_bot.model.spending import Account, Budgets
from fixloop_bot.model.ticket import RunTicket
from fixloop_bot.ports.jobs import JobKind, JobOrder

SHOP = RepositoryRef(full_name="octo/shop", id=1)
FORK = RepositoryRef(full_name="rita/shop", id=2)
ORDER = JobOrder(
    job_id="j", kind=JobKind.RUN, repository="octo/shop", installation_id=3, delivery_id="d", event="e", body=b""
)
TICKET = RunTicket(
    origin=Origin(repository=SHOP),
    pull_request=7,
    branch="feature",
    head_sha="1" * 40,
    head_repository=FORK,
    from_fork=True,
    base_branch="main",
    reason="opened",
    automatic=True,
    author=Actor(login="rita", id=5),
    actor=Actor(login="pat", id=6),
)
ANSWER = Decided(
    Question(layer="test", question="?", option_a="a", option_b="b"),
    Answer(choice=Choice.A, by="pat"),
)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with open_database("", tmp_path, SystemClock()) as opened:
        yield opened


def ledger(database: Database, **budgets: float) -> JobLedger:
    account = to_account(TICKET, ORDER)
    return JobLedger(database=database, budgets=Budgets(**budgets), account=account, job_id="j", claim=1)


def test_a_fork_s_run_is_paid_by_the_repository_that_it_wants_to_change() -> None:
    paid_by = Account(repository="octo/shop", pull_request=7, author="rita", installation=3)
    assert to_account(TICKET, ORDER) == paid_by
    assert to_account(replace(TICKET, author=None, pull_request=None), ORDER).author == ""


def test_a_run_that_can_pay_for_nothing_does_not_begin(database: Database) -> None:
    assert refused_at_once(TICKET, ledger(database, author_day=1.0)) is None
    end = refused_at_once(TICKET, ledger(database, author_day=0.0))
    assert end is not None
    assert end.terminal is TerminalState.FAILED_BUDGET
    assert "pull requests of rita is used up: $0.00 of $0.00 are spent or reserved" in end.reason
    assert end.reason.endswith("so that nothing was run")


def test_a_repository_does_not_say_what_the_service_s_money_is_worth() -> None:
    config = RepoConfig(models=ModelsConfig(ids={"sonnet": "new"}, prices={"new": ModelPrice(input=0.0, output=0.0)}))
    assert by_own_prices(config) == RepoConfig(models=ModelsConfig(ids={"sonnet": "new"}))


def test_an_answer_is_acted_on_as_it_may_cost_nothing(database: Database) -> None:
    assert refused_at_once(replace(TICKET, answer=ANSWER), ledger(database, author_day=0.0)) is None
