"""Exit codes of the `fixloop` command; other programs rely on them."""

from enum import IntEnum

from fixloop_bot.model.layer import LayerStatus
from fixloop_bot.model.outcome import Status
from fixloop_bot.model.proof import Verdict


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

OF_VERDICT: dict[Verdict, int] = {Verdict.HOLDS: 0, Verdict.BROKEN: 1, Verdict.UNCHECKED: 2}
"""`fixloop verify` too."""
