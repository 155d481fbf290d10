"""One command under way: the pipes to its warden, and what was heard of it so far."""

import json
import os
import signal
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fixloop_bot.adapters.capture import Capture
from fixloop_bot.model.command import CommandOutput, CommandRequest, Limit

PIECE_BYTES = 64 * 1024
LAST_PIECES = 64
"""Reads after the end: more than a pipe can hold, and an end for a process that escaped and goes on writing."""


class LockedOutError(OSError):
    """The sandbox could not be entered, so the command did not run."""


@dataclass(slots=True, kw_only=True, eq=False)
class RunningCommand:
    """A command under way."""

    request: CommandRequest
    orders: int
    """Descriptor to write to; -1 once closed."""
    words: int
    """Descriptor to read the warden's report from; its end is the warden's."""
    output: int
    started: float
    heard: float
    limit: Limit | None = None
    said: bytes = b""
    is_over: bool = False
    is_silent: bool = False
    """The output has come to its end, which a daemon may keep open beyond the command's."""
    capture: Capture = field(default_factory=Capture)

    @property
    def report(self) -> dict[str, Any]:
        """Return what the warden reported so far."""
        told: dict[str, Any] = {}
        for line in self.said.splitlines():
            told |= json.loads(line)
        return told

    def order(self, env: Mapping[str, str], *, beside: bool) -> None:
        """Tell the warden what to run; `beside`: other commands of the same user run meanwhile."""
        told = {"argv": self.request.argv, "cwd": self.request.cwd, "env": env, "beside": beside}
        order = json.dumps(told).encode() + b"\n"
        try:
            while order:
                order = order[os.write(self.orders, order) :]
        except BrokenPipeError:
            return  # a warden that is gone already shows in its missing report

    def read_piece(self) -> bool:
        """Take in what the output's pipe holds, at most `PIECE_BYTES`; return whether that was anything."""
        try:
            piece = os.read(self.output, PIECE_BYTES)
        except BlockingIOError:
            return False
        self.capture.add(piece)
        return bool(piece)

    def read_rest(self) -> None:
        """Take in the last of the output."""
        for _ in range(LAST_PIECES):
            if not self.read_piece():
                break

    def hear(self) -> None:
        """Take in what the warden says; its silence is its end."""
        piece = os.read(self.words, 4096)
        self.said += piece
        self.is_over = not piece

    def result(self) -> CommandOutput:
        """Return what the ended command did. Raises `LockedOutError`."""
        report = self.report
        if "locked_out" in report:
            raise LockedOutError(f"the sandbox could not be entered: {report['locked_out']}")
        head, tail = self.capture.texts()
        started = "pid" in report and "errno" not in report
        code = report.get("exit_code", -signal.SIGKILL) if started else None
        return CommandOutput(
            exit_code=code if self.limit is None or not started else -signal.SIGKILL,
            head=head,
            tail=tail,
            middle=self.capture.middle(),
            total_bytes=self.capture.total,
            duration_s=time.monotonic() - self.started,
            sha256=self.capture.sha256,
            limit=self.limit if started else None,
            missing=None if started else self._missing(report),
        )

    def _missing(self, report: Mapping[str, Any]) -> str:
        if "errno" not in report:
            return sys.executable  # the warden could not even start: no processes or no memory left
        return self.request.argv[0] if Path(self.request.cwd).is_dir() else self.request.cwd
