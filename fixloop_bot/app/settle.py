"""Carrying out a judgement on the worktree: one commit per clean layer, salvage before every rollback."""

from collections.abc import Mapping
from dataclasses import replace

from fixloop_bot.core.judge import Judgement, contradicted, counted_again
from fixloop_bot.core.messages import clean_message
from fixloop_bot.core.record import iteration_id, to_record
from fixloop_bot.model.attempt import FixCommit
from fixloop_bot.model.layer import Layer, LayerResult
from fixloop_bot.model.state import LoopState
from fixloop_bot.ports import Ports


def settle(judgement: Judgement, ports: Ports) -> LoopState:
    """Return the state after the judged attempt is squashed, kept or undone, and recorded."""
    state, attempt = judgement.state, judgement.attempt
    name = iteration_id(state.run_id, attempt.iteration)
    if judgement.clean:
        state = make_clean(state, ports, judgement.clean, attempt.iteration)
        attempt = replace(attempt, commit=state.head)
    elif judgement.undo_to:
        state, kept = undo(state, ports, to=judgement.undo_to, name=name, why=judgement.why)
        attempt = replace(attempt, commit=None, salvage=name if kept else None)
    state = replace(state, attempts=(*state.attempts[:-1], attempt))
    ports.progress.note(f"attempt {attempt.iteration}: {judgement.verdict}: {judgement.why}")
    ports.records.attempt(state, attempt, to_record(state, attempt, created_at=ports.clock.iso()))
    return state


def make_clean(state: LoopState, ports: Ports, layer: Layer, iteration: int, *, decided: bool = False) -> LoopState:
    """Return the state whose commits above the last clean layer are one.

    `iteration` 0: the fixers did it alone, or (`decided`) what a person let be done did.
    """
    commit = ports.worktree.squash(state.clean_commit, clean_message(state, layer, iteration, decided=decided))
    done = FixCommit(layer=layer, commit=commit, iteration=iteration, decided=decided)
    best = replace(state.best, commit=commit) if state.best else None
    return replace(
        state, head=commit, clean_commit=commit, best=best, kept_iterations=(), fix_commits=(*state.fix_commits, done)
    )


def undo(state: LoopState, ports: Ports, *, to: str, name: str, why: str) -> tuple[LoopState, bool]:
    """Return the state standing on `to`, and whether there was anything to keep under `salvage/<name>/`."""
    kept = salvage(state, ports, base=to, name=name, why=why)
    ports.worktree.reset(to)
    return replace(state, head=to), kept


def salvage(state: LoopState, ports: Ports, *, base: str, name: str, why: str) -> bool:
    """Keep everything from `base` to the files on disk as a patch; return whether there was anything."""
    patch = ports.worktree.patch(base, uncommitted=True)
    if patch:
        keep_patch(state, ports, patch, base=base, name=name, why=why)
    return bool(patch)


def keep_patch(state: LoopState, ports: Ports, patch: bytes, *, base: str, name: str, why: str) -> None:
    """Keep a patch under `salvage/<name>/`, with what it is and how to apply it."""
    manifest: Mapping[str, object] = {
        "run_id": state.run_id,
        "attempt": state.iteration_count,
        "base": base,
        "head": state.head,
        "branch": state.branch,
        "why": why,
        "apply": "git apply --3way change.patch",
        "created_at": ports.clock.iso(),
    }
    ports.records.salvage(name, patch, manifest)


def take_back(state: LoopState, ports: Ports, *, keep: int, failing: LayerResult | None, why: str) -> LoopState:
    """Return the state with only the first `keep` clean layers: the gate contradicts the rest, which is salvaged.

    The attempts behind them are recorded anew: what the gate contradicts was not productive.
    """
    base = state.fix_commits[keep - 1].commit if keep else state.start_commit
    name = f"{state.run_id}-gate-{len(state.error_hash_trail)}"
    gone = {fix.iteration for fix in state.fix_commits[keep:]}
    state, _ = undo(state, ports, to=base, name=name, why=why)
    state = replace(state, clean_commit=base, fix_commits=state.fix_commits[:keep], kept_iterations=())
    attempts = tuple(
        contradicted(one, failing, salvage=name) if one.iteration in gone else one for one in state.attempts
    )
    state = replace(counted_again(state, attempts), attempts=attempts)
    for one in attempts:
        if one.iteration in gone:
            ports.records.attempt(state, one, to_record(state, one, created_at=ports.clock.iso()))
    ports.progress.note(why)
    return state
