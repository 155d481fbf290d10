"""What a job of the service says: lines of one log, each with the ids of whose it is."""

import io
import json
from typing import Any

import pytest
from pydantic import ValidationError

from fixloop_bot.core.redact import redactor
from fixloop_bot.entrypoints.service_progress import ServiceProgress
from fixloop_bot.entrypoints.service_settings import ServiceSettings
from fixloop_bot.model.layer import Layer, LayerResult, LayerStatus
from fixloop_bot.ports.jobs import JobKind, JobOrder

ORDER = JobOrder(
    job_id="20260301T100000-aa-run",
    kind=JobKind.RUN,
    repository="octo/shop",
    branch="octo/shop:feature",
    installation_id=7,
    delivery_id="11111111-2222",
    event="pull_request",
    body=b"",
)
IDS = {
    "job": ORDER.job_id,
    "run": ORDER.job_id,
    "delivery": "11111111-2222",
    "repository": "octo/shop",
}


def test_every_line_is_json_with_the_ids_and_without_secrets() -> None:
    stream = io.StringIO()
    progress = ServiceProgress(stream, redactor(["hush-hush-hush"]), ORDER)
    progress.note('"},\n{"event": "forged", "it": "hush-hush-hush"')
    progress.layer_started(Layer.TEST, purpose="verify")
    progress.layer_finished(LayerResult(name=Layer.TEST, status=LayerStatus.FAIL, error_count=2, reason="2\nfailed"))
    lines: list[dict[str, Any]] = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [line["event"] for line in lines] == ["progress", "layer-started", "layer-finished"]
    assert all(line.items() >= IDS.items() for line in lines)
    assert "hush" not in stream.getvalue()
    assert (lines[1]["layer"], lines[1]["purpose"]) == ("test", "verify")
    told = lines[2]
    assert (told["status"], told["errors"], told["seconds"], told["reason"]) == ("fail", 2, 0.0, "2 failed")


@pytest.mark.parametrize("line", ["@daily", "61 * * * *"])
def test_a_cron_line_that_is_none_is_refused_at_the_start(line: str) -> None:
    given = {"FIXLOOP_WEBHOOK_SECRET": "hush-hush-hush", "FIXLOOP_APP_ID": 3, "FIXLOOP_SWEEP_CRON": line}
    with pytest.raises(ValidationError, match="cron line"):
        ServiceSettings.model_validate(given)
    assert (
        ServiceSettings.model_validate(given | {"FIXLOOP_SWEEP_CRON": "0 3 * * 1-5"}).sweep_repositories == "configured"
    )
