"""What a watching person sees on standard error: plain lines, or a live table (`live_console.py`) on a terminal."""

from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Self, TextIO

from fixloop_bot.core.status_line import money, one_line
from fixloop_bot.model.layer import Layer, LayerResult
from fixloop_bot.model.state import LoopState

if TYPE_CHECKING:
    from fixloop_bot.adapters.live_console import LiveProgress

Redact = Callable[[str], str]


def standing(state: LoopState) -> str:
    """Return where a run stands, in one line: attempt, layer, cost so far."""
    number = state.pending.iteration if state.pending else state.iteration_count
    layer = f", {state.failure.layer}" if state.failure else ""
    attempt = f"attempt {number} of {state.limits.max_retries}" if number else "no attempt yet"
    return f"{attempt}{layer}, {state.current_model}, {money(state.total_cost_usd)} so far"


def outcome(result: LayerResult) -> str:
    """Return one layer's result in a line."""
    errors = f", {result.error_count} error(s)" if result.status in ("fail", "error") else ""
    reason = f": {one_line(result.reason, limit=160)}" if result.reason else ""
    return f"{result.name}: {result.status}{errors} ({result.duration_s:.1f} s){reason}"


class PlainProgress:
    """Lines, for logs and pipes."""

    def __init__(self, stream: TextIO, redact: Redact = str, *, about: str = "") -> None:
        """`about` begins each line, where several runs write to one stream."""
        self._stream = stream
        self._redact = redact
        self._about = f"{about}: " if about else ""
        self._last = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._stream.flush()

    def layer_started(self, layer: Layer, *, purpose: str) -> None:
        """Tell that a layer's checks start."""
        self.note(f"{purpose}: {layer} …")

    def layer_finished(self, result: LayerResult) -> None:
        """Tell what came of it."""
        self.note(f"  {outcome(result)}")

    def state_changed(self, state: LoopState) -> None:
        """Tell where the run stands, when that is news."""
        line = standing(state)
        if line != self._last and not state.ended:
            self._last = line
            self.note(line)

    def note(self, text: str) -> None:
        """Tell one line, safe to print: no control characters, no secrets, nothing that a runner would obey."""
        line = one_line(self._redact(self._about + text), limit=500).replace("##[", "## [")
        self._stream.write(("fixloop  " + line).rstrip() + "\n")
        self._stream.flush()


def progress_for(stream: TextIO, redact: Redact = str) -> "PlainProgress | LiveProgress":
    """Return the live view on a terminal, plain lines elsewhere."""
    if not stream.isatty():
        return PlainProgress(stream, redact)
    from fixloop_bot.adapters.live_console import LiveProgress  # noqa: PLC0415 - rich, which nobody else needs

    return LiveProgress(stream, redact)
