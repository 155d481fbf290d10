"""The person's uncommitted changes, kept during a run: where they are, and how they come back."""

from dataclasses import replace

from fixloop_bot.model.state import LoopState
from fixloop_bot.ports import Ports


def give_back(state: LoopState, ports: Ports) -> LoopState:
    """Return the saved state after the person's uncommitted changes are back, or after telling how to get them."""
    if state.stash and ports.worktree.unstash(state.stash):
        ports.progress.note(f"your uncommitted changes no longer fit; they are kept. {how_to_get(state.stash)}")
    state = replace(state, stash="")
    ports.records.save(state)
    return state


def how_to_get(ref: str) -> str:
    """Return how a person gets kept changes back."""
    return f"To get them: git stash apply --index {ref}   To forget them then: git update-ref -d {ref}"


def is_given_back(state: LoopState, ports: Ports) -> bool:
    """Return whether uncommitted changes that are now in the worktree are the person's own.

    The state is on disk before they are kept and until they are back, so a ref that is not there says the same: they
    were not yet taken out of the worktree, or are back in it.
    """
    return state.suspended or (bool(state.stash) and state.stash not in ports.worktree.stashes())
