"""Progress of the service's jobs: lines of its log, each with the ids that tell which job speaks."""

from collections.abc import Callable
from typing import TextIO

from fixloop_bot.adapters.console import PlainProgress
from fixloop_bot.core.status_line import one_line
from fixloop_bot.entrypoints.service_log import ServiceLog
from fixloop_bot.model.layer import Layer, LayerResult
from fixloop_bot.model.state import LoopState
from fixloop_bot.ports.jobs import JobKind, JobOrder


class ServiceProgress(PlainProgress):
    """`Progress` as JSON lines."""

    def __init__(self, stream: TextIO, redact: Callable[[str], str], order: JobOrder) -> None:
        """Speak for one job."""
        super().__init__(stream, redact)
        self.log = ServiceLog(redact, stream)
        self._ids = job_ids(order)

    def layer_started(self, layer: Layer, *, purpose: str) -> None:
        """Tell that a layer's checks start."""
        self.log.note("layer-started", **self._ids, layer=str(layer), purpose=purpose, text=f"{purpose}: {layer}")

    def layer_finished(self, result: LayerResult) -> None:
        """Tell what came of it; what the tools said stands in the records."""
        told = {"layer": str(result.name), "status": str(result.status), "reason": one_line(result.reason, limit=160)}
        errors, seconds = result.error_count, round(result.duration_s, 1)
        self.log.note("layer-finished", **self._ids, **told, errors=errors, seconds=seconds)

    def state_changed(self, state: LoopState) -> None:
        """Tell where the run stands, when that is news."""
        number = state.pending.iteration if state.pending else state.iteration_count
        said = f"{number} {state.failure.layer if state.failure else ''} {state.phase}"
        if said == self._last:
            return
        self._last = said
        told = {"phase": str(state.phase), "layer": str(state.failure.layer) if state.failure else ""}
        cost = round(state.total_cost_usd, 4)
        self.log.note("run-state", **self._ids, **told, attempt=number, cost_usd=cost)

    def note(self, text: str) -> None:
        """Tell one line."""
        self.log.note("progress", **self._ids, text=one_line(text, limit=500))


def job_ids(order: JobOrder) -> dict[str, str]:
    """Return the fields that each line about a job has; a run's id is that of its job."""
    ids = {"job": order.job_id, "delivery": order.delivery_id, "repository": order.repository}
    return ids | {"run": order.job_id} if order.kind is JobKind.RUN else ids
