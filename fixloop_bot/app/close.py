"""The end of a run: the worktree as it was or better, and the truth written down."""

from dataclasses import replace

from fixloop_bot.app.settle import salvage
from fixloop_bot.core.ending import to_terminal
from fixloop_bot.core.leftovers import litter
from fixloop_bot.model.decision import Stop
from fixloop_bot.model.outcome import Breaker, Status, TerminalState
from fixloop_bot.model.state import End, LoopState, Phase
from fixloop_bot.ports import Ports


def stop(decision: Stop, state: LoopState, ports: Ports) -> LoopState:
    """Return the ended (or waiting) state; unclean work is salvaged and undone."""
    end = decision.end
    if end.status is not Status.DONE:
        state = fall_back(state, ports, why=end.reason)
    worktree = ports.worktree
    worktree.remove(litter(worktree.untracked(), state.untracked_at_start))
    waits = end.terminal is None
    state = replace(state, end=end, phase=Phase.DECISION_WAIT if waits else Phase.ENDED, ending=None)
    if not waits:
        ports.records.terminal(state, to_terminal(state, terminated_at=ports.clock.iso()))
    return state


def fall_back(state: LoopState, ports: Ports, *, why: str) -> LoopState:
    """Return the state standing on the last clean layer, all above it salvaged."""
    salvage(state, ports, base=state.clean_commit, name=f"{state.run_id}-stop", why=why)
    ports.worktree.reset(state.clean_commit)
    return replace(state, head=state.clean_commit, pending=None)


def suspend(state: LoopState, ports: Ports, *, why: str) -> LoopState:
    """Return the state of an interrupted run: the worktree on its last clean layer, everything kept to go on later."""
    salvage(state, ports, base=state.head, name=f"{state.run_id}-interrupted", why=why)
    ports.worktree.put_back()
    ports.worktree.remove(litter(ports.worktree.untracked(), state.untracked_at_start))
    ports.worktree.reset(state.clean_commit)
    return give_back(replace(state, suspended=True), ports)


def give_back(state: LoopState, ports: Ports) -> LoopState:
    """Return the state after the person's uncommitted changes are back, or after telling how to get them."""
    if state.stash and ports.worktree.unstash(state.stash):
        ports.progress.note(
            f"your uncommitted changes no longer fit; they are kept: git stash apply --index {state.stash}"
        )
    state = replace(state, stash="")
    ports.records.save(state)
    return state


def abandon(state: LoopState, ports: Ports, *, why: str) -> LoopState:
    """Return the ended state of a run whose branch went on without it; branch and files stay as they are."""
    end = End(status=Status.BLOCKED, terminal=TerminalState.ABORTED_BY_HUMAN, breaker=Breaker.STOPPED, reason=why)
    state = replace(state, end=end, phase=Phase.ENDED, pending=None, ending=None)
    ports.worktree.put_back()
    ports.progress.note(f"run {state.run_id} ends: {why}")
    if state.stash and ports.worktree.dirty():
        ports.progress.note(f"your uncommitted changes are kept: git stash apply --index {state.stash}")
        ports.records.save(state)
    else:
        state = give_back(state, ports)
    ports.records.terminal(state, to_terminal(state, terminated_at=ports.clock.iso()))
    return state
