"""How many processors this process may use."""

import contextlib
import os
from pathlib import Path

_QUOTA = Path("/sys/fs/cgroup/cpu.max")


def processors(quota: Path = _QUOTA) -> int:
    """Return their number, at least 1: those that it may run on, and no more than its control group's share.

    `quota` is the group's `cpu.max` (cgroup v2): microseconds or `max`, and of what period. Unread, it limits nothing.
    """
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    with contextlib.suppress(OSError, ValueError, ZeroDivisionError):
        share, period = quota.read_text(encoding="ascii").split()
        if share != "max":
            count = min(count, int(share) // int(period))
    return max(count, 1)
