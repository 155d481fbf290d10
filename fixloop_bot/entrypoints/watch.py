"""Watching for a stop: `/fixloop stop` and the check run's button end the check run, and this process hears of it."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from fixloop_bot.app.tell import Teller
from fixloop_bot.entrypoints.action_stage import ActionStage
from fixloop_bot.ports.forge import ForgeError


@contextmanager
def watching(stage: ActionStage, teller: Teller, *, before: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Interrupt the main thread, after `before`, as soon as somebody else has completed the run's check run."""
    over = threading.Event()
    watcher = threading.Thread(target=_watch, args=(stage, teller, over, before), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


def _watch(stage: ActionStage, teller: Teller, over: threading.Event, before: Callable[[], None]) -> None:
    from fixloop_bot.adapters.github.forge import GitHubForge  # noqa: PLC0415 - the thread's own connection

    with GitHubForge(stage.access) as forge:
        while not over.wait(stage.settings.watch_every):
            ref = teller.check_run
            try:
                stop = ref is not None and not teller.finished and forge.is_completed(ref)
            except ForgeError:
                continue  # it is asked again in a moment
            if stop and not over.is_set():
                before()
                _interrupt_main_thread()
                return


def _interrupt_main_thread() -> None:
    """Signal that thread itself: it may wait in a system call, which ends for no other thread's signal.

    SIGTERM, because whoever started the process may have let it ignore SIGINT.
    """
    main = threading.main_thread().ident
    if main is not None:
        signal.pthread_kill(main, signal.SIGTERM)
