"""Looking at the tree: the first detection, the free fixers, and the price of going on."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace

from fixloop_bot.app.apart import apart, look_apart, not_set_up
from fixloop_bot.app.free_fix import run_fixers
from fixloop_bot.app.guard import guard_fixers
from fixloop_bot.app.judge_rubric import with_rubric
from fixloop_bot.app.read_context import read_context
from fixloop_bot.app.set_up import set_up
from fixloop_bot.app.settle import keep_patch, make_clean, undo
from fixloop_bot.app.validate import validate
from fixloop_bot.core.decide import free_key
from fixloop_bot.core.ending import gate_end
from fixloop_bot.core.focus import focused
from fixloop_bot.core.leftovers import leftovers, litter
from fixloop_bot.core.messages import fix_message, without_message
from fixloop_bot.core.observe import detected, failure_of, from_context
from fixloop_bot.core.score import score
from fixloop_bot.core.twice import learned_from
from fixloop_bot.core.verdict import verdict_of
from fixloop_bot.model.attempt import BestKnown, Failure, Verdict
from fixloop_bot.model.command import Plan
from fixloop_bot.model.decision import FixFree
from fixloop_bot.model.layer import Layer, LayerResult, LayerStatus, TestReport, Validation
from fixloop_bot.model.state import LoopState, Phase
from fixloop_bot.ports import Ports


def look(state: LoopState, ports: Ports, *, purpose: str) -> Validation:
    """Validate the tree as it stands, from the run's first layer; tracked files that the checks changed are restored.

    `purpose` is `detect`, `verify` or `gate`, for the watching person. The gate, and everything after one that failed,
    sees all layers of all projects and the committed tree alone; the other looks see the projects that were touched.
    """
    if purpose == "gate" or state.strict:
        return _as_gate(state, ports, ports.worktree.head(), purpose=purpose)
    return _validated(state, ports, from_layer=state.start_layer, purpose=purpose)


def look_and_judge(state: LoopState, ports: Ports, *, purpose: str) -> tuple[LoopState, Validation]:
    """Look, and have the rubric judged where everything else passes."""
    return with_rubric(state, look(state, ports, purpose=purpose), ports, purpose=purpose)


def look_without(state: LoopState, ports: Ports, paths: Sequence[str]) -> Validation:
    """Look as the gate does, at the tree without these files; the worktree stands on `state.head` again afterwards."""
    return _as_gate(state, ports, ports.worktree.without(paths, without_message(state)), purpose="gate")


def layer_at(state: LoopState, ports: Ports, commit: str, layer: Layer, *, whole: bool = False) -> LayerResult | None:
    """Return what one layer says of another commit's tree; the worktree stands on `state.head` again afterwards.

    `whole` looks at all projects, and as the gate does: for what is compared with it.
    """
    if whole or state.strict:
        run = _as_gate(state, ports, commit, only=layer, purpose="baseline")
    else:
        run = _standing_on(commit, state, ports, lambda: _validated(state, ports, only=layer, purpose="baseline"))
    return run.result(layer)


def plan_for(state: LoopState, ports: Ports, *, whole: bool = False) -> Plan:
    """Return what is run: all where the whole counts and after a gate that failed, else what the changes touch."""
    if whole or state.strict or not ports.changed:
        return ports.plan
    own = ports.worktree.changed_between(state.start_commit, state.head)
    return focused(ports.plan, (*ports.changed, *own))


def again(state: LoopState, ports: Ports, layer: Layer) -> LayerResult | None:
    """Return what one layer says of the tree as it stands, looked at once more under the same conditions."""
    if state.strict:
        return _as_gate(state, ports, ports.worktree.head(), only=layer, purpose="attribute").result(layer)
    return _validated(state, ports, only=layer, purpose="attribute").result(layer)


def with_ran(state: LoopState, validation: Validation) -> LoopState:
    """Return the state that remembers which layers ran."""
    ran = [result.name for result in validation.layers if result.status is not LayerStatus.SKIP]
    return replace(state, ran=tuple(dict.fromkeys((*state.ran, *ran))))


def _as_gate(state: LoopState, ports: Ports, commit: str, *, only: Layer | None = None, purpose: str) -> Validation:
    """Look at a commit's tree alone, all projects: in a fresh checkout where `setup` is declared, else in place."""
    if place := apart(ports):
        return look_apart(commit, place, only=only, purpose=purpose, noise=state.noise)
    return _standing_on(commit, state, ports, lambda: _validated(state, ports, only=only, purpose=purpose, whole=True))


def _standing_on(commit: str, state: LoopState, ports: Ports, check: Callable[[], Validation]) -> Validation:
    """Run a check in the worktree on the commit's tree alone; it stands on `state.head` again afterwards."""
    moves = commit != ports.worktree.head()
    try:
        if moves:
            ports.worktree.reset(commit)
        return _alone(state, ports, check)
    finally:
        if moves:
            ports.worktree.reset(state.head)


def _validated(
    state: LoopState,
    ports: Ports,
    *,
    from_layer: Layer = Layer.COMPILE,
    only: Layer | None = None,
    purpose: str,
    whole: bool = False,
) -> Validation:
    ports.worktree.forget_bytecode()
    validation = validate(
        plan_for(state, ports, whole=whole),
        ports.project,
        ports.runner,
        ports.progress,
        from_layer=from_layer,
        only=only,
        clock=ports.clock,
        purpose=purpose,
        noise=state.noise,
    )
    _restore(state, ports)
    return replace(validation, tree=ports.worktree.tree())


