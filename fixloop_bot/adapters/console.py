"""What a watching person sees on standard error: a live table on a terminal, plain lines elsewhere."""

from collections.abc import Callable
from types import TracebackType
from typing import Self, TextIO

from rich.console import Console, Group
from rich.live import Live
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from fixloop_bot.core.status_line import money, one_line
from fixloop_bot.model.layer import Layer, LayerResult
from fixloop_bot.model.state import LoopState

Redact = Callable[[str], str]
STYLES = {"pass": "green", "fail": "red", "error": "red", "skip": "dim"}


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


class LiveProgress:
    """A live view of layers, attempt, model and cost, with the notes above it."""

    def __init__(self, stream: TextIO, redact: Redact = str) -> None:
        self._redact = redact
        self._console = Console(file=stream, highlight=False, markup=False, emoji=False)
        self._results: dict[Layer, LayerResult | None] = {}
        self._standing = "looking at the worktree"
        self._purpose = ""
        self._spinner = Spinner("dots")
        self._live = Live(console=self._console, get_renderable=self._view, refresh_per_second=8, transient=True)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._live.stop()

    def layer_started(self, layer: Layer, *, purpose: str) -> None:
        """Show the layer as running; the layers from it upwards are open again."""
        if purpose != self._purpose:
            self._purpose = purpose
        self._results = {each: result for each, result in self._results.items() if each.rank < layer.rank}
        self._results[layer] = None

    def layer_finished(self, result: LayerResult) -> None:
        """Show what came of it."""
        self._results[result.name] = result

    def state_changed(self, state: LoopState) -> None:
        """Show where the run stands."""
        self._standing = standing(state)

    def note(self, text: str) -> None:
        """Print one line above the live view."""
        self._console.print(Text(one_line(self._redact(text), limit=500)))

    def _view(self) -> Group:
        table = Table.grid(padding=(0, 2))
        for layer, result in self._results.items():
            if result is None:
                table.add_row(self._spinner, Text(str(layer)), Text(self._purpose, style="dim"))
            else:
                style = STYLES[str(result.status)]
                table.add_row(Text("●", style=style), Text(str(layer)), Text(outcome(result), style=style))
        return Group(table, Text(self._redact(self._standing), style="bold"))


def progress_for(stream: TextIO, redact: Redact = str) -> PlainProgress | LiveProgress:
    """Return the live view on a terminal, plain lines elsewhere."""
    return LiveProgress(stream, redact) if stream.isatty() else PlainProgress(stream, redact)
