"""Attribution: flaky, there before the branch, or the branch's own."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from fixloop_bot.core.failing import failing_names, fails_only_in
from fixloop_bot.core.observe import flaky_names
from fixloop_bot.model.attempt import FailureMode
from fixloop_bot.model.attribution import Attribution, Flaky
from fixloop_bot.model.layer import Layer, LayerResult, LayerStatus
from fixloop_bot.model.state import LoopState

RUNS: Final = 5
"""Runs on one tree, once two of them differ: enough to say `2 of 5`."""
SHARE: Final = 0.25
"""Of the time that is left, what one more run may take."""


def attribution_due(state: LoopState, now: float) -> bool:
    """Return whether the failing layer's checks must run again before the first paid call on this layer.

    On a pull request for every layer; elsewhere for the tests, which alone are flaky as a rule. Not where the failure
    is only a text so far, and not where a run takes too much of the time that is left.
    """
    failure = state.failure
    if failure is None or failure.from_context or failure.result.status is not LayerStatus.FAIL:
        return False
    known = any(it.layer is failure.layer for it in state.attributions)
    if known or failure.mode is not FailureMode.DETERMINISTIC_FAIL:
        return False
    if not state.base_commit and failure.layer is not Layer.TEST:
        return False
    return failure.result.duration_s <= SHARE * (state.limits.deadline - now)


def weigh(state: LoopState, runs: Sequence[LayerResult], at_base: LayerResult | None) -> Attribution:
    """Return what the runs on the head, at least one, and the one on the merge base, if any, say together."""
    layer = runs[0].name
    counts = Counter(name for run in runs for name in set(failing_names(run)))
    flaky = tuple(Flaky(name, failed) for name, failed in sorted(counts.items()) if failed < len(runs))
    steady = {name for name, failed in counts.items() if failed == len(runs)}
    own = bool(steady) if counts else all(run.status is not LayerStatus.PASS for run in runs)
    if not counts and not own:
        flaky = (Flaky(f"the {layer} layer", sum(run.status is not LayerStatus.PASS for run in runs)),)
    return Attribution(
        layer=layer,
        commit=state.head,
        runs=len(runs),
        flaky=flaky,
        base=state.base_commit if at_base else "",
        pre_existing=_pre_existing(runs[0], steady, at_base),
        own=own,
    )


def _pre_existing(first: LayerResult, steady: set[str], at_base: LayerResult | None) -> tuple[str, ...]:
    if at_base is None or at_base.status is LayerStatus.PASS:
        return ()
    if steady:
        return tuple(sorted(steady & set(failing_names(at_base))))
    alike = first.fingerprint and at_base.fingerprint and first.fingerprint.fine == at_base.fingerprint.fine
    return (f"the {first.name} layer",) if alike else ()


def attributed(state: LoopState, attribution: Attribution) -> LoopState:
    """Return the state that knows it; a failure of which nothing is steady is flaky, and is not repaired."""
    state = replace(state, attributions=(*state.attributions, attribution))
    if state.failure is None:
        return state
    failure = replace(state.failure, flaky=flaky_names(state, attribution.layer))
    mode = failure.mode if attribution.own else FailureMode.FLAKY
    return replace(state, failure=replace(failure, mode=mode))


def is_flaky(result: LayerResult, state: LoopState) -> bool:
    """Return whether a layer fails in nothing but what is known as flaky."""
    return fails_only_in(result, flaky_names(state, result.name))


def attribution_words(state: LoopState) -> tuple[str, ...]:
    """Return what is flaky, then what was there before the branch, a clause each."""
    before = tuple(f"{name} fails on the merge base too" for it in state.attributions for name in it.pre_existing)
    return (*flaky_words(state), *before)


def flaky_words(state: LoopState) -> tuple[str, ...]:
    """Return what is flaky in this run, a clause each with its evidence."""
    return tuple(
        f"{flaky.name} failed in {flaky.failed} of {it.runs} runs on the same tree"
        for it in state.attributions
        for flaky in it.flaky
    )
