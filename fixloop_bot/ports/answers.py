"""Where an answer goes that a person gives on a page."""

from typing import Protocol

from fixloop_bot.model.answer import Answer


class Answers(Protocol):
    """Whoever goes on with a run that waits."""

    def take(self, run_id: str, answer: Answer) -> str:
        """Hand the answer to the run, which goes on by itself; return what became of it, for a person to read."""
        ...
