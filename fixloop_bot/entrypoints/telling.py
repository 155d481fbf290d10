"""Progress for two readers: the log, and GitHub."""

from fixloop_bot.adapters.console import PlainProgress
from fixloop_bot.app.tell import Teller
from fixloop_bot.model.layer import Layer, LayerResult
from fixloop_bot.model.state import LoopState


class TellingProgress:
    """`Progress` that writes lines to the log and keeps comment and check run true."""

    def __init__(self, console: PlainProgress, teller: Teller) -> None:
        self._console = console
        self._teller = teller

    def layer_started(self, layer: Layer, *, purpose: str) -> None:
        """Tell the log that a layer's checks start."""
        self._console.layer_started(layer, purpose=purpose)

    def layer_finished(self, result: LayerResult) -> None:
        """Tell the log what came of it."""
        self._console.layer_finished(result)

    def state_changed(self, state: LoopState) -> None:
        """Tell both where the run stands."""
        self._console.state_changed(state)
        self._teller.update(state)

    def note(self, text: str) -> None:
        """Tell the log one line."""
        self._console.note(text)
