"""What an attempt did: measured against the state before it, never taken from the agent's word."""

from dataclasses import dataclass, replace

from fixloop_bot.core.fingerprint import tell
from fixloop_bot.core.observe import came_back, failure_of, seen, seen_tree
from fixloop_bot.core.score import score
from fixloop_bot.core.verdict import verdict_of
from fixloop_bot.model.attempt import Attempt, BestKnown, Failure, IterationOutcome, Verdict
from fixloop_bot.model.layer import Layer, LayerResult, Validation
from fixloop_bot.model.state import LoopState, Phase


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A verdict and what follows from it for the worktree."""

    verdict: Verdict
    why: str
    state: LoopState
    attempt: Attempt
    clean: Layer | None = None
    """The layer whose commits become one."""
    undo_to: str | None = None
    """The commit to go back to, after salvage."""


def judge(state: LoopState, validation: Validation, *, worse: str = "") -> Judgement:
    """Judge the pending attempt by the validation of its commit; `worse` says what a look elsewhere has shown.

    An attempt whose baseline was only a text is kept if its layer comes clean; otherwise it is undone and the
    tree is looked at for the first time, so that no one is blamed for what was broken before.
    """
    before, attempt = _under_judgement(state)
    after = validation.failing
    state = _with_first_count(state, after)
    score_after = score(validation, state.first_error_count_by_layer)
    verdict, why = verdict_of(before, validation, score_after=score_after, changed=attempt.changed)
    if worse:
        verdict, why = Verdict.REGRESSION, worse
    if before.from_context and verdict is not Verdict.CLEAN:
        verdict, why = Verdict.SAME, "not clean; what was broken before is looked at next"
    if verdict not in (Verdict.CLEAN, Verdict.PROGRESS):
        score_after = min(score_after, before.score)
    attempt = _measured(attempt, before, after, score_after=score_after, verdict=verdict)
    if verdict in (Verdict.CHANGED, Verdict.SAME) and came_back(state, attempt.hash_after, validation.tree):
        why = f"{why}; this was there before: the attempts go in a circle"
    state = replace(_counted(state, attempt, comparable=not before.from_context), validation=validation)
    state = seen_tree(state, validation.tree)
    if verdict is Verdict.CLEAN:
        return _clean(state, attempt, validation, why=why)
    if verdict is Verdict.PROGRESS or (verdict is Verdict.CHANGED and not state.kept_changed):
        return _kept(state, attempt, validation, why=why)
    return _undone(state, attempt, why=why)


def judge_no_change(state: LoopState, why: str, *, verdict: Verdict = Verdict.SAME) -> Judgement:
    """Judge an attempt that leaves the tree as it was, `SAME`, or that the guard takes back unchecked, `REFUSED`."""
    before, attempt = _under_judgement(state)
    attempt = _measured(attempt, before, before.result, score_after=before.score, verdict=verdict)
    return _undone(_counted(state, attempt, comparable=True), attempt, why=why)


def judge_repeated(state: LoopState, earlier: Attempt) -> Judgement:
    """Judge an attempt that leads to the very tree of an earlier one: what that one came to is known, it is `SAME`."""
    before, attempt = _under_judgement(state)
    attempt = _measured(attempt, before, before.result, score_after=before.score, verdict=Verdict.SAME)
    attempt = replace(
        attempt,
        hash_after=earlier.hash_after,
        failing_after=earlier.failing_after,
        errors_after=earlier.errors_after,
    )
    why = f"the same change as attempt {earlier.iteration}, which is not verified again"
    state = seen_tree(_counted(state, attempt, comparable=True), attempt.tree)
    return _undone(state, attempt, why=why)


def contradicted(attempt: Attempt, failing: LayerResult | None, *, salvage: str) -> Attempt:
    """Return an attempt that looked clean as the gate has it: of no use, and undone."""
    return replace(
        attempt,
        verdict=Verdict.CONTRADICTED,
        outcome=IterationOutcome.FAILED,
        score_after=attempt.score_before,
        failing_after=failing_items(failing) or attempt.failing_before,
        errors_after=failing.error_count if failing else attempt.errors_before,
        commit=None,
        salvage=salvage,
    )


def counted_again(state: LoopState, attempts: tuple[Attempt, ...]) -> LoopState:
    """Return the state whose ladder counts the attempts that the gate contradicts."""
    unproductive = {**state.unproductive_by_mode}
    for attempt in attempts:
        if attempt.verdict is Verdict.CONTRADICTED and attempt not in state.attempts:
            unproductive[attempt.mode] = unproductive.get(attempt.mode, 0) + 1
    return replace(state, unproductive_by_mode=unproductive)


def _under_judgement(state: LoopState) -> tuple[Failure, Attempt]:
    if state.failure is None or state.pending is None:
        raise ValueError("there is no attempt to judge")
    return state.failure, state.pending


def _with_first_count(state: LoopState, after: LayerResult | None) -> LoopState:
    if after is None or after.name in state.first_error_count_by_layer:
        return state
    first = {**state.first_error_count_by_layer, after.name: after.error_count}
    return replace(state, first_error_count_by_layer=first)


def failing_items(result: LayerResult | None) -> tuple[str, ...]:
    """Return what fails, `layer: item` each; the layer alone where nothing finer is known."""
    if result is None:
        return ()
    items = {f"{d.path or '?'} {d.test_id or d.rule_id or d.message}".strip()[:200] for d in tell(result.diagnostics)}
    return tuple(f"{result.name}: {item}" for item in sorted(items)[:50]) or (str(result.name),)


def _measured(
    attempt: Attempt, before: Failure, after: LayerResult | None, *, score_after: float, verdict: Verdict
) -> Attempt:
    done = verdict in (Verdict.CLEAN, Verdict.PROGRESS)
    return replace(
        attempt,
        hash_before=before.error_hash,
        hash_after=after.fingerprint.fine if after and after.fingerprint else "",
        score_before=before.score,
        score_after=score_after,
        failing_before=failing_items(before.result),
        failing_after=failing_items(after),
        errors_before=before.result.error_count,
        errors_after=after.error_count if after else 0,
        verdict=verdict,
        outcome=IterationOutcome.DONE if done else attempt.outcome,
    )


def _counted(state: LoopState, attempt: Attempt, *, comparable: bool) -> LoopState:
    """Return the state with the attempt's hash counted; equal to the hash before means no progress.

    Not comparable: the baseline was only a text, so the tree's own failure is counted when it is looked at.
    """
    same = attempt.verdict in (Verdict.SAME, Verdict.REFUSED) and attempt.hash_after == attempt.hash_before
    state = seen(state, attempt.hash_after) if comparable else state
    unproductive = {**state.unproductive_by_mode}
    if attempt.score_after <= attempt.score_before:
        unproductive[attempt.mode] = unproductive.get(attempt.mode, 0) + 1
    return replace(
        state,
        consecutive_no_progress=state.consecutive_no_progress + 1 if same else 0,
        unproductive_by_mode=unproductive,
        attempts=(*state.attempts, attempt),
        pending=None,
    )


def _clean(state: LoopState, attempt: Attempt, validation: Validation, *, why: str) -> Judgement:
    """The layer passes: what fails now, if anything, is a layer above and a new baseline."""
    after = validation.failing
    state = replace(
        state,
        kept_changed=False,
        kept_iterations=(),
        failure=None,
        best=None,
        unproductive_by_mode={},
        phase=Phase.GATE,
    )
    if after is not None:
        failure = failure_of(validation, after, state)
        counts = {**state.error_count_by_layer, after.name: after.error_count}
        best = BestKnown(commit=state.head, failure=failure)
        state = replace(state, failure=failure, best=best, error_count_by_layer=counts, phase=Phase.DECIDE)
    return Judgement(verdict=Verdict.CLEAN, why=why, state=state, attempt=attempt, clean=attempt.layer)


def _kept(state: LoopState, attempt: Attempt, validation: Validation, *, why: str) -> Judgement:
    """The change stays for the next attempt; only progress moves the best-known state."""
    verdict = attempt.verdict or Verdict.CHANGED
    failure = failure_of(validation, _failing(validation), state)
    counts = {**state.error_count_by_layer, failure.layer: failure.result.error_count}
    kept = (*state.kept_iterations, attempt.iteration)
    risen = BestKnown(commit=state.head, failure=failure, kept_iterations=kept)
    best = risen if verdict is Verdict.PROGRESS else state.best
    state = replace(
        state,
        kept_iterations=kept,
        failure=failure,
        best=best,
        error_count_by_layer=counts,
        kept_changed=verdict is Verdict.CHANGED,
        phase=Phase.DECIDE,
    )
    return Judgement(verdict=verdict, why=why, state=state, attempt=attempt)


def _undone(state: LoopState, attempt: Attempt, *, why: str) -> Judgement:
    """Back to the best-known state: its failure is known, so nothing is run again."""
    if state.best is None:
        raise ValueError("there is no state to go back to")
    failure = state.best.failure
    state = replace(
        state,
        failure=failure,
        error_count_by_layer={**state.error_count_by_layer, failure.layer: failure.result.error_count},
        kept_changed=False,
        kept_iterations=state.best.kept_iterations,
        phase=Phase.DETECT if failure.from_context else Phase.DECIDE,
        last_error_hash=failure.error_hash,
    )
    verdict = attempt.verdict or Verdict.SAME
    return Judgement(
        verdict=verdict, why=why, state=state, attempt=attempt, undo_to=state.best.commit if state.best else None
    )


def _failing(validation: Validation) -> LayerResult:
    result = validation.failing
    if result is None:
        raise ValueError("nothing fails")
    return result
