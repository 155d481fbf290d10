"""What several adapters' tests share."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fixloop_bot.adapters.clock import SystemClock
from fixloop_bot.adapters.job_claims import JobClaims
from fixloop_bot.adapters.job_queue import JobQueue
from fixloop_bot.adapters.ledger import JobLedger
from fixloop_bot.adapters.service_database import Database, open_database
from fixloop_bot.model.spending import Account, Budgets
from fixloop_bot.ports.jobs import Capacity, JobKind, JobOrder

SHOP = Account(repository="octo/shop", pull_request=7, author="pat", installation=3)
ToLedger = Callable[..., JobLedger]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """Open the service's database in SQLite; the tests for PostgreSQL have another."""
    with open_database("", tmp_path, SystemClock()) as opened:
        yield opened


@pytest.fixture
def ledger(database: Database) -> ToLedger:
    """Return what makes the ledger of one more job, which is under way."""
    queue, claims, made = JobQueue(database), JobClaims(database, "worker", Capacity()), list[str]()

    def make(account: Account = SHOP, **budgets: float) -> JobLedger:
        made.append(f"job{len(made)}")
        order = JobOrder(
            job_id=made[-1], kind=JobKind.RUN, repository=account.repository, branch=made[-1], head="1",
            installation_id=account.installation, delivery_id="d", event="pull_request", body=b"",
        )  # fmt: skip
        queue.submit(order)
        job = claims.claim(JobKind.RUN)
        assert job is not None
        limits = Budgets(**budgets)
        return JobLedger(database=database, budgets=limits, account=account, job_id=made[-1], claim=job.claim)

    return make
