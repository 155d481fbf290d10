"""The end of a run: the worktree as it was or better, and the truth written down."""

from dataclasses import replace

from fixloop_bot.app.settle import salvage
from fixloop_bot.core.ending import to_terminal
from fixloop_bot.core.leftovers import litter
from fixloop_bot.model.decision import Stop
from fixloop_bot.model.outcome import Status
from fixloop_bot.model.state import LoopState, Phase
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
