"""Verification: of an attempt, and of the whole at the termination gate."""

from dataclasses import replace

from fixloop_bot.app.apart import where_looked
from fixloop_bot.app.guard import guard_attempt, guard_run, violations
from fixloop_bot.app.judge_rubric import with_rubric
from fixloop_bot.app.look import commit_fixers_work, layer_at, look, look_and_judge, look_without, with_ran
from fixloop_bot.app.settle import settle, take_back
from fixloop_bot.core.attribute import flaky_words, is_flaky
from fixloop_bot.core.ending import gate_end, unproven
from fixloop_bot.core.guard.effect import lost_tests
from fixloop_bot.core.hypotheses import same_tree
from fixloop_bot.core.judge import judge, judge_no_change, judge_repeated
from fixloop_bot.core.observe import detected
from fixloop_bot.core.twice import learned_from
from fixloop_bot.model.guard import Finding, Severity
from fixloop_bot.model.layer import Layer, LayerResult, LayerStatus, TestReport, Validation
from fixloop_bot.model.state import LoopState, Phase
from fixloop_bot.ports import Ports


def verify(state: LoopState, ports: Ports) -> LoopState:
    """Return the state after the pending attempt is guarded, revalidated from the lowest layer, and judged."""
    state = guard_attempt(state, ports)
    if state.pending is None:
        return state
    if earlier := same_tree(state, state.pending):
        return settle(judge_repeated(state, earlier), ports)
    validation = look(state, ports, purpose="verify")
    if layer := _tidy_first(state, validation):
        state, validation = _tidied(state, ports, layer, validation)
    state, validation = learned_from(*with_rubric(state, validation, ports, purpose="verify"))
    state = with_ran(state, validation)
    if _was_green_before(state, validation, ports):
        return settle(judge_no_change(state, "the layer passes without this change too"), ports)
    state, lost = _lost_by_attempt(state, validation, ports)
    if lost and state.pending:
        state = replace(state, pending=replace(state.pending, guard=(lost, *state.pending.guard)))
    return settle(judge(state, validation, worse=lost.message if lost else ""), ports)


def _lost_by_attempt(state: LoopState, validation: Validation, ports: Ports) -> tuple[LoopState, Finding | None]:
    """Return what the attempt cost in tests: against the failure it was to repair, or against the person's head."""
    before, now = state.failure, validation.result(Layer.TEST)
    if before and before.layer is Layer.TEST:
        return state, lost_tests(before.result.tests, now.tests) if now else None
    return _compared_with_start(state, validation, ports, whole=state.strict) if before else (state, None)


def _was_green_before(state: LoopState, validation: Validation, ports: Ports) -> bool:
    """Return whether a layer that only a text called failing passes on the person's head: then nothing was repaired."""
    before = state.failure
    if before is None or not before.from_context or before.layer not in validation.passed:
        return False
    at_start = layer_at(state, ports, state.start_commit, before.layer)
    return at_start is not None and at_start.status is LayerStatus.PASS


def _tidy_first(state: LoopState, validation: Validation) -> Layer | None:
    """Return the layer below the repaired one that fails and has free fixers: a formatter's matter is no regression."""
    failing, before = validation.failing, state.failure
    if failing is None or before is None or failing.name.rank >= before.layer.rank:
        return None
    return failing.name if failing.name in state.fixable else None


def _tidied(state: LoopState, ports: Ports, layer: Layer, validation: Validation) -> tuple[LoopState, Validation]:
    head = commit_fixers_work(layer, state, ports)
    if head is None:
        return state, validation
    state = replace(state, head=head)
    return state, look(state, ports, purpose="verify")


def gate(state: LoopState, ports: Ports) -> LoopState:
    """Return the state after all layers ran once more on the committed tree alone; only this run makes DONE.

    Tests that the agent added may support the proof, never carry it: the layers run without them first.
    """
    if found := guard_run(state, ports):
        return _weakened(state, found, ports)
    if new := _new_tests(state, ports):
        ports.progress.note(f"gate: first without the {len(new)} test file(s) that the agent added")
        validation = look_without(state, ports, new)
        state, refuted = _refuted(state, validation, ports)
        if refuted:
            return state
    state, validation = look_and_judge(state, ports, purpose="gate")
    state, refuted = _refuted(with_ran(state, validation), validation, ports)
    if refuted:
        return state
    ending = gate_end(validation, (*state.require, *state.ran), flaky_words(state))
    return replace(state, gate=validation, ending=ending, phase=Phase.DECIDE)


