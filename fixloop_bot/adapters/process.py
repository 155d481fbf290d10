"""Runs commands of the pull request: locked in, without a terminal, within limits, ended with all their descendants."""

import contextlib
import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from fixloop_bot.adapters.capture import Capture
from fixloop_bot.adapters.environment import allowed_environment, without_secrets
from fixloop_bot.adapters.sandbox.box import Box
from fixloop_bot.adapters.warden_host import END_S, WardenHost
from fixloop_bot.model.command import CACHE, CommandOutput, CommandRequest, Limit

PIECE_BYTES = 64 * 1024
LOOK_S = 0.1
"""How often limits and cancellation are looked at while the command is silent."""
LAST_PIECES = 64
"""Reads after the end: more than a pipe can hold, and an end for a process that escaped and goes on writing."""


class LockedOutError(OSError):
    """The sandbox could not be entered, so the command did not run."""


@dataclass(slots=True)
class _Running:
    """A command under way: the pipes to its warden, and what was heard so far."""

    orders: int
    """Descriptor to write to; -1 once closed."""
    words: int
    """Descriptor to read the warden's report from; its end is the warden's."""
    output: int
    started: float
    heard: float
    said: bytes = b""
    is_over: bool = False
    capture: Capture = field(default_factory=Capture)

    @property
    def report(self) -> dict[str, Any]:
        """Return what the warden reported so far."""
        told: dict[str, Any] = {}
        for line in self.said.splitlines():
            told |= json.loads(line)
        return told


class ProcessRunner:
    """`CommandRunner` for this machine."""

    def __init__(
        self,
        base_env: Mapping[str, str],
        scratch: Path,
        *,
        box: Box | WardenHost | None = None,
        time_left: Callable[[], float] | None = None,
        cancelled: Callable[[], bool] | None = None,
        afterwards: Callable[[], None] = lambda: None,
    ) -> None:
        """`scratch` is a folder for the commands' home and temporary files; `time_left` are the run's own seconds.

        `box` may be a host that was started for one; None: commands run as fixloop's own user. `afterwards` is called
        when a command and all its processes are gone.
        """
        self._scratch = scratch
        self._host = box if isinstance(box, WardenHost) else None
        self._box = box.box if isinstance(box, WardenHost) else box
        self._env = allowed_environment(base_env, scratch, self._box)
        self._time_left = time_left or (lambda: float("inf"))
        self._cancelled = cancelled or (lambda: False)
        self._afterwards = afterwards

    def run(self, request: CommandRequest) -> CommandOutput:
        """Run to the end or to a limit; no process that it started lives on. A command that cannot start is a value.

        Raises `LockedOutError` where the sandbox cannot be entered.
        """
        for name in ("home", "tmp", CACHE):
            (self._scratch / name).mkdir(parents=True, exist_ok=True)
        with self._warden() as running:
            self._give_orders(running, request)
            limit = self._follow(running, request)
            self._end(running)
        self._afterwards()
        return _result(running, request, limit)

    def close(self) -> None:
        """End the wardens' host; another command starts it anew."""
        if self._host is not None:
            self._host.close()
            self._host = None

    @contextmanager
    def _warden(self) -> Iterator[_Running]:
        """Start a warden; whatever happens inside, nothing of it is left afterwards."""
        if self._host is None or not self._host.is_alive:
            self.close()
            self._host = WardenHost(self._env, self._box)
        orders_in, orders_out = os.pipe()
        report_in, report_out = os.pipe()
        output_in, output_out = os.pipe()
        os.set_blocking(output_in, False)
        self._host.fork_warden(orders_in, report_out, output_out)
        for descriptor in (orders_in, report_out, output_out):
            os.close(descriptor)
        now = time.monotonic()
        running = _Running(orders_out, report_in, output_in, started=now, heard=now)
        try:
            yield running
        finally:
            self._end(running)
            os.close(report_in)
            os.close(output_in)

    def _give_orders(self, running: _Running, request: CommandRequest) -> None:
        env = self._env | without_secrets(request.env)
        order = json.dumps({"argv": request.argv, "cwd": request.cwd, "env": env}).encode() + b"\n"
        with contextlib.suppress(BrokenPipeError):  # a warden that is gone already shows in its missing report
            while order:
                order = order[os.write(running.orders, order) :]

    def _follow(self, running: _Running, request: CommandRequest) -> Limit | None:
        """Read output until the warden is gone; return the limit that is reached before."""
        ready = select.poll()
        ready.register(running.output, select.POLLIN)
        ready.register(running.words, select.POLLIN)
        while not running.is_over:
            found = [descriptor for descriptor, _ in ready.poll(LOOK_S * 1000)]
            if running.output in found:
                running.heard = time.monotonic()
                if not _read_piece(running):
                    ready.unregister(running.output)
            if running.words in found:
                _hear(running)
            limit = self._limit(running, request)
            if limit is not None:
                return limit
        return None

    def _limit(self, running: _Running, request: CommandRequest) -> Limit | None:
        now = time.monotonic()
        if self._cancelled():
            return Limit.CANCELLED
        if now - running.started >= request.timeout_s or self._time_left() <= 0:
            return Limit.WALL
        return Limit.IDLE if now - running.heard >= request.idle_timeout_s else None

    def _end(self, running: _Running) -> None:
        """Close the orders, on which the warden kills all that is left, and take in the last of the output."""
        if running.orders < 0:
            return
        os.close(running.orders)
        running.orders = -1
        deadline = time.monotonic() + END_S
        while not running.is_over and time.monotonic() < deadline:
            if select.select([running.words], [], [], LOOK_S)[0]:
                _hear(running)
        if self._host is not None and not running.is_over:
            self._host.kill()
        if "ended" not in running.report and "pid" in running.report:
            _end_session(running.report["pid"], self._box.uid if self._box else None)
            self.close()  # the host ends what its killed warden had left to it
        for _ in range(LAST_PIECES):
            if not _read_piece(running):
                break


