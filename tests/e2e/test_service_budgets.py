"""The bot service's shared budgets: a call that nobody knows the end of counts, and what is used up is said."""

import re

import pytest

from fixloop_bot.model.agent import Usage
from tests.e2e.github_stage import BREAK, Hub
from tests.e2e.service_stage import Service, opened, serving
from tests.fakes.github import PullRequest
from tests.fakes.model_server import Fault, ModelServer, edit, finish, turn
from tests.fakes.until import until

COSTS_19_CENTS = Usage(input_tokens=70_000, output_tokens=5_000)
"""At two and ten dollars for a million."""
CLOSED = turn(edit("app/more.py", "MORE = (", "MORE = 1"), finish("done", hypothesis="an open bracket"))


def spent(service: Service) -> float:
    found = re.search(r"^fixloop_spent_today_usd (\S+)$", service.get("/metrics"), re.MULTILINE)
    assert found is not None
    return float(found[1])


def told(hub: Hub, pull: PullRequest) -> str:
    """Return the report comment as a reader sees it, without Markdown's escapes."""
    return hub.report(pull).replace("\\", "").replace("&#8203;", "")


def test_a_killed_call_counts_once_and_a_repository_without_money_is_told_so(hub: Hub) -> None:
    first = hub.break_it(files={**BREAK, "app/more.py": "MORE = (\n"})
    start = first.head_sha
    with ModelServer([Fault(kind="silence"), CLOSED], usage=COSTS_19_CENTS) as model:
        with serving(hub, model) as service:
            service.send(opened(hub, first))
            until(lambda: len(model.requests) == 1, service.process)
            reserved = spent(service)
            service.process.kill()
        assert reserved > 0
        each, every = f"{reserved + 0.25:.4f}", f"{reserved + 0.2:.4f}"
        with serving(
            hub, model, FIXLOOP_BUDGET_PULL_REQUEST_USD=each, FIXLOOP_BUDGET_REPOSITORY_DAY_USD=every
        ) as service:
            service.settle()
            said, sums = told(hub, first), f"${reserved + 0.19:.4f} of ${every} are spent or reserved"
            assert "BLOCKED: budget, test still fails" in said, service.log.read_text()
            assert f"the day's budget of the repository octo/shop is used up: {sums}; the next model call" in said
            assert f"pull request octo/shop#1 is nearly used up: ${reserved + 0.19:.4f} of ${each}" in said
            assert "have FIXLOOP_BUDGET_REPOSITORY_DAY_USD of the service raised" in said
            assert hub.subjects("feature", start) == ["fix-loop: compile clean (iteration 1)"]

            second = hub.break_it("another")
            service.send(opened(hub, second, "22222222-3333-4444"))
            service.settle()
            assert f"octo/shop is used up: {sums}, so that nothing was run" in told(hub, second)
            assert hub.check.conclusion == "neutral"
            assert len(list((service.state / "records" / "runs").glob("*/state.json"))) == 1
            assert spent(service) == pytest.approx(reserved + 0.19)
        assert len(model.requests) == 2
