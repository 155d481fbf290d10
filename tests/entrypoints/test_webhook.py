"""What the service's web side makes of a stranger's requests, without a network."""

import json
from typing import Any

import pytest

from fixloop_bot.core.redact import redactor
from fixloop_bot.entrypoints.service_log import ServiceLog
from fixloop_bot.entrypoints.service_settings import ServiceSettings
from fixloop_bot.entrypoints.webhook import to_order
from fixloop_bot.model.event import Ignored


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


def test_settings_show_no_secret() -> None:
    given = {"FIXLOOP_WEBHOOK_SECRET": "hush-hush-hush", "FIXLOOP_APP_ID": 3, "FIXLOOP_APP_PRIVATE_KEY": "a\\nb"}
    settings = ServiceSettings.model_validate(given)
    assert settings.private_key() == "a\nb"
    assert "hush" not in repr(settings)
