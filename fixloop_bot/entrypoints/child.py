"""A worker's child processes: a run each, and the judge. All end with the worker's end of their pipe."""

import asyncio
import sys
from collections.abc import Sequence
from contextlib import suppress


class Child:
    """One process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        """Take over a process with a pipe as standard input."""
        self._process = process

    def say(self, line: str) -> None:
        """Write a line to it; one that has ended hears nothing."""
        if self._process.stdin is not None:
            with suppress(OSError, RuntimeError):
                self._process.stdin.write(f"{line}\n".encode())

    def let_go(self) -> None:
        """Close the pipe: it puts everything in order and ends."""
        if self._process.stdin is not None:
            self._process.stdin.close()

    def end(self) -> None:
        """Kill it, if it has not ended yet: for what holds nothing that it would have to put in order."""
        with suppress(ProcessLookupError):
            self._process.kill()

    async def ended(self) -> int:
        """Wait for its end and return the exit code."""
        try:
            return await self._process.wait()
        finally:
            self.let_go()

    async def heard(self) -> str:
        """Return its next line, empty at its end."""
        if self._process.stdout is None:
            return ""
        return (await self._process.stdout.readline()).decode("ascii", "replace")


async def started(module: str, arguments: Sequence[str], *, answers: bool = False) -> Child:
    """Start a module of fixloop's as a process; with `answers` its standard output can be read.

    In a session of its own: what a terminal sends to all of a group is the worker's to hear.
    """
    out = asyncio.subprocess.PIPE if answers else asyncio.subprocess.DEVNULL
    name = f"fixloop_bot.entrypoints.{module}"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", name, *arguments, stdin=asyncio.subprocess.PIPE, stdout=out, start_new_session=True
    )
    return Child(process)