def _refuted(state: LoopState, validation: Validation, ports: Ports) -> tuple[LoopState, bool]:
    """Return the state, and whether the look at the gate speaks against it: then what it refutes is taken back."""
    if validation.failing is not None and is_flaky(validation.failing, state):
        return replace(state, ending=unproven(flaky_words(state)), phase=Phase.DECIDE), True
    if validation.failing is not None:
        return _contradicted(state, validation, validation.failing, ports), True
    state, lost = _compared_with_start(state, validation, ports, whole=True)
    if lost:
        return _weakened(state, (replace(lost, severity=Severity.CRITICAL),), ports), True
    return state, False


def _new_tests(state: LoopState, ports: Ports) -> tuple[str, ...]:
    """Return the test files that were not there at the person's head."""
    changed = ports.worktree.changed_between(state.start_commit, state.head)
    approved = {one.path for one in state.approved}
    new = {path for path, letter in changed.items() if letter == "A" and ports.protection.is_test(path)}
    return tuple(sorted(new - approved))


def _contradicted(state: LoopState, validation: Validation, failing: LayerResult, ports: Ports) -> LoopState:
    """Return the state after a gate that failed: what it contradicts is taken back, and all looks are strict now."""
    keep = _proven(state, failing, ports)
    state = replace(state, gate=None, strict=True, start_layer=Layer.COMPILE, failure=None, best=None)
    if keep == len(state.fix_commits):
        return detected(state, validation)
    why = f"the gate contradicts it: {failing.name} does not pass {where_looked(validation)}"
    return replace(take_back(state, ports, keep=keep, failing=failing, why=why), phase=Phase.DETECT)


def _weakened(state: LoopState, found: tuple[Finding, ...], ports: Ports) -> LoopState:
    """Return the state of a run that weakened a check: none of its commits stays."""
    clauses = violations(found)
    state = take_back(state, ports, keep=0, failing=None, why="; ".join(clauses[:5]))
    return replace(state, violations=clauses, guard=found, phase=Phase.DECIDE)


def _proven(state: LoopState, failing: LayerResult, ports: Ports) -> int:
    """Return how many of the clean layers' commits stand, from the oldest.

    A commit of the failing layer does not: its layer is not clean. One of a higher layer does only if the failure was
    there before the run; below the failing layer everything has just passed.
    """
    for number, fix in enumerate(state.fix_commits):
        if fix.layer is failing.name:
            return number
        if fix.layer.rank > failing.name.rank and not _was_there(state, failing, ports):
            return number
    return len(state.fix_commits)


def _was_there(state: LoopState, failing: LayerResult, ports: Ports) -> bool:
    at_start = layer_at(state, ports, state.start_commit, failing.name, whole=True)
    if at_start is None or at_start.fingerprint is None or failing.fingerprint is None:
        return False
    return at_start.fingerprint.fine == failing.fingerprint.fine


def _compared_with_start(
    state: LoopState, validation: Validation, ports: Ports, *, whole: bool
) -> tuple[LoopState, Finding | None]:
    """Return the state with the person's own tests as a baseline, and which of them do not run any more.

    `whole` says that the validation looked at all projects, so that the baseline must have done so, too.
    """
    now = validation.result(Layer.TEST)
    by_agent = state.pending is not None or any(fix.iteration or fix.decided for fix in state.fix_commits)
    if not by_agent or now is None or now.status is LayerStatus.SKIP:
        return state, None
    known = state.whole_baseline_tests if whole else state.baseline_tests
    if known is None:
        at_start = layer_at(state, ports, state.tests_from or state.start_commit, Layer.TEST, whole=whole)
        known = (at_start.tests if at_start else None) or TestReport(executed=0)
        state = replace(state, whole_baseline_tests=known) if whole else replace(state, baseline_tests=known)
    return state, lost_tests(known, now.tests)
