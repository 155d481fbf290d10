"""What runs commands alone, one after the other, whatever it is asked for."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from fixloop_bot.model.command import CommandOutput, CommandRequest


class OneByOne(ABC):
    """A `CommandRunner` of which one command runs at a time: a recorder has to know whose output it keeps."""

    @abstractmethod
    def run(self, request: CommandRequest) -> CommandOutput:
        """Run one."""

    def run_all(
        self,
        requests: Sequence[CommandRequest],
        *,
        at_once: int | None = None,  # noqa: ARG002 - one is within any bound
    ) -> tuple[CommandOutput, ...]:
        """Run one after the other."""
        return tuple(self.run(request) for request in requests)
