"""What a watching person sees on a terminal: a live table of the layers."""

from types import TracebackType
from typing import Self, TextIO

from rich.console import Console, Group
from rich.live import Live
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from fixloop_bot.adapters.console import Redact, outcome, standing
from fixloop_bot.core.status_line import one_line
from fixloop_bot.model.layer import Layer, LayerResult
from fixloop_bot.model.state import LoopState

STYLES = {"pass": "green", "fail": "red", "error": "red", "skip": "dim"}


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
