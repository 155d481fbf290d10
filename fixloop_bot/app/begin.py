"""The start of a run, or its going on after a kill: the worktree in known order before anything is done."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from fixloop_bot.app.give_back import how_to_get, is_given_back
from fixloop_bot.app.settle import salvage
from fixloop_bot.core.leftovers import at_start
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

    What earlier, killed runs had set aside or kept is put back first. The state is on disk, with the name of the ref
    that will keep the changes, before the first of them is taken out of the worktree.
    """
    ports.worktree.put_back()
    _bring_back(ports)
    dirty = ports.worktree.dirty()
    refused = _refuse_dirty(dirty, request)
    if refused:
        return refused
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
        untracked_at_start=at_start(ports.worktree.untracked()),
        fixable=_fixable(ports),
        earlier_attempts={} if request.answer else request.earlier_attempts,  # an answer is news
        earlier_tried=request.earlier_tried,
        start_commit=head,
        base_commit=request.base_commit,
        intent=request.intent,
        allow_stale_updates=request.allow_stale_updates,
        answer=request.answer,
        head=head,
        clean_commit=head,
    )
    return _without_changes(state, dirty, ports)


def go_on(state: LoopState, request: RunRequest, ports: Ports) -> LoopState | Refused:
    """Return the state of an unfinished run, its worktree as after the last finished step, under the request's bounds.

    Changes of tracked files that a killed process left are salvaged, and the person is told where: they may be theirs.
    After an orderly suspension, and where the changes that the run kept are back already, they are the person's.
    Untracked files all stay: from now on they are the person's.
    """
    ports.worktree.check_unmoved()
    ports.worktree.put_back()
    if is_given_back(state, ports):
        dirty = ports.worktree.dirty()
        refused = _refuse_dirty(dirty, request)
        if refused:
            return refused
        state = _without_changes(replace(state, suspended=False), dirty, ports)
    else:
        _salvage_found(state, ports)
        _clear_half_made(state, ports)
    ports.worktree.reset(state.head)
    known = at_start(ports.worktree.untracked())
    # what is spent already was allowed when it was spent: a smaller cap only means that nothing more may be
    cap = max(request.limits.max_cost_usd, min(ports.journal.spent(), state.limits.max_cost_usd))
    # an answer grants one more attempt where all are used
    retries = max(request.limits.max_retries, state.limits.max_retries if state.answer else 0)
    limits = replace(request.limits, max_cost_usd=cap, max_retries=retries)
    state = replace(state, limits=limits, suspended=False, pristine=False, untracked_at_start=known)
    ports.records.save(state)
    return state


def can_go_on(state: LoopState, ports: Ports) -> bool:
    """Return whether the worktree still stands where the run left it: on its own commits, not on a person's new one.

    A commit that was made just before the kill is not in the state yet. It is known by its exact id, written down
    before the branch moved; a trailer alone would also be in what a person made of it.
    """
    if state.ended or state.phase is Phase.ENDED:
        return False
    head = ports.worktree.head()
    known = {state.head, state.clean_commit}
    known |= {state.best.commit} if state.best else set()
    known |= {state.start_commit} if state.answer else set()  # another clone, to which its commits came just now
    if head in known:
        return True
    origin, target = ports.worktree.last_move()
    made = f"{RUN_TRAILER}: {state.run_id}" in ports.worktree.message(head)
    if head == target:  # to look at the person's head or at the merge base, unless the commit is the run's own
        return made or head in (state.start_commit, state.base_commit)
    return made and head == origin and target not in known


def _bring_back(ports: Ports) -> None:
    """Put back the uncommitted changes that killed runs have left under their refs, or tell how to get them."""
    for ref in ports.worktree.stashes():
        if ports.worktree.dirty() or ports.worktree.unstash(ref):
            ports.progress.note(f"uncommitted changes of an earlier run are kept. {how_to_get(ref)}")
        else:
            ports.progress.note(f"uncommitted changes of an earlier run that was killed are back (they were in {ref})")


def _salvage_found(state: LoopState, ports: Ports) -> None:
    name = f"{state.run_id}-killed-{ports.clock.now():.0f}"
    found = ports.worktree.dirty()
    if salvage(state, ports, base=state.head, name=name, why="the process was killed") and found:
        ports.progress.note(
            f"uncommitted changes were found that the killed run, or you, had made ({_few(found)}). They are kept; "
            f"to get them, with the state folder's path: git apply --3way STATE_DIR/salvage/{name}/change.patch"
        )


def _clear_half_made(state: LoopState, ports: Ports) -> None:
    """Move away what a killed attempt had made: it begins again, and makes it again."""
    made = frozenset(ports.records.created(state.run_id)) if state.phase is Phase.FIX else frozenset()
    found = [path for path in ports.worktree.untracked() if path in made]
    if found:
        ports.worktree.displace(found, why="made by an attempt that was killed")


def _refuse_dirty(dirty: Sequence[str], request: RunRequest) -> Refused | None:
    if not dirty or request.allow_dirty:
        return None
    return Refused(
        f"The worktree has uncommitted changes ({_few(dirty)}). Commit them, or run with --allow-dirty: "
        "then they are set aside and put back at the end."
    )


def _without_changes(state: LoopState, dirty: Sequence[str], ports: Ports) -> LoopState:
    """Return the state, saved, after the person's uncommitted changes are kept under the ref that it names."""
    state = replace(state, stash=ports.worktree.stash_ref(state.run_id) if dirty else "")
    ports.records.save(state)
    if dirty:
        ports.worktree.stash(state.run_id)
    return state


def _few(paths: Sequence[str]) -> str:
    more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
    return ", ".join(paths[:3]) + more


def _fixable(ports: Ports) -> tuple[Layer, ...]:
    return tuple(sorted({fixer.layer for fixer in ports.plan.fixers}, key=lambda layer: layer.rank))
