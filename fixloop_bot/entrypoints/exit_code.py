"""Exit codes of the `fixloop` command; other programs rely on them."""

from enum import IntEnum

from fixloop_bot.model.layer import LayerStatus
from fixloop_bot.model.outcome import Status


class ExitCode(IntEnum):
    """What the shell sees."""

    DONE = 0
    FAULT = 1
    """fixloop's own."""
    USAGE = 2
    NEED_DECISION = 3
    BLOCKED = 4
    INTERRUPTED = 130


OF_STATUS: dict[Status, ExitCode] = {
    Status.DONE: ExitCode.DONE,
    Status.NEED_DECISION: ExitCode.NEED_DECISION,
    Status.BLOCKED: ExitCode.BLOCKED,
}

OF_VALIDATION: dict[LayerStatus, int] = {
    LayerStatus.PASS: 0,
    LayerStatus.FAIL: 1,
    LayerStatus.ERROR: 2,
    LayerStatus.SKIP: 3,
}
"""`fixloop validate` has its own."""
