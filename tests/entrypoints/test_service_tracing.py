"""Spans of two processes that meet only at the receiver."""

import json
import subprocess
import sys

from tests.e2e.workspace import person_environment
from tests.fakes.otlp_receiver import OtlpReceiver

COMMON = """
import io, sys
from fixloop_bot.entrypoints.service_log import ServiceLog
from fixloop_bot.entrypoints.service_progress import ServiceProgress
from fixloop_bot.entrypoints.service_tracing import traced, traced_run
from fixloop_bot.entrypoints.settings import environment
from fixloop_bot.ports.jobs import ClaimedJob, JobKind, JobOrder

order = JobOrder(
    job_id="20260301T100000-aa-run", kind=JobKind.RUN, repository="octo/shop", branch="octo/shop:evil words",
    installation_id=7, delivery_id="11111111-2222", event="pull_request", body=b"",
)
told = {"job": order.job_id, "delivery": order.delivery_id, "repository": order.repository}
"""
WORKER = """
log = ServiceLog(str)
with traced(log, environment()):
    log.note("delivery", delivery=order.delivery_id, name="pull_request", result="accepted", reason="evil words")
    log.note("run-started", **told, branch=order.branch, claim=2)
    log.note("run-ended", **told, branch=order.branch, code=1)
"""
RUN = """
progress = ServiceProgress(sys.stderr, str, order)
with traced_run(progress, ClaimedJob(order=order, claim=2), environment()):
    for number in (0, 1, 1, 2):
        progress.log.note("run-state", **told, attempt=number, phase="fix", layer="test", cost_usd=0.1 * number)
    progress.note("evil words")
"""


def run(code: str, **more: str) -> list[str]:
    """Run the code as one of the service's processes; return the events of its log."""
    command = [sys.executable, "-W", "error", "-c", COMMON + code]
    done = subprocess.run(command, env=person_environment() | more, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line)["event"] for line in done.stderr.splitlines()]


def test_delivery_job_run_and_attempts_are_one_trace_and_hold_no_text_of_others() -> None:
    with OtlpReceiver() as receiver:
        run(RUN, OTEL_EXPORTER_OTLP_ENDPOINT=receiver.url)
        run(WORKER, OTEL_EXPORTER_OTLP_ENDPOINT=receiver.url)
    (delivery,), (job,), (fix,) = (receiver.named(name) for name in ("delivery", "job", "run"))
    first, second = receiver.named("attempt")
    assert len({span.trace for span in receiver.spans}) == 1
    assert [delivery.parent, job.parent, fix.parent] == ["", delivery.span, job.span]
    assert {first.parent, second.parent} == {fix.span}
    assert (job.failed, job.attributes["fixloop.code"], fix.failed) == (True, 1, False)
    assert [span.attributes["fixloop.attempt"] for span in (first, second)] == [1, 2]
    assert job.attributes["fixloop.repository"] == "octo/shop"
    assert b"evil" not in receiver.raw


def test_without_a_receiver_or_without_the_extra_nothing_is_loaded_or_sent() -> None:
    loaded = "assert not [name for name in sys.modules if name.startswith('opentelemetry')], sys.modules"
    assert run(WORKER + loaded) == ["delivery", "run-started", "run-ended"]
    missing = "sys.modules['opentelemetry'] = None\n"
    assert run(missing + WORKER, OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9")[0] == "tracing-missing"


def test_a_receiver_that_is_away_holds_nothing_up_and_fills_no_log() -> None:
    away = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9", "OTEL_BSP_EXPORT_TIMEOUT": "100"}
    assert run(WORKER, **away) == ["delivery", "run-started", "run-ended"]
