"""The error hashes: each that a record names was seen by the run, and is counted as often as it was."""

import re
from collections import Counter
from collections.abc import Iterator

from fixloop_bot.core.replay.difference import shown
from fixloop_bot.model.record import RepairRecord
from fixloop_bot.model.state import LoopState

_HASH = re.compile(r"[0-9a-f]{64}")


def hash_disagreements(state: LoopState, records: tuple[RepairRecord, ...]) -> Iterator[str]:
    """Yield hashes that are none, that the run has not seen, or that it counted otherwise.

    Where the first diagnosis was a text, what followed from that alone is in no trail.
    """
    counted = {seen: number for seen, number in state.error_hash_counts.items() if number}
    if counted != Counter(state.error_hash_trail):
        yield "state.json counts error hashes otherwise than its trail has them"
    for record in records:
        if record.error_hash and not _HASH.fullmatch(record.error_hash):
            yield f"repair/{record.iteration_id}.json: error_hash is {shown(record.error_hash)}, which is no SHA-256"
        elif record.error_hash and record.error_hash not in counted and not state.error_context:
            yield f"repair/{record.iteration_id}.json: the run has not seen the error hash {record.error_hash[:12]}"
