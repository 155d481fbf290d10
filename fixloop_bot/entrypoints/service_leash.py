"""What binds a run's process to its worker: the pipe on its standard input."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from fixloop_bot.ports.jobs import JobState


class Leash:
    """Interrupts the main thread when the worker asks for an end, or is gone."""

    def __init__(self) -> None:
        """Hear of nothing yet."""
        self._bound = self.was_bound = False
        self.leaving = False
        """The run is to be suspended and gone on with, here or elsewhere."""
        self.wanted: JobState | None = None
        """The run is to end as this."""

    def hold(self) -> None:
        """Listen from now on, beside the main thread."""
        threading.Thread(target=self._listen, daemon=True).start()

    @contextmanager
    def bound(self) -> Iterator[None]:
        """Let KeyboardInterrupt end the block as soon as an end is wanted; outside of it that only stands here."""
        self._bound = self.was_bound = True
        try:
            if self.wanted is not None:
                raise KeyboardInterrupt
            yield
        finally:
            self._bound = False

    def stop(self) -> None:
        """Note that a person asked for the run's end; whoever heard of it interrupts."""
        self.wanted = JobState.CANCELLED

    def leave(self) -> None:
        """Suspend the run: the job is another worker's by now, or its own worker's end is near."""
        self.leaving = True
        _interrupt()

    def _listen(self) -> None:
        heard = b""
        while said := os.read(0, 4096):
            *lines, heard = (heard + said).split(b"\n")
            for line in lines:
                self.wanted = JobState(line.decode("ascii"))
                if self._bound:
                    _interrupt()
        self.leave()


def _interrupt() -> None:
    """Signal the main thread itself: it may wait in a system call, which ends for no other thread's signal."""
    main = threading.main_thread().ident
    if main is not None:
        signal.pthread_kill(main, signal.SIGTERM)
