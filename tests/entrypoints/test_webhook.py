"""What the service's web side makes of a stranger's requests, without a network."""

import json
from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from fixloop_bot.core.redact import redactor
from fixloop_bot.entrypoints.service_log import ServiceLog
from fixloop_bot.entrypoints.service_settings import ServiceSettings
from fixloop_bot.entrypoints.webhook import Numbers, to_order
from fixloop_bot.model.event import Ignored
from fixloop_bot.model.spending import Budgets, Scope, Spending


@pytest.mark.parametrize(
    ("name", "payload"),
    [
        pytest.param("ping", {}, id="the first delivery of a hook"),
        pytest.param("pull_request", {"action": "opened"}, id="an event without its repository"),
        pytest.param("issue_comment", {"comment": [], "issue": 3}, id="fields of another kind"),
        pytest.param("workflow_run", {"repository": {"full_name": "../../x", "id": 1}}, id="a name that is a path"),
    ],
)
def test_what_asks_for_nothing_is_no_job(name: str, payload: dict[str, Any]) -> None:
    assert isinstance(to_order(name, payload, b"{}", delivery_id="12345678"), Ignored)


def test_a_log_line_is_one_json_object_without_secrets(capsys: pytest.CaptureFixture[str]) -> None:
    ServiceLog(redactor(["hush-hush-hush"])).note("delivery", reason="two\nlines of hush-hush-hush", jobs=2)
    (line,) = capsys.readouterr().err.splitlines()
    told = json.loads(line)
    assert (told["event"], told["jobs"]) == ("delivery", 2)
    assert "hush" not in told["reason"]


GIVEN = {"FIXLOOP_WEBHOOK_SECRET": "hush-hush-hush", "FIXLOOP_APP_ID": 3, "FIXLOOP_APP_PRIVATE_KEY": "a\\nb"}


def test_settings_show_no_secret() -> None:
    settings = ServiceSettings.model_validate(GIVEN)
    assert settings.private_key() == "a\nb"
    assert "hush" not in repr(settings)


def test_money_is_bounded_unless_somebody_says_otherwise() -> None:
    assert ServiceSettings.model_validate(GIVEN).budgets == Budgets(
        pull_request=10.0, repository_day=25.0, installation_day=50.0, day=100.0
    )
    said = {
        "FIXLOOP_BUDGET_DAY_USD": "none",
        "FIXLOOP_BUDGET_AUTHOR_DAY_USD": "2.5",
        "FIXLOOP_BUDGET_REPOSITORY_DAY_USD": "0",
    }
    budgets = ServiceSettings.model_validate(GIVEN | said).budgets
    assert budgets == Budgets(pull_request=10.0, author_day=2.5, repository_day=0.0, installation_day=50.0)


@pytest.mark.parametrize("amount", ["-1", "nan", "inf", "1e999", "ten"])
def test_a_budget_that_is_no_amount_is_refused(amount: str) -> None:
    with pytest.raises(ValidationError, match="FIXLOOP_BUDGET_DAY_USD"):
        ServiceSettings.model_validate(GIVEN | {"FIXLOOP_BUDGET_DAY_USD": amount})


def test_the_numbers_tell_what_a_day_has_cost_and_may_cost() -> None:
    today = Spending(scope=Scope.DAY, key="", day="2026-12-01", spent_usd=1.25, limit_usd=100.0)
    told = Numbers().text({}, 0, today).decode()
    assert "fixloop_spent_today_usd 1.25\n" in told
    assert "fixloop_budget_day_usd 100.0\n" in told
    assert "fixloop_budget_day_usd NaN\n" in Numbers().text({}, 0, replace(today, limit_usd=None)).decode()
