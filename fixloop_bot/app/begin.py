"""The start of a run, or its going on after a kill: the worktree in known order before anything is done."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from fixloop_bot.app.settle import salvage
from fixloop_bot.core.leftovers import litter
from fixloop_bot.core.messages import RUN_TRAILER
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.request import RunRequest
from fixloop_bot.model.state import LoopState, Phase
from fixloop_bot.ports import Ports


@dataclass(frozen=True, slots=True)
class Refused:
    """Why the run does not start; the worktree is as it was."""

    reason: str


def begin(request: RunRequest, ports: Ports) -> LoopState | Refused:
    """Return the state of a new run: written down, with the person's uncommitted changes set aside if that is allowed.

    What an earlier, killed run had set aside is put back first.
    """
    ports.worktree.put_back()
    stash = _stash(request, ports)
    if isinstance(stash, Refused):
        return stash
    head = ports.worktree.head()
    state = LoopState(
        run_id=request.run_id,
        story_id=request.story_id,
        branch=request.branch or ports.worktree.branch() or "",
        limits=request.limits,
        models=request.models,
        current_model=request.models.repair,
        start_layer=request.start_layer,
        require=request.require,
        error_context=request.error_context,
        started_at=ports.clock.now(),
        untracked_at_start=ports.worktree.untracked(),
        fixable=_fixable(ports),
        start_commit=head,
        head=head,
        clean_commit=head,
        stash=stash,
    )
    ports.records.save(state)
    return state


def go_on(state: LoopState, request: RunRequest, ports: Ports) -> LoopState | Refused:
    """Return the state of an unfinished run, its worktree as after the last finished step, under the request's bounds.

    Uncommitted changes that a killed attempt left are salvaged; after an orderly suspension they are the person's.
    """
    ports.worktree.put_back()
    stash = state.stash
    if state.suspended:
        person = _stash(replace(request, run_id=state.run_id), ports)
        if isinstance(person, Refused):
            return person
        stash = person
    else:
        salvage(state, ports, base=state.head, name=f"{state.run_id}-killed", why="the process was killed")
        ports.worktree.remove(litter(ports.worktree.untracked(), state.untracked_at_start))
    ports.worktree.reset(state.head)
    known = state.untracked_at_start if not state.suspended else ports.worktree.untracked()
    state = replace(state, limits=request.limits, stash=stash, suspended=False, untracked_at_start=known)
    ports.records.save(state)
    return state


def can_go_on(state: LoopState, ports: Ports) -> bool:
    """Return whether the worktree still stands where the run left it: on its own commits, not on a person's new one."""
    if state.ended or state.phase is Phase.ENDED:
        return False
    head = ports.worktree.head()
    return head in (state.head, state.clean_commit) or f"{RUN_TRAILER}: {state.run_id}" in ports.worktree.message(head)


def _stash(request: RunRequest, ports: Ports) -> str | Refused:
    dirty = ports.worktree.dirty()
    if not dirty:
        return ""
    if not request.allow_dirty:
        return Refused(
            f"The worktree has uncommitted changes ({_few(dirty)}). Commit them, or run with --allow-dirty: "
            "then they are set aside and put back at the end."
        )
    return ports.worktree.stash(request.run_id) or ""


def _few(paths: Sequence[str]) -> str:
    more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
    return ", ".join(paths[:3]) + more


def _fixable(ports: Ports) -> tuple[Layer, ...]:
    return tuple(sorted({fixer.layer for fixer in ports.plan.fixers}, key=lambda layer: layer.rank))
