"""The end of a run: the worktree as it was or better, and the truth written down."""

from dataclasses import replace

from fixloop_bot.app.give_back import give_back, how_to_get, is_given_back
from fixloop_bot.app.settle import salvage
from fixloop_bot.core.ending import to_terminal
from fixloop_bot.core.ladder import climbed, last_rungs
from fixloop_bot.core.leftovers import litter
from fixloop_bot.core.questions import unanswered, waiting_phase
from fixloop_bot.core.record import proven, to_record
from fixloop_bot.model.decision import Stop
from fixloop_bot.model.outcome import Breaker, Status, TerminalState
from fixloop_bot.model.state import End, LoopState, Phase
from fixloop_bot.ports import Ports
from fixloop_bot.ports.worktree import HeadMovedError


def stop(decision: Stop, state: LoopState, ports: Ports) -> LoopState:
    """Return the ended (or waiting) state; unclean work is salvaged and undone, the person's changes are back.

    Raises `HeadMovedError`, with nothing said or touched, if somebody else moved the branch.
    """
    end = decision.end
    ports.worktree.check_unmoved()
    if end.status is not Status.DONE:
        state = fall_back(state, ports, why=end.reason)
    state = climbed(state, *last_rungs(state, end))
    _clear_away(state, ports)
    if end.terminal is not None:
        return finish(give_back(replace(state, end=end, phase=Phase.ENDED, ending=None), ports), ports)
    ports.records.keep_commits(state.run_id, ports.worktree.bundle(state.start_commit, state.clean_commit))
    phase, now = waiting_phase(end.question), ports.clock.now()
    return give_back(replace(state, end=end, phase=phase, ending=None, asked_at=now), ports)


def finish(state: LoopState, ports: Ports) -> LoopState:
    """Write the terminal record of an ended run; a run that waits has none. May be called again.

    The repair records of what a DONE leaves get the termination gate's evidence first.
    """
    if state.end and state.end.terminal:
        for attempt in state.attempts:
            if proven(state, attempt):
                ports.records.attempt(state, attempt, to_record(state, attempt, created_at=ports.clock.iso()))
        ports.records.terminal(state, to_terminal(state, terminated_at=ports.clock.iso()))
    return state


def fall_back(state: LoopState, ports: Ports, *, why: str) -> LoopState:
    """Return the state standing on the last clean layer, all above it salvaged."""
    salvage(state, ports, base=state.clean_commit, name=f"{state.run_id}-stop", why=why)
    ports.worktree.reset(state.clean_commit)
    return replace(state, head=state.clean_commit, pending=None)


def suspend(state: LoopState, ports: Ports, *, why: str) -> LoopState:
    """Return the state of an interrupted run: the worktree on its last clean layer, everything kept to go on later.

    Where somebody else moved the branch meanwhile, no file is touched.
    """
    try:
        ports.worktree.check_unmoved()
    except HeadMovedError as error:
        ports.progress.note(f"the files stay as they are: {error}")
        if state.stash:
            ports.progress.note(f"your uncommitted changes are kept. {how_to_get(state.stash)}")
        return state
    ports.worktree.put_back()
    if not is_given_back(state, ports):
        name = f"{state.run_id}-interrupted-{ports.clock.now():.0f}"
        salvage(state, ports, base=state.head, name=name, why=why)
        ports.worktree.reset(state.clean_commit)
        _clear_away(state, ports)
    return give_back(replace(state, suspended=True), ports)


def abandon(state: LoopState, ports: Ports, *, why: str) -> LoopState:
    """Return the ended state of a run whose branch went on without it; branch and files stay as they are."""
    silence = unanswered(state, ports.clock.now())
    end = silence or End(
        status=Status.BLOCKED, terminal=TerminalState.ABORTED_BY_HUMAN, breaker=Breaker.STOPPED, reason=why
    )
    state = replace(state, end=end, phase=Phase.ENDED, pending=None, ending=None)
    ports.worktree.put_back()
    ports.progress.note(f"run {state.run_id} ends: {end.reason}")
    if state.stash in ports.worktree.stashes() and ports.worktree.dirty():
        ports.progress.note(f"your uncommitted changes are kept. {how_to_get(state.stash)}")
        ports.records.save(state)
    else:
        state = give_back(state, ports)
    return finish(state, ports)


def _clear_away(state: LoopState, ports: Ports) -> None:
    """Move what appeared during the run to salvage, and tell: it is the checks', unless it is the person's."""
    found = litter(ports.worktree.untracked(), state.untracked_at_start)
    if found:
        ports.worktree.displace(found, why="appeared during the run, in no commit")
        more = f" and {len(found) - 3} more" if len(found) > 3 else ""
        names = ", ".join(found[:3]) + more
        ports.progress.note(
            f"untracked files that appeared during the run are in salvage/ of the state folder: {names}"
        )
