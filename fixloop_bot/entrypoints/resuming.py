"""Going on with a run that a person names, also in another clone that has only its state folder."""

from fixloop_bot.adapters.codec import CodecError
from fixloop_bot.adapters.records import FileRecords
from fixloop_bot.app.begin import Refused
from fixloop_bot.app.close import abandon, suspend
from fixloop_bot.core.questions import answered, unanswered
from fixloop_bot.entrypoints.job import Resume
from fixloop_bot.model.state import LoopState
from fixloop_bot.ports import Ports


def resumed(resume: Resume, records: FileRecords) -> LoopState | Refused:
    """Return the named run's state with the answer taken, or why it cannot go on. Nothing is written."""
    try:
        state = records.load(resume.run_id)
    except (CodecError, ValueError) as error:
        return Refused(f"the state of run {resume.run_id} cannot be read: {error}")
    if state is None:
        return Refused(f"There is no run {resume.run_id} in this state folder. `fixloop runs` lists those that are.")
    if state.end is not None and state.end.terminal is not None:
        return Refused(f"Run {resume.run_id} has ended ({state.end.status}, {state.end.terminal}). Start a new one.")
    if resume.answer is None:
        return state
    taken = answered(state, resume.answer)
    return Refused(f"Run {resume.run_id} cannot take this answer: {taken}.") if isinstance(taken, str) else taken


def ready(state: LoopState, resume: Resume, ports: Ports) -> LoopState | Refused:
    """Return the state whose commits are in this worktree; a run that still waits, as it is or ended by silence."""
    if resume.stop:
        state = state if state.ended else suspend(state, ports, why="stopped")
        return abandon(state, ports, why="stopped by a person")
    if state.ended:
        silent = unanswered(state, ports.clock.now())
        return abandon(state, ports, why=silent.reason) if silent else state
    if not ports.worktree.has(state.clean_commit):
        ports.worktree.unbundle(ports.records.kept_commits(resume.run_id))
    if not ports.worktree.has(state.clean_commit):
        return Refused(
            f"The commits of run {resume.run_id} are not here: fetch {state.start_commit[:12]}, which it began with."
        )
    head = ports.worktree.head()
    if head not in (state.head, state.clean_commit, state.start_commit):
        return Refused(
            f"The worktree stands on {head[:12]}, run {resume.run_id} on {state.clean_commit[:12]}. Check that out, "
            "or start a new run."
        )
    return state
