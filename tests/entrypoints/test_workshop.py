"""Tests of what a comment may ask of a run."""

from dataclasses import replace

import pytest

from fixloop_bot.entrypoints.settings import Settings, load_settings
from fixloop_bot.entrypoints.workshop import bounded
from fixloop_bot.model.comment_command import RunOptions
from fixloop_bot.model.config import BudgetConfig, RepoConfig
from fixloop_bot.model.event import Origin, RepositoryRef
from fixloop_bot.model.ticket import RunTicket

HERE = RepositoryRef(full_name="octo/shop", id=1)
TICKET = RunTicket(
    origin=Origin(repository=HERE), pull_request=1, branch="feature", head_sha="a" * 40, head_repository=HERE,
    base_branch="main", reason="a test", automatic=False,
)  # fmt: skip


def asked(settings: Settings, config: RepoConfig, **options: object) -> Settings:
    """Return the settings of a run that a comment asks for with these options."""
    wanted = RunOptions(**options)  # type: ignore[arg-type]
    return bounded(settings, replace(TICKET, options=wanted), config)


@pytest.mark.parametrize(
    ("given", "run_usd", "asks", "gets"),
    [
        pytest.param(None, None, 1000.0, 3.0, id="the product's cap holds"),
        pytest.param(None, 10.0, 1000.0, 10.0, id="that of .fixloop.yml holds"),
        pytest.param(2.0, 10.0, 5.0, 2.0, id="the input's holds before that"),
        pytest.param(None, None, 0.5, 0.5, id="less may be asked for"),
        pytest.param(0.0, None, 1.0, 0.0, id="nothing is nothing"),
    ],
)
def test_a_comment_narrows_the_money_and_never_widens_it(
    given: float | None, run_usd: float | None, asks: float, gets: float
) -> None:
    config = RepoConfig(budget=BudgetConfig(run_usd=run_usd))
    assert asked(load_settings({"max_cost_usd": given}), config, max_cost_usd=asks).max_cost_usd == gets


def test_what_a_comment_does_not_name_stays() -> None:
    settings = load_settings({"max_retries": 4, "story_branch": ""})
    made = asked(settings, RepoConfig())
    assert (made.max_retries, made.max_cost_usd, made.story_branch) == (4, None, "feature")
    assert asked(settings, RepoConfig(), max_retries=7, skip_compile=True).max_retries == 7