def _end_session(leader: int, uid: int | None) -> None:
    """Kill the command's session, and its user: what can still be found once the command has killed its warden."""
    for process in psutil.process_iter():
        with contextlib.suppress(ProcessLookupError, PermissionError, psutil.NoSuchProcess):
            if os.getsid(process.pid) == leader or process.uids().real == uid:
                process.kill()


def _read_piece(running: _Running) -> bool:
    """Take in what the pipe holds, at most `PIECE_BYTES`; return whether that was anything."""
    try:
        piece = os.read(running.output, PIECE_BYTES)
    except BlockingIOError:
        return False
    running.capture.add(piece)
    return bool(piece)


def _hear(running: _Running) -> None:
    """Take in what the warden says; its silence is its end."""
    piece = os.read(running.words, 4096)
    running.said += piece
    running.is_over = not piece


def _result(running: _Running, request: CommandRequest, limit: Limit | None) -> CommandOutput:
    report = running.report
    if "locked_out" in report:
        raise LockedOutError(f"the sandbox could not be entered: {report['locked_out']}")
    head, tail = running.capture.texts()
    started = "pid" in report and "errno" not in report
    code = report.get("exit_code", -signal.SIGKILL) if started else None
    return CommandOutput(
        exit_code=code if limit is None or not started else -signal.SIGKILL,
        head=head,
        tail=tail,
        middle=running.capture.middle(),
        total_bytes=running.capture.total,
        duration_s=time.monotonic() - running.started,
        sha256=running.capture.sha256,
        limit=limit if started else None,
        missing=None if started else _missing(report, request),
    )


def _missing(report: Mapping[str, Any], request: CommandRequest) -> str:
    if "errno" not in report:
        return sys.executable  # the warden could not even start: no processes or no memory left
    return request.argv[0] if Path(request.cwd).is_dir() else request.cwd
