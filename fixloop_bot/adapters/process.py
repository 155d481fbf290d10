"""Runs commands of the pull request: without a terminal, within limits, ended with all their descendants."""

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from fixloop_bot.adapters.capture import Capture
from fixloop_bot.adapters.environment import allowed_environment, without_secrets
from fixloop_bot.model.command import CommandOutput, CommandRequest, Limit

WARDEN = Path(__file__).with_name("process_tree.py")
LOADER = ("LD_LIBRARY_PATH",)
"""What Python itself may need to start, where it was built with a shared library."""
PIECE_BYTES = 64 * 1024
LOOK_S = 0.1
"""How often limits and cancellation are looked at while the command is silent."""
LAST_PIECES = 64
"""Reads after the end: more than a pipe can hold, and an end for a process that escaped and goes on writing."""
END_S = 10.0
"""How long the killing may take: longer only for a process that the kernel cannot end."""


@dataclass(slots=True)
class _Running:
    """A command under way: its warden, the pipes to it, and what was heard so far."""

    warden: subprocess.Popen[bytes]
    orders: int
    """Descriptor to write to; -1 once closed."""
    words: int
    """Descriptor to read the warden's report from."""
    output: int
    started: float
    heard: float
    capture: Capture = field(default_factory=Capture)
    report: dict[str, int] = field(default_factory=dict)


class ProcessRunner:
    """`CommandRunner` for this machine; the same user as fixloop itself runs the commands."""

    def __init__(
        self,
        base_env: Mapping[str, str],
        scratch: Path,
        *,
        time_left: Callable[[], float] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        """`scratch` is a folder for the commands' home and temporary files; `time_left` are the run's own seconds."""
        self._scratch = scratch
        self._env = allowed_environment(base_env, scratch)
        self._time_left = time_left or (lambda: float("inf"))
        self._cancelled = cancelled or (lambda: False)

    def run(self, request: CommandRequest) -> CommandOutput:
        """Run to the end or to a limit; no process that it started lives on. A command that cannot start is a value."""
        for name in ("home", "tmp"):
            (self._scratch / name).mkdir(parents=True, exist_ok=True)
        with _warden(self._env) as running:
            _give_orders(running, request, self._env | without_secrets(request.env))
            limit = self._follow(running, request)
            _end(running)
            return _result(running, request, limit)

    def _follow(self, running: _Running, request: CommandRequest) -> Limit | None:
        """Read output until the warden is gone; return the limit that is reached before."""
        ready = select.poll()
        ready.register(running.output, select.POLLIN)
        while running.warden.poll() is None:
            if ready.poll(LOOK_S * 1000):
                running.heard = time.monotonic()
                _read_piece(running)
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


@contextmanager
def _warden(env: Mapping[str, str]) -> Iterator[_Running]:
    """Start a warden; whatever happens inside, nothing of it is left afterwards."""
    orders_in, orders_out = os.pipe()
    report_in, report_out = os.pipe()
    output_in, output_out = os.pipe()
    os.set_blocking(output_in, False)
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", "-B", str(WARDEN), str(orders_in), str(report_out)],
        stdin=subprocess.DEVNULL,
        stdout=output_out,
        stderr=output_out,
        env={name: env[name] for name in LOADER if name in env},
        pass_fds=(orders_in, report_out),
        start_new_session=True,
    )
    for descriptor in (orders_in, report_out, output_out):
        os.close(descriptor)
    now = time.monotonic()
    running = _Running(process, orders_out, report_in, output_in, started=now, heard=now)
    try:
        yield running
    finally:
        _end(running)
        os.close(report_in)
        os.close(output_in)


def _give_orders(running: _Running, request: CommandRequest, env: Mapping[str, str]) -> None:
    order = json.dumps({"argv": request.argv, "cwd": request.cwd, "env": dict(env)}).encode() + b"\n"
    with contextlib.suppress(BrokenPipeError):  # a warden that is gone already shows in its missing report
        while order:
            order = order[os.write(running.orders, order) :]


def _end(running: _Running) -> None:
    """Close the orders, on which the warden kills all that is left, and take in the last of the output."""
    if running.orders < 0:
        return
    os.close(running.orders)
    running.orders = -1
    try:
        running.warden.wait(END_S)
    except subprocess.TimeoutExpired:
        running.warden.kill()
        running.warden.wait()
    running.report.update(_hear(running.words))
    if running.warden.returncode != 0 and "pid" in running.report:
        _end_session(running.report["pid"])
    for _ in range(LAST_PIECES):
        if not _read_piece(running):
            break


def _end_session(leader: int) -> None:
    """Kill the command's session: what can still be found once the command has killed its warden."""
    for process in psutil.process_iter():
        with contextlib.suppress(ProcessLookupError, PermissionError, psutil.NoSuchProcess):
            if os.getsid(process.pid) == leader:
                process.kill()


def _read_piece(running: _Running) -> bool:
    """Take in what the pipe holds, at most `PIECE_BYTES`; return whether that was anything."""
    try:
        piece = os.read(running.output, PIECE_BYTES)
    except BlockingIOError:
        return False
    running.capture.add(piece)
    return bool(piece)


def _hear(words: int) -> dict[str, int]:
    """Return what the warden reported; its end of the pipe is closed."""
    told: dict[str, int] = {}
    for line in os.read(words, 4096).splitlines():
        told |= json.loads(line)
    return told


def _result(running: _Running, request: CommandRequest, limit: Limit | None) -> CommandOutput:
    head, tail = running.capture.texts()
    started = "pid" in running.report
    code = running.report.get("exit_code", -signal.SIGKILL) if started else None
    return CommandOutput(
        exit_code=code if limit is None or not started else -signal.SIGKILL,
        head=head,
        tail=tail,
        total_bytes=running.capture.total,
        duration_s=time.monotonic() - running.started,
        sha256=running.capture.sha256,
        limit=limit if started else None,
        missing=None if started else _missing(running, request),
    )


def _missing(running: _Running, request: CommandRequest) -> str:
    if "errno" not in running.report:
        return str(WARDEN)  # it could not even start: no processes or no memory left
    return request.argv[0] if Path(request.cwd).is_dir() else request.cwd
