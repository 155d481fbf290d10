"""Commands whose output is redacted before anybody reads it."""

from collections.abc import Callable
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
        output = self.runner.run(request)
        return replace(output, head=self.redact(output.head), tail=self.redact(output.tail))
