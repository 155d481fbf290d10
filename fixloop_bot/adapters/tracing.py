"""OpenTelemetry spans made of the service's log: delivery → job → run → attempt.

The processes of a service need not hand each other a context: ids follow from those of delivery, job and claim. Only
what the service itself names stands in attributes, never a text of somebody else's.
"""

import hashlib
import logging
import re
import threading
from collections.abc import Mapping
from typing import Final

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.id_generator import IdGenerator
from opentelemetry.trace import (
    NonRecordingSpan,
    Span,
    SpanContext,
    Status,
    StatusCode,
    TraceFlags,
    set_span_in_context,
)

from fixloop_bot import __version__

Fields = Mapping[str, str | float]

_NAMED: Final = (
    "attempt", "claim", "code", "cost_usd", "delivery", "job", "layer", "name", "repository", "result", "run",
)  # fmt: skip
_PLAIN: Final = re.compile(r"[A-Za-z0-9_./:-]{1,200}")
_JOBS: Final = {"event-started": "event-ended", "run-started": "run-ended"}


class _Ids(IdGenerator):
    """Gives out the ids that were laid ready."""

    def __init__(self) -> None:
        self.trace = self.span = 1

    def generate_trace_id(self) -> int:
        return self.trace

    def generate_span_id(self) -> int:
        return self.span


class Tracing:
    """Hears the log of one process and sends spans; any thread may use it."""

    def __init__(self) -> None:
        """Send to where OTEL_EXPORTER_OTLP_ENDPOINT says."""
        logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)  # a receiver that is away is no news of each span
        self._ids = _Ids()
        resource = Resource.create({"service.name": "fixloop", "service.version": __version__})
        self._provider = TracerProvider(resource=resource, id_generator=self._ids, shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(timeout=5)))
        self._tracer = self._provider.get_tracer("fixloop")
        self._lock = threading.Lock()
        self._open: dict[str, Span] = {}
        self._attempt = 0.0

    def heard(self, event: str, fields: Fields) -> None:
        """Make of a line of the log what it means for spans."""
        with self._lock:
            if event == "delivery":
                self._start("delivery", fields, _delivery(fields), parent=None).end()
            elif event in _JOBS:
                self._open[str(fields["job"])] = self._start("job", fields, _job(fields), parent=_delivery(fields))
            elif event in _JOBS.values():
                self._end(str(fields["job"]), fields)
            elif event == "run-state":
                self._at_attempt(fields)

    def run_begins(self, fields: Fields) -> None:
        """Open the span of a run, below that of its job in the worker's process; `fields` has job, delivery, claim."""
        with self._lock:
            self._open["run"] = self._start("run", fields, _run(fields), parent=_job(fields))

    def run_ends(self, fields: Fields) -> None:
        """Close the span of the run, and of its last attempt."""
        with self._lock:
            self._end("attempt", {})
            self._end("run", fields)

    def close(self) -> None:
        """Send what is left."""
        self._provider.shutdown()

    def _at_attempt(self, fields: Fields) -> None:
        """Let an attempt begin where its number is first heard of; the one before ends there."""
        number = float(fields.get("attempt", 0))
        if number == self._attempt or "run" not in self._open:
            return
        self._end("attempt", {})
        self._attempt = number
        parent = self._open["run"].get_span_context()
        self._open["attempt"] = self._start("attempt", fields, _id(f"{parent.span_id} {number}"), parent=parent.span_id)

    def _start(self, name: str, fields: Fields, span_id: int, *, parent: int | None) -> Span:
        self._ids.trace, self._ids.span = _id(f"trace {fields['delivery']}", 16), span_id
        context = Context()
        if parent is not None:
            above = SpanContext(self._ids.trace, parent, is_remote=True, trace_flags=TraceFlags(TraceFlags.SAMPLED))
            context = set_span_in_context(NonRecordingSpan(above), context)
        return self._tracer.start_span(name, context=context, attributes=_attributes(fields))

    def _end(self, key: str, fields: Fields) -> None:
        span = self._open.pop(key, None)
        if span is None:
            return
        span.set_attributes(_attributes(fields))
        if fields.get("code"):
            span.set_status(Status(StatusCode.ERROR))
        span.end()


def _attributes(fields: Fields) -> dict[str, str | float]:
    """Return the fields that may be told: numbers, and words of the service's own."""
    named = {name: fields[name] for name in _NAMED if name in fields}
    return {
        f"fixloop.{name}": value
        for name, value in named.items()
        if not isinstance(value, str) or _PLAIN.fullmatch(value)
    }


def _delivery(fields: Fields) -> int:
    return _id(f"delivery {fields['delivery']}")


def _job(fields: Fields) -> int:
    return _id(f"job {fields['job']} {fields.get('claim', 0)}")


def _run(fields: Fields) -> int:
    return _id(f"run {fields['job']} {fields.get('claim', 0)}")


def _id(text: str, size: int = 8) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:size], "big") or 1
