"""Spans of the service's processes: only with the extra `otel` and a receiver's address, nothing otherwise."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from fixloop_bot.entrypoints.service_log import ServiceLog
from fixloop_bot.entrypoints.service_progress import ServiceProgress, job_ids
from fixloop_bot.ports import Progress
from fixloop_bot.ports.jobs import ClaimedJob

if TYPE_CHECKING:
    from fixloop_bot.adapters.tracing import Tracing

ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")


@contextmanager
def traced(log: ServiceLog, env: Mapping[str, str]) -> Iterator[None]:
    """Make spans of what the log of a worker tells."""
    tracing = _tracing(log, env)
    if tracing is None:
        yield
        return
    log.heard = tracing.heard
    try:
        yield
    finally:
        tracing.close()


@contextmanager
def traced_run(progress: Progress, job: ClaimedJob, env: Mapping[str, str]) -> Iterator[None]:
    """Make spans of a run and its attempts."""
    tracing = _tracing(progress.log, env) if isinstance(progress, ServiceProgress) else None
    if tracing is None or not isinstance(progress, ServiceProgress):
        yield
        return
    ids: dict[str, str | float] = {**job_ids(job.order), "claim": job.claim}
    progress.log.heard = tracing.heard
    tracing.run_begins(ids)
    try:
        yield
    finally:
        tracing.run_ends(ids)
        tracing.close()


def _tracing(log: ServiceLog, env: Mapping[str, str]) -> "Tracing | None":
    if not any(env.get(name) for name in ENDPOINTS):
        return None
    try:
        from fixloop_bot.adapters.tracing import Tracing  # noqa: PLC0415 - an extra, and half a second
    except ModuleNotFoundError as error:
        log.note("tracing-missing", reason=f"{error.name}: pip install 'fixloop-bot[otel]'")
        return None
    return Tracing()
