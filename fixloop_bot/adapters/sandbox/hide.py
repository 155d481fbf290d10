"""What a process says to the kernel of itself: that none may look into it, that it goes with its parent."""

import ctypes
import signal
import sys

_SET_PDEATHSIG, _SET_DUMPABLE = 1, 4


def hide_process() -> None:
    """Bar `/proc/PID/environ`, `/proc/PID/mem`, ptrace and core dumps of this process (prctl(2), PR_SET_DUMPABLE)."""
    _prctl(_SET_DUMPABLE, 0)


def die_with_parent() -> None:
    """Be killed when the parent is gone; a change of user forgets it (prctl(2), PR_SET_PDEATHSIG)."""
    _prctl(_SET_PDEATHSIG, signal.SIGKILL)


def stop_with_parent() -> None:
    """Be asked to stop when the parent is gone."""
    _prctl(_SET_PDEATHSIG, signal.SIGTERM)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
