"""All that was written down of one run, and what came of holding it together."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from fixloop_bot.model.agent import Receipt
from fixloop_bot.model.history import Malformed
from fixloop_bot.model.outcome import Terminal
from fixloop_bot.model.proof import Proof, Verdict
from fixloop_bot.model.record import RepairRecord
from fixloop_bot.model.state import LoopState

Row = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A run's records, each as it stands; what cannot be read is in `malformed`."""

    run_id: str
    state: LoopState | None = None
    terminal: Terminal | None = None
    records: tuple[RepairRecord, ...] = ()
    """By attempt."""
    receipts: tuple[Receipt, ...] = ()
    """In the order of the file."""
    runlog: tuple[str, ...] = ()
    """Lines of the log that name the run."""
    rows: Mapping[str, tuple[Row, ...]] = field(default_factory=dict)
    """Database table → its rows of this run."""
    malformed: tuple[Malformed, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """What came of it."""

    run_id: str
    verdict: Verdict
    why: tuple[str, ...] = ()
    """What disagrees, or what could not be checked though the verdict needs it."""
    checked: tuple[str, ...] = ()
    """What was held together."""
    notes: tuple[str, ...] = ()
    """What could not be checked, and changes no verdict."""
    proof: Proof | None = None
    """Of the DONE, where the run claims one and its records agree."""
