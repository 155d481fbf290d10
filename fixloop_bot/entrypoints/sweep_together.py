"""The targets of a sweep from a shell, several at once: a process for each, so that each ends and fails alone."""

import gc
import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final, cast

from fixloop_bot.adapters.processors import processors
from fixloop_bot.adapters.sandbox.hide import stop_with_parent
from fixloop_bot.adapters.turnstile import Turn, Turnstile
from fixloop_bot.core.redact import redactor
from fixloop_bot.entrypoints.boundary import guarded
from fixloop_bot.entrypoints.exit_code import ExitCode
from fixloop_bot.entrypoints.settings import known_secrets
from fixloop_bot.entrypoints.shell_github import ShellGitHub
from fixloop_bot.entrypoints.sweep_target import FAULT, SweptTarget, run_target
from fixloop_bot.model.sweep import Chosen

if TYPE_CHECKING:
    from multiprocessing.context import ForkContext

STOPS: Final = (signal.SIGINT, signal.SIGTERM)
STARTED_BY: Final[str] = "fork" if sys.platform == "linux" else "spawn"
"""A fork has loaded all already; elsewhere it may break what the system's own libraries keep."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepWork:
    """What every run of one sweep is made of; it goes to their processes."""

    shell: ShellGitHub
    env: Mapping[str, str]
    state_dir: Path

    @property
    def redact(self) -> Callable[[str], str]:
        """Return what takes secrets out of a text."""
        return redactor((*known_secrets(self.env), *filter(None, (self.shell.token,))))

    def run(self, chosen: Chosen, turn: Turn | None) -> SweptTarget:
        """Run on one target."""
        return run_target(chosen, self.shell, self.env, state_dir=self.state_dir, redact=self.redact, turn=turn)


@dataclass(frozen=True, slots=True)
class _Running:
    index: int
    process: BaseProcess
    told: Connection


@dataclass(slots=True, kw_only=True)
class Together:
    """Runs under way. Whoever interrupts the sweep interrupts each of them, once, and waits for their last words."""

    work: SweepWork
    at_once: int
    turnstile: Turnstile = field(default_factory=lambda: Turnstile(processors()))
    """More runs than this are under way only while others wait for their models."""
    stopped: bool = False
    _running: list[_Running] = field(default_factory=list)

    def run(self, chosen: Sequence[Chosen]) -> Iterator[SweptTarget]:
        """Yield what came of each target, in their order; after a stop, of those that had begun."""
        waiting, done, told = deque(enumerate(chosen)), dict[int, SweptTarget](), 0
        gc.freeze()  # what is loaded stays, so no run's process need look through its copy of it
        with self._hearing():
            while self._running or (waiting and not self.stopped):
                while waiting and self._may_begin and not self.stopped:
                    self._begin(*waiting.popleft(), alone=len(chosen) == 1)
                for one in self._ended():
                    done[one.index] = _result(one, chosen[one.index])
                while told in done:
                    yield done[told]
                    told += 1

    @property
    def _may_begin(self) -> bool:
        return len(self._running) < self.at_once and self.turnstile.is_free

    def _begin(self, index: int, chosen: Chosen, *, alone: bool) -> None:
        """Start the target's process; a stop that comes meanwhile reaches it, too."""
        context = cast("ForkContext", multiprocessing.get_context(STARTED_BY))
        told, tell = context.Pipe(duplex=False)
        near, far = context.Pipe()
        turn = None if alone else Turn(far)
        process = context.Process(target=_work, args=(self.work, chosen, tell, turn, os.getpid()))
        signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
        try:
            process.start()
            self._running.append(_Running(index, process, told))
            self.turnstile.enter(index, near)
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
            tell.close()
            far.close()

    def _ended(self) -> list[_Running]:
        """Wait for a word, and give turns; return the runs that have ended."""
        doors = {id(door): rank for rank, door in self.turnstile.doors.items()}
        for ready in wait([*(one.process.sentinel for one in self._running), *self.turnstile.doors.values()]):
            if id(ready) in doors:
                self.turnstile.hear(doors[id(ready)])
        ended = [one for one in self._running if not one.process.is_alive()]
        for one in ended:
            self.turnstile.leave(one.index)
        self.turnstile.grant()
        self._running = [one for one in self._running if one not in ended]
        return ended

    @contextmanager
    def _hearing(self) -> Iterator[None]:
        before = {number: signal.signal(number, self._stop) for number in STOPS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self.stopped = True
        for one in self._running:
            one.process.terminate()


def _result(ended: _Running, chosen: Chosen) -> SweptTarget:
    """Return what the process said; one that said nothing has failed, and no other for it."""
    with suppress(EOFError, OSError):
        if ended.told.poll():
            result: SweptTarget = ended.told.recv()
            return result
    code = ended.process.exitcode or ExitCode.FAULT
    interrupted = code == ExitCode.INTERRUPTED
    return SweptTarget(
        name=chosen.candidate.name,
        status=FAULT,
        reason="interrupted" if interrupted else f"its process ended with {code}, which its last lines explain",
        exit_code=code if code in (ExitCode.INTERRUPTED, ExitCode.USAGE) else ExitCode.FAULT,
    )


def _work(work: SweepWork, chosen: Chosen, tell: Connection, turn: Turn | None, parent: int) -> None:
    """Be the target's process: a session of its own, so that a terminal's Ctrl-C comes from the sweep alone, once."""
    os.setsid()
    stop_with_parent()
    signal.signal(signal.SIGINT, signal.default_int_handler)

    def run() -> int:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
        if os.getppid() != parent:
            raise KeyboardInterrupt
        done = work.run(chosen, turn)
        tell.send(done)
        return done.exit_code

    sys.exit(guarded(run, redact=work.redact))
