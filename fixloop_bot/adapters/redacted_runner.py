"""Commands whose output is redacted before anybody reads it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from fixloop_bot.model.command import CommandOutput, CommandRequest
from fixloop_bot.ports.project import CommandRunner


@dataclass(frozen=True, slots=True)
class RedactedRunner:
    """`CommandRunner` over another one.

    Whatever shortens a text could cut a secret in two, and neither half would be known again: so this comes first.
    """

    runner: CommandRunner
    redact: Callable[[str], str]

    def run(self, request: CommandRequest) -> CommandOutput:
        """Run the command; the digest and the number of bytes stay those of what it printed."""
        return self._redacted(self.runner.run(request))

    def run_all(self, requests: Sequence[CommandRequest], *, at_once: int | None = None) -> tuple[CommandOutput, ...]:
        """Run the commands side by side."""
        return tuple(self._redacted(output) for output in self.runner.run_all(requests, at_once=at_once))

    def _redacted(self, output: CommandOutput) -> CommandOutput:
        middle = tuple(replace(passage, text=self.redact(passage.text)) for passage in output.middle)
        return replace(output, head=self.redact(output.head), middle=middle, tail=self.redact(output.tail))
