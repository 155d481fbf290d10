"""What a validation means for the state: the failure to work on, and how often it was seen."""

from collections.abc import Sequence
from dataclasses import replace

from fixloop_bot.core.failing import fails_only_in
from fixloop_bot.core.score import score
from fixloop_bot.model.attempt import BestKnown, Failure, FailureMode
from fixloop_bot.model.layer import Layer, LayerResult, Validation
from fixloop_bot.model.state import LoopState, Phase


def detected(state: LoopState, validation: Validation) -> LoopState:
    """Return the state after a first look at the tree in `state.head`: its failure is the new baseline.

    Used for the first detection and for a failed gate, whose pyramid may be a longer one.
    """
    state = replace(state, validation=validation, phase=Phase.DECIDE)
    state = state if state.tree_trail else seen_tree(state, validation.tree)
    result = validation.failing
    if result is None:
        return replace(state, failure=None, phase=Phase.GATE)
    first = {**state.first_error_count_by_layer}
    first.setdefault(result.name, result.error_count)
    state = replace(state, first_error_count_by_layer=first)
    failure = failure_of(validation, result, state)
    return baseline(seen(state, failure.error_hash), failure)


def baseline(state: LoopState, failure: Failure) -> LoopState:
    """Return the state with `failure`, standing on `state.head`, as the best known and the one to work on."""
    counts = {**state.error_count_by_layer, failure.layer: failure.result.error_count}
    return replace(
        state,
        failure=failure,
        best=BestKnown(commit=state.head, failure=failure, kept_iterations=state.kept_iterations),
        error_count_by_layer=counts,
    )


def failure_of(validation: Validation, result: LayerResult, state: LoopState) -> Failure:
    """Return the failing layer as the loop's next target."""
    flaky = flaky_names(state, result.name)
    return Failure(
        layer=result.name,
        result=result,
        mode=_mode(result, flaky),
        score=score(validation, state.first_error_count_by_layer),
        flaky=flaky,
    )


def flaky_names(state: LoopState, layer: Layer) -> tuple[str, ...]:
    """Return what attribution has set aside in a layer, sorted."""
    return tuple(sorted(flaky.name for it in state.attributions if it.layer is layer for flaky in it.flaky))


def _mode(result: LayerResult, flaky: tuple[str, ...]) -> FailureMode:
    if result.environmental:
        return FailureMode.ENVIRONMENTAL
    if result.name is Layer.RUBRIC and result.diagnostics and not result.evidence:
        return FailureMode.RUBRIC_FAIL
    return FailureMode.FLAKY if fails_only_in(result, flaky) else FailureMode.DETERMINISTIC_FAIL


def from_context(state: LoopState, result: LayerResult) -> LoopState:
    """Return the state whose first diagnosis is a given text: nothing else is known of the tree."""
    failure = Failure(
        layer=result.name,
        result=result,
        mode=FailureMode.DETERMINISTIC_FAIL,
        score=0.0,
        from_context=True,
    )
    state = replace(state, phase=Phase.DECIDE)
    return baseline(seen(state, failure.error_hash), failure)


def seen(state: LoopState, error_hash: str) -> LoopState:
    """Return the state with one more sighting of the hash; no effect on the no-progress count."""
    if not error_hash:
        return state
    counts = {**state.error_hash_counts}
    counts[error_hash] = counts.get(error_hash, 0) + 1
    return replace(
        state,
        error_hash_counts=counts,
        error_hash_trail=(*state.error_hash_trail, error_hash),
        last_error_hash=error_hash,
    )


def seen_tree(state: LoopState, tree: str) -> LoopState:
    """Return the state with one more sighting of a git tree: the person's first, then each attempt's."""
    return replace(state, tree_trail=(*state.tree_trail, tree)) if tree else state


def came_back(state: LoopState, error_hash: str, tree: str) -> bool:
    """Return whether a failure or a tree, about to be noted, was seen before; the last failure once more is none."""
    again = error_hash != state.last_error_hash and error_hash in state.error_hash_trail
    return again or tree in state.tree_trail


def oscillates(state: LoopState) -> bool:
    """Return whether the attempts went in a circle: a failure seen again after another one, or a tree seen again."""
    return bool(circle(state))


def circle(state: LoopState) -> tuple[str, ...]:
    """Return the last circle of failures, by their hashes, else of git trees: `(A, B, A)`; empty for none.

    The same failure, or the same tree, twice in a row is told once, but a tree that comes back at once is a circle.
    """
    return _circle(_without_repeats(state.error_hash_trail)) or _circle(state.tree_trail)


def circle_words(state: LoopState) -> str:
    """Return the last circle with short hashes, `1f2e3d4c → 5b6a7988 → 1f2e3d4c`; empty for none."""
    return " → ".join(one[:8] for one in circle(state))


def _circle(trail: Sequence[str]) -> tuple[str, ...]:
    """Return the part of the trail from a step to its return; of several the one that ended last."""
    last: dict[str, int] = {}
    found: tuple[str, ...] = ()
    for place, one in enumerate(trail):
        if one in last:
            found = tuple(trail[last[one] : place + 1])
        last[one] = place
    return found


def _without_repeats(trail: Sequence[str]) -> list[str]:
    return [one for place, one in enumerate(trail) if place == 0 or trail[place - 1] != one]
