"""Runs commands of the pull request: locked in, without a terminal, within limits, ended with all their descendants."""

import contextlib
import os
import select
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psutil

from fixloop_bot.adapters.environment import allowed_environment, without_secrets
from fixloop_bot.adapters.processors import processors
from fixloop_bot.adapters.running_command import LockedOutError, RunningCommand
from fixloop_bot.adapters.sandbox.box import Box
from fixloop_bot.adapters.warden_host import END_S, WardenHost
from fixloop_bot.model.command import CACHE, CommandOutput, CommandRequest, Limit

__all__ = ["LockedOutError", "ProcessRunner"]

LOOK_S = 0.1
"""How often limits and cancellation are looked at while the commands are silent."""


class ProcessRunner:
    """`CommandRunner` for this machine."""

    def __init__(  # noqa: PLR0913 - all but the first two are optional
        self,
        base_env: Mapping[str, str],
        scratch: Path,
        *,
        box: Box | WardenHost | None = None,
        time_left: Callable[[], float] | None = None,
        cancelled: Callable[[], bool] | None = None,
        afterwards: Callable[[], None] = lambda: None,
        at_once: int | None = None,
    ) -> None:
        """`scratch` is a folder for the commands' home and temporary files; `time_left` are the run's own seconds.

        `box` may be a host that was started for one; None: commands run as fixloop's own user. `afterwards` is called
        when a command and all its processes are gone. `at_once` commands run side by side at most; None: as many as
        there are processors.
        """
        self._scratch = scratch
        self._host = box if isinstance(box, WardenHost) else None
        self._box = box.box if isinstance(box, WardenHost) else box
        self._env = allowed_environment(base_env, scratch, self._box)
        self._time_left = time_left or (lambda: float("inf"))
        self._cancelled = cancelled or (lambda: False)
        self._afterwards = afterwards
        self._at_once = at_once or processors()

    def run(self, request: CommandRequest) -> CommandOutput:
        """Run to the end or to a limit; no process that it started lives on. A command that cannot start is a value.

        Raises `LockedOutError` where the sandbox cannot be entered.
        """
        return self.run_all((request,))[0]

    def run_all(self, requests: Sequence[CommandRequest], *, at_once: int | None = None) -> tuple[CommandOutput, ...]:
        """Run several, at most `at_once` at the same time, and never more than this runner may.

        Return their outputs in the order of the requests. Each has its limits for itself. Raises as `run`.
        """
        for name in ("home", "tmp", CACHE):
            (self._scratch / name).mkdir(parents=True, exist_ok=True)
        most = min(self._at_once, at_once or len(requests), len(requests)) if len(requests) > 1 else 1
        waiting, under_way = deque(enumerate(requests)), dict[int, tuple[RunningCommand, ExitStack]]()
        outputs: dict[int, CommandOutput] = {}
        with ExitStack() as whatever:
            while waiting or under_way:
                while waiting and len(under_way) < most:
                    number, request = waiting.popleft()
                    own = whatever.enter_context(ExitStack())
                    under_way[number] = own.enter_context(self._warden(request, beside=most > 1)), own
                self._hear([running for running, _ in under_way.values()])
                for number, (running, own) in tuple(under_way.items()):
                    running.limit = None if running.is_over else self._limit(running)
                    if running.is_over or running.limit is not None:
                        del under_way[number]
                        own.close()
                        self._afterwards()
                        outputs[number] = running.result()
        return tuple(outputs[number] for number in range(len(requests)))

    def close(self) -> None:
        """End the wardens' host; another command starts it anew."""
        if self._host is not None:
            self._host.close()
            self._host = None

    @contextmanager
    def _warden(self, request: CommandRequest, *, beside: bool) -> Iterator[RunningCommand]:
        """Start a warden with its orders; whatever happens inside, nothing of it is left afterwards."""
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
        running = RunningCommand(
            request=request, orders=orders_out, words=report_in, output=output_in, started=now, heard=now
        )
        try:
            running.order(self._env | without_secrets(request.env), beside=beside)
            yield running
        finally:
            self._end(running)
            os.close(report_in)
            os.close(output_in)

    def _hear(self, under_way: Sequence[RunningCommand]) -> None:
        """Wait a moment for a word or output of the commands, and take it in."""
        ready, whose = select.poll(), dict[int, RunningCommand]()
        for running in under_way:
            for descriptor in (running.words, *(() if running.is_silent else (running.output,))):
                ready.register(descriptor, select.POLLIN)
                whose[descriptor] = running
        for descriptor, _ in ready.poll(LOOK_S * 1000):
            running = whose[descriptor]
            if descriptor == running.words:
                running.hear()
            else:
                running.heard = time.monotonic()
                running.is_silent = not running.read_piece()

    def _limit(self, running: RunningCommand) -> Limit | None:
        now = time.monotonic()
        if self._cancelled():
            return Limit.CANCELLED
        if now - running.started >= running.request.timeout_s or self._time_left() <= 0:
            return Limit.WALL
        return Limit.IDLE if now - running.heard >= running.request.idle_timeout_s else None

    def _end(self, running: RunningCommand) -> None:
        """Close the orders, on which the warden kills all that is left, and take in the last of the output."""
        if running.orders < 0:
            return
        os.close(running.orders)
        running.orders = -1
        deadline = time.monotonic() + END_S
        while not running.is_over and time.monotonic() < deadline:
            if select.select([running.words], [], [], LOOK_S)[0]:
                running.hear()
        if self._host is not None and not running.is_over:
            self._host.kill()
        if "ended" not in running.report and "pid" in running.report:
            _end_session(running.report["pid"], self._box.uid if self._box else None)
            self.close()  # the host ends what its killed warden had left to it
        running.read_rest()


def _end_session(leader: int, uid: int | None) -> None:
    """Kill the command's session, and its user: what can still be found once the command has killed its warden."""
    for process in psutil.process_iter():
        with contextlib.suppress(ProcessLookupError, PermissionError, psutil.NoSuchProcess):
            if os.getsid(process.pid) == leader or process.uids().real == uid:
                process.kill()
