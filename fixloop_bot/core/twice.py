"""A failing layer that ran twice on one tree: what is noise, what is flaky, and what the state learns from it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from fixloop_bot.core.failing import failing_names
from fixloop_bot.core.fingerprint import with_noise
from fixloop_bot.core.noise import Noise, noise_between
from fixloop_bot.model.layer import Layer, LayerResult, LayerStatus, Validation
from fixloop_bot.model.state import LoopState


@dataclass(frozen=True, slots=True, kw_only=True)
class Twice:
    """What two runs of one layer on the same tree tell."""

    runs: int = 2
    failed: int
    """How many of the runs did not pass."""
    flaky: tuple[str, ...] = ()
    """What failed in one run alone: tests, or `path rule`, sorted; all that failed, where the other run passed."""
    noise: frozenset[str] = frozenset()
    """For `learned`."""
    same: bool = False
    """Both fail in the same way, noise aside."""

    @property
    def steady(self) -> bool:
        """Return whether both fail, and in the same places."""
        return self.failed == self.runs and not self.flaky


def compare_runs(first: LayerResult, second: LayerResult) -> Twice:
    """Compare two results of one layer, of which the first at least did not pass."""
    failed = sum(result.status is not LayerStatus.PASS for result in (first, second))
    noise = frozenset[str]()
    same = False
    if first.fingerprint and second.fingerprint:
        noise = noise_between(first.fingerprint, second.fingerprint)
        ours, theirs = (
            with_noise(first.name, known, Noise(noise)) for known in (first.fingerprint, second.fingerprint)
        )
        same = ours.fine == theirs.fine
    ours_only = Counter(failing_names(first))
    ours_only.subtract(failing_names(second))
    flaky = tuple(sorted(item for item, count in ours_only.items() if count))
    return Twice(failed=failed, flaky=flaky, noise=noise, same=same)


def learned(state: LoopState, layer: Layer, noise: frozenset[str]) -> LoopState:
    """Return the state that masks the noise from now on; failures that it holds are the same ones under a new hash."""
    known = frozenset(state.noise.get(layer, ())) | noise
    if not noise or known == frozenset(state.noise.get(layer, ())):
        return state
    state = replace(state, noise={**state.noise, layer: tuple(sorted(known))})
    mask = Noise(known)
    renamed = _renamed(state, layer, mask)
    failure, best = state.failure, state.best
    if failure and failure.layer is layer:
        failure = replace(failure, result=quiet(failure.result, mask))
    if best and best.failure.layer is layer:
        best = replace(best, failure=replace(best.failure, result=quiet(best.failure.result, mask)))
    counts: dict[str, int] = {}
    for name, count in state.error_hash_counts.items():
        counts[renamed.get(name, name)] = counts.get(renamed.get(name, name), 0) + count
    return replace(
        state,
        failure=failure,
        best=best,
        error_hash_counts=counts,
        error_hash_trail=tuple(renamed.get(name, name) for name in state.error_hash_trail),
        last_error_hash=renamed.get(state.last_error_hash, state.last_error_hash),
    )


def quiet(result: LayerResult, mask: Noise) -> LayerResult:
    """Return the result with its noise masked."""
    if result.fingerprint is None:
        return result
    return replace(result, fingerprint=with_noise(result.name, result.fingerprint, mask))


def _renamed(state: LoopState, layer: Layer, mask: Noise) -> Mapping[str, str]:
    """Return old fine hash → new one for the failures that the state holds."""
    held = [state.failure, state.best.failure if state.best else None]
    results = [failure.result for failure in held if failure and failure.layer is layer]
    if state.validation and (result := state.validation.result(layer)):
        results.append(result)
    known = [result.fingerprint for result in results if result.fingerprint]
    return {before.fine: with_noise(layer, before, mask).fine for before in known}


def learned_from(state: LoopState, validation: Validation) -> tuple[LoopState, Validation]:
    """Return state and validation with what this look and the one before it on the same tree teach."""
    before, after = _same_tree(state, validation)
    if before is None or after is None:
        return state, validation
    state = learned(state, after.name, compare_runs(before, after).noise)
    mask = Noise(state.noise.get(after.name, ()))
    layers = tuple(quiet(result, mask) if result is after else result for result in validation.layers)
    return state, replace(validation, layers=layers)


def _same_tree(state: LoopState, validation: Validation) -> tuple[LayerResult | None, LayerResult | None]:
    after = validation.failing
    if state.validation is None or after is None or not validation.tree or state.validation.tree != validation.tree:
        return None, None
    before = state.validation.failing
    return (before, after) if before and before.name is after.name else (None, None)
