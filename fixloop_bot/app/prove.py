"""Verification: of an attempt, and of the whole at the termination gate."""

from dataclasses import replace

from fixloop_bot.app.look import commit_fixers_work, look
from fixloop_bot.app.settle import settle
from fixloop_bot.core.ending import gate_end
from fixloop_bot.core.judge import judge
from fixloop_bot.core.leftovers import leftovers, litter
from fixloop_bot.core.observe import detected
from fixloop_bot.model.layer import Layer, Validation
from fixloop_bot.model.state import LoopState, Phase
from fixloop_bot.ports import Ports


def verify(state: LoopState, ports: Ports) -> LoopState:
    """Return the state after the pending attempt is revalidated from the lowest layer and judged."""
    validation = look(state, ports, purpose="verify")
    if layer := _tidy_first(state, validation):
        state, validation = _tidied(state, ports, layer, validation)
    return settle(judge(state, validation), ports)


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
    """Return the state after all layers ran once more on the committed tree alone; only this run makes DONE."""
    state = replace(state, violations=forbidden_changes(state, ports))
    if state.violations:
        return replace(state, phase=Phase.DECIDE)
    validation = _committed_tree_alone(state, ports)
    if validation.failing is None:
        return replace(state, gate=validation, ending=gate_end(validation, state.require), phase=Phase.DECIDE)
    failed = replace(state, gate=None, start_layer=Layer.COMPILE, failure=None, best=None)
    return detected(failed, validation)


def _committed_tree_alone(state: LoopState, ports: Ports) -> Validation:
    worktree = ports.worktree
    worktree.remove(litter(worktree.untracked(), state.untracked_at_start))
    worktree.set_aside(leftovers(worktree.untracked()))
    try:
        return look(state, ports, purpose="gate")
    finally:
        worktree.remove(litter(worktree.untracked(), state.untracked_at_start))
        worktree.put_back()


def forbidden_changes(state: LoopState, ports: Ports) -> tuple[str, ...]:
    """Return the protected files that differ from the person's head; a new test file is allowed."""
    changed = ports.worktree.changed_between(state.start_commit, state.head)
    rule = ports.protection
    return tuple(
        path
        for path, letter in sorted(changed.items())
        if (rule.rule_for_new(path) if letter == "A" else rule.rule(path))
    )
