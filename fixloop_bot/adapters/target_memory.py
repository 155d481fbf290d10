"""What the state folder remembers of a target: how often it was tried, and what was tried."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fixloop_bot.adapters.repair_record import RecordError, read_record
from fixloop_bot.adapters.state_folder import StateFolder
from fixloop_bot.adapters.store import EarlierAttempt, Store
from fixloop_bot.core.ladder import unproductive_on
from fixloop_bot.core.record import iteration_id
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.target import TriedBefore

MOST = 20
"""Attempts, the latest, that the next run is told of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """What earlier runs on one head of a person's leave to the next."""

    attempts: dict[Layer, int] = field(default_factory=dict)
    """Unproductive ones since the layer was clean last."""
    tried: tuple[TriedBefore, ...] = ()


def remembered(store: Store, folder: StateFolder, *, branch: str, head: str) -> Remembered:
    """Return what is known of the branch at `head`; a record that is gone or broken only costs its words."""
    rows = [row for row in store.attempts_on(branch, head) if row.layer in tuple(Layer)]
    counts = unproductive_on(((Layer(row.layer), row.verdict, bool(row.productive)) for row in rows), {})
    failed = [row for row in rows if not row.productive and Layer(row.layer) in counts]
    return Remembered(attempts=counts, tried=tuple(_tried(failed[-MOST:], folder)))


def _tried(rows: Sequence[EarlierAttempt], folder: StateFolder) -> Iterator[TriedBefore]:
    for row in rows:
        record = read_record(folder.record(iteration_id(row.run_id, row.iteration)))
        if isinstance(record, RecordError):
            continue
        yield TriedBefore(
            iteration_id=record.iteration_id,
            layer=Layer(row.layer),
            hypothesis=record.hypothesis,
            repair_action=record.repair_action,
            verdict=record.verdict,
            failing_after=record.remaining_delta[:5],
            files=record.files,
            change_id=record.change_id,
        )
