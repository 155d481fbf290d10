"""The last word of a step: outputs, and a report that says what became of a run that was cut short."""

import signal
from dataclasses import dataclass, replace
from types import TracebackType

from fixloop_bot.app.tell import Teller
from fixloop_bot.core.render.job_summary import to_job_summary
from fixloop_bot.core.status_line import money
from fixloop_bot.entrypoints.action_stage import ActionStage
from fixloop_bot.entrypoints.exit_code import ExitCode
from fixloop_bot.model.event import PullRequest
from fixloop_bot.model.outcome import Breaker, Status, TerminalState
from fixloop_bot.model.report import Delivery, NothingDelivered, PatchOffered, PullRequestOpened, Pushed, Surroundings
from fixloop_bot.model.state import End, LoopState, Phase
from fixloop_bot.model.ticket import RunTicket
from fixloop_bot.ports.forge import ForgeError

STOPPED = "the run was stopped"


def set_outputs(state: LoopState, delivery: Delivery, stage: ActionStage) -> None:
    """Set the step's outputs; `commits` names what people can find on GitHub, nothing else."""
    end = state.end
    there = state.fix_commits if isinstance(delivery, Pushed | PullRequestOpened) else ()
    stage.job.set_outputs({
        "status": str(end.status) if end else "",
        "terminal-state": str(end.terminal) if end and end.terminal else "",
        "iterations": str(state.iteration_count),
        "commits": ",".join(fix.commit for fix in there),
        "cost-usd": money(None if state.cost_unknown else state.total_cost_usd).removeprefix("$"),
        "state-dir": stage.state_dir,
    })  # fmt: skip


def cancelled(teller: Teller, first: LoopState, stage: ActionStage, *, why: str = STOPPED) -> int:
    """The job was cancelled or somebody said stop: say so, in the seconds that the runner leaves."""
    _hear_no_more()
    state, surroundings = teller.state or first, teller.surroundings
    if not teller.finished:
        surroundings = replace(surroundings, cancelled=True, delivery=_stands(teller.ticket, state, stage))
        state = stopped(state, why)
    last_word(teller, state, surroundings, stage)
    set_outputs(state, surroundings.delivery, stage)
    return ExitCode.INTERRUPTED


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultTold:
    """A context in which a fault of fixloop's own is told on GitHub before it goes on to the boundary."""

    teller: Teller
    first: LoopState
    stage: ActionStage

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        """Say that fixloop failed, and nothing about the code."""
        if not isinstance(error, Exception):
            return
        state = self.teller.state or self.first
        what = self.stage.redact(f"{type(error).__name__}: {error}")[:2000]
        surroundings = replace(self.teller.surroundings, fault=what)
        last_word(self.teller, state, surroundings, self.stage)
        set_outputs(replace(state, end=None), surroundings.delivery, self.stage)


def stopped(state: LoopState, why: str = STOPPED) -> LoopState:
    """Return the state of a run that was ended from outside."""
    end = End(
        status=Status.BLOCKED,
        terminal=TerminalState.ABORTED_BY_HUMAN,
        breaker=Breaker.STOPPED,
        reason=why,
    )
    return replace(state, end=end, phase=Phase.ENDED)


def last_word(teller: Teller, state: LoopState, surroundings: Surroundings, stage: ActionStage) -> None:
    """Tell GitHub and the summary; what GitHub does not take stands in the log."""
    try:
        report = teller.finish(state, surroundings)
    except ForgeError as error:
        stage.console.note(f"GitHub could not be told how it ended: {error.advice}")
        report = teller.report(state)
    stage.job.add_summary(to_job_summary(report))


def _hear_no_more() -> None:
    """Let the last word be said: the runner sends SIGINT, after 7.5 s SIGTERM, and kills 2.5 s later."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def _stands(ticket: RunTicket, state: LoopState, stage: ActionStage) -> Delivery:
    """Return where the verified commits are: the push may have been made already when the stop came."""
    if not state.fix_commits:
        return NothingDelivered()
    last = state.fix_commits[-1].commit
    try:
        if _head(ticket, stage) == last:
            return Pushed(ticket.branch)
    except ForgeError as error:
        stage.console.note(f"it cannot be told whether the commits were pushed: {error.advice}")
    patch = stage.redact(stage.workshop.patch(ticket.head_sha, last))
    return PatchOffered(patch, "the run was stopped before the push")


def _head(ticket: RunTicket, stage: ActionStage) -> object:
    if ticket.pull_request is None:
        return stage.forge.branch_head(ticket.branch)
    found = stage.forge.pull_request(ticket.pull_request)
    return found.head_sha if isinstance(found, PullRequest) else None
