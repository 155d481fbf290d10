"""The process of a run under way, asked to stop as by Ctrl-C."""

import os
import signal

import psutil

from fixloop_bot.adapters.lock import Held


def interrupt(held: Held) -> str:
    """Send the interrupt; return why that cannot be, for a person. Never to a process that is no fixloop."""
    if held.pid is None:
        return "the run has just started and has not said who it is; try again"
    try:
        process = psutil.Process(held.pid)
        if not any("fixloop" in part for part in process.cmdline()):
            return f"process {held.pid} is no fixloop here; is the run in another container? Stop it there"
        os.kill(held.pid, signal.SIGINT)
    except psutil.NoSuchProcess:
        return f"process {held.pid} is not to be seen from here; is the run in another container? Stop it there"
    except (psutil.AccessDenied, PermissionError):
        return f"process {held.pid} belongs to somebody else; stop it as that user"
    return ""