def _restore(state: LoopState, ports: Ports) -> None:
    """Make tracked files as committed; what was changed meanwhile, by a check or by a person, is kept as a patch."""
    patch = ports.worktree.patch("HEAD", uncommitted=True)
    if patch:
        name = f"{state.run_id}-changed-{hashlib.sha256(patch).hexdigest()[:8]}"
        keep_patch(state, ports, patch, base=state.head, name=name, why="changed while the checks ran")
        ports.progress.note(f"tracked files changed while the checks ran; that is kept in salvage/{name} and undone")
        ports.worktree.restore()
    else:
        ports.worktree.check_unmoved()


def _alone(state: LoopState, ports: Ports, check: Callable[[], Validation]) -> Validation:
    """Run a check on the committed tree alone: what is untracked and no dependency is out of the way meanwhile."""
    worktree = ports.worktree
    found = worktree.untracked()
    if left := litter(found, state.untracked_at_start):
        worktree.displace(left, why="left behind by the checks")
        found = worktree.untracked()
    worktree.set_aside(leftovers(found))
    try:
        return check()
    finally:
        worktree.displace(litter(worktree.untracked(), state.untracked_at_start), why="left behind by the checks")
        worktree.put_back()


def detect(state: LoopState, ports: Ports) -> LoopState:
    """Return the state after the first look, or after reading the error context that replaces it."""
    if ports.plan.setup and not state.set_up:
        return _set_up(state, ports)
    if state.error_context and not state.attempts:
        return from_context(state, read_context(state.error_context, ports.project, ports.plan.matchers))
    proof = _is_proof(state, ports)
    state, validation = learned_from(*look_and_judge(state, ports, purpose="detect"))
    found = detected(with_ran(state, validation), validation)
    tests = validation.result(Layer.TEST)
    if tests and tests.status is not LayerStatus.SKIP and state.head == state.start_commit:
        as_gate = plan_for(state, ports) == ports.plan and _stands_as_fresh(state, ports)
        known = tests.tests or TestReport(executed=0)  # a runner that counts none will not count them later either
        found = replace(found, baseline_tests=known, whole_baseline_tests=known if as_gate else None)
    if found.failure is None and proof:
        gate = replace(validation, setup=ports.plan.setup if state.pristine else ())
        return replace(found, gate=gate, ending=gate_end(validation, state.require))
    return found


def _set_up(state: LoopState, ports: Ports) -> LoopState:
    """Return the state with the project's dependencies installed, or with the end that their lack means."""
    pristine = not (ports.worktree.untracked() or ports.worktree.ignored())
    why = set_up(ports.plan, ports.project, ports.runner, ports.progress, ports.setup_memory)
    _restore(state, ports)
    return replace(state, set_up=True, pristine=pristine, ending=not_set_up(why) if why else None)


def _stands_as_fresh(state: LoopState, ports: Ports) -> bool:
    """Return whether the worktree, before its first checks, is what a fresh checkout would be."""
    return state.pristine or apart(ports) is None


def _is_proof(state: LoopState, ports: Ports) -> bool:
    """Return whether a green look is as good as the gate: every layer, the person's own tree, nothing lying about."""
    untouched = state.head == state.start_commit and not state.attempts and not state.free_tried
    whole = state.start_layer is Layer.COMPILE and plan_for(state, ports) == ports.plan
    return untouched and whole and _stands_as_fresh(state, ports) and not leftovers(ports.worktree.untracked())


def fix_free(decision: FixFree, state: LoopState, ports: Ports) -> LoopState:
    """Return the state after the project's own fixers had their turn. It is no attempt and costs nothing."""
    before = state.failure
    if before is None:
        raise ValueError("there is nothing to fix")
    ports.progress.note(f"{decision.layer}: running the project's own fixers")
    head = commit_fixers_work(decision.layer, state, ports)
    state = replace(state, free_tried=(*state.free_tried, free_key(state)))
    if head is None:
        return state
    return _keep_or_undo(replace(state, head=head), before, ports)


def commit_fixers_work(layer: Layer, state: LoopState, ports: Ports) -> str | None:
    """Run the layer's fixers and commit what they changed, protected files left as they were; None for no change."""
    for note in run_fixers(plan_for(state, ports), layer, ports.project, ports.runner):
        ports.progress.note(note)
    changed = ports.worktree.dirty()
    filtered = ports.worktree.filtered(changed)
    barred = [path for path in changed if path in filtered or ports.protection.rule(path)]
    if barred:
        ports.worktree.restore(barred)
    allowed = [path for path in changed if path not in barred]
    head = ports.worktree.commit(allowed, fix_message(state, layer, 0)) if allowed else None
    return head if head and guard_fixers(layer, head, state, ports) else None


def _keep_or_undo(state: LoopState, before: Failure, ports: Ports) -> LoopState:
    state, validation = look_and_judge(state, ports, purpose="verify")
    state = with_ran(state, validation)
    verdict, why = verdict_of(before, validation, score_after=score(validation, state.first_error_count_by_layer))
    ports.progress.note(f"{before.layer}: fixers: {verdict}: {why}")
    if verdict is Verdict.CLEAN:
        iteration = state.iteration_count if state.kept_iterations else 0
        state = make_clean(state, ports, before.layer, iteration)
        return detected(replace(state, failure=None, best=None), validation)
    if verdict is Verdict.PROGRESS and not before.from_context and validation.failing:
        failure = failure_of(validation, validation.failing, state)
        best = BestKnown(commit=state.head, failure=failure, kept_iterations=state.kept_iterations)
        tried = (*state.free_tried, free_key(state))
        return replace(state, failure=failure, best=best, free_tried=tried, validation=validation, phase=Phase.DECIDE)
    name = f"{state.run_id}-free-{before.layer}-{len(state.free_tried)}"
    state, _kept = undo(state, ports, to=_before_fixers(state), name=name, why=why)
    return state


def _before_fixers(state: LoopState) -> str:
    return state.free_tried[-1].partition(":")[2]
