"""The code that goes with a failure, chosen once: the price of a call is asked for just before the call is made."""

from collections.abc import Callable

from fixloop_bot.model.context import Snippet
from fixloop_bot.model.layer import LayerResult


class Shown:
    """Remembers the last choice, which holds as long as the failure and the commit are the same."""

    def __init__(self) -> None:
        """Remember nothing yet."""
        self._of: tuple[str, LayerResult, bool] | None = None
        self._snippets: tuple[Snippet, ...] = ()

    def with_failure(
        self, commit: str, failure: LayerResult, choose: Callable[[], tuple[Snippet, ...]], *, again: bool
    ) -> tuple[Snippet, ...]:
        """Return what was chosen for a failure on a commit; `choose` is called where that is another than before.

        `again`: after an attempt in vain.
        """
        of = (commit, failure, again)
        if self._of != of:
            self._of, self._snippets = of, choose()
        return self._snippets
