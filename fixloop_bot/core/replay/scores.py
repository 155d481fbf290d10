"""The chain of scores: an attempt begins where the one before it has left the run."""

from collections.abc import Iterator
from itertools import pairwise

from fixloop_bot.model.attempt import Verdict
from fixloop_bot.model.record import RepairRecord
from fixloop_bot.model.state import LoopState

_NEAR = 1e-9


def score_disagreements(state: LoopState, records: tuple[RepairRecord, ...]) -> Iterator[str]:
    """Yield where an attempt begins below where the one before it, on the same layer, has left the run.

    It may begin above: free fixers work in between. Not judged: a run whose gate contradicted something, whose checks
    are flaky, whose first diagnosis was a text, or in which a person decided, as all of these make it look at the tree
    anew.
    """
    flaky = any(it.flaky for it in state.attributions)
    taken_back = any(record.verdict == Verdict.CONTRADICTED for record in records)
    if state.strict or flaky or taken_back or state.error_context or state.decisions:
        return
    for before, after in pairwise(records):
        left = _left(before)
        if before.layer == after.layer and before.verdict != Verdict.CLEAN and after.verification_before.score < left:
            yield (
                f"repair/{after.iteration_id}.json begins at score {after.verification_before.score:.3f}, "
                f"but attempt {before.attempt} left {left:.3f}"
            )


def _left(record: RepairRecord) -> float:
    stays = record.commit is not None and record.salvage is None
    side = record.verification_after if stays else record.verification_before
    return side.score - _NEAR
