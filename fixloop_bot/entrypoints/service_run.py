"""A run of the service: as on Actions, but what is left of it can be gone on with."""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Final

from fixloop_bot.adapters.checkpoints import Checkpoints
from fixloop_bot.adapters.codec import decode
from fixloop_bot.adapters.job_claims import JobClaims
from fixloop_bot.adapters.ledger import JobLedger
from fixloop_bot.adapters.ledgered_model import LedgeredModel
from fixloop_bot.adapters.origin_record import write_origin
from fixloop_bot.adapters.state_folder import StateFolder
from fixloop_bot.app.conduct import Concluded, Stage, conduct, refuse
from fixloop_bot.app.tell import Teller
from fixloop_bot.entrypoints.action_ending import STOPPED, FaultTold, cancelled, last_word
from fixloop_bot.entrypoints.action_stage import ActionStage
from fixloop_bot.entrypoints.action_tickets import first_state, to_stage
from fixloop_bot.entrypoints.event_desk import LATER
from fixloop_bot.entrypoints.exit_code import ExitCode
from fixloop_bot.entrypoints.service_leash import Leash
from fixloop_bot.entrypoints.service_money import refused_at_once, to_account, with_budgets
from fixloop_bot.entrypoints.service_stage import ServiceWorkshop
from fixloop_bot.entrypoints.telling import TellingProgress
from fixloop_bot.entrypoints.watch import watching
from fixloop_bot.model.delivery import Checkout
from fixloop_bot.model.history import RunOrigin
from fixloop_bot.model.report import Surroundings
from fixloop_bot.model.spending import Budgets
from fixloop_bot.model.state import LoopState
from fixloop_bot.model.ticket import RunTicket
from fixloop_bot.ports.jobs import ClaimedJob, JobOrder, JobState

WHY: Final = {
    JobState.CANCELLED: STOPPED,
    JobState.SUPERSEDED: "a newer request for this branch takes its place",
}
GIVEN_UP: Final = (
    "It was begun ten times without an attempt finished between: its workers died, and it may be what kills them,"
    " or GitHub could not be reached."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What a run's process has of its job."""

    claims: JobClaims
    checkpoints: Checkpoints | None
    """None: no other machine can go on."""
    leash: Leash
    budgets: Budgets

    def holds(self, job: ClaimedJob) -> bool:
        """Return whether the job is still this process's; one that has lost it says nothing more, and leaves."""
        ours = self.claims.holds(job.order.job_id, job.claim)
        if not ours:
            self.leash.leave()
        return ours

    def ledger(self, ticket: RunTicket, job: ClaimedJob) -> JobLedger:
        """Return the budgets as the job's calls are held against them."""
        return JobLedger(
            database=self.claims.database,
            budgets=self.budgets,
            account=to_account(ticket, job.order),
            job_id=job.order.job_id,
            claim=job.claim,
        )


class JobProgress(TellingProgress):
    """`Progress` that also lets the queue know, and keeps the run where another machine finds it."""

    job: ClaimedJob
    held: Held
    workshop: ServiceWorkshop
    finished: int
    """Attempts."""
    ledger: JobLedger

    def state_changed(self, state: LoopState) -> None:
        """Tell all of them; a process that has lost its job goes no further."""
        if not self.kept(state):
            self.held.leash.leave()
            return
        if state.ended:
            self._teller.surroundings = with_budgets(self._teller.surroundings, self.ledger)
        super().state_changed(state)

    def kept(self, state: LoopState | None) -> bool:
        """Keep the run as it stands; False: the job is another worker's by now."""
        job_id, claim = self.job.order.job_id, self.job.claim
        if self.held.checkpoints is not None and not self.held.checkpoints.save(
            job_id, claim, self.workshop.packed(state)
        ):
            return False
        finished = len(state.attempts) if state else 0
        further, self.finished = finished > self.finished, max(finished, self.finished)
        return self.held.claims.progressed(job_id, claim, further=further)


def run(job: ClaimedJob, stage: ActionStage, held: Held) -> int:
    """Run the ticket as the Action does; a job that leaves with its worker says nothing, as it will go on."""
    ticket, workshop = decode(job.order.body, RunTicket), stage.workshop
    if not isinstance(workshop, ServiceWorkshop):
        raise TypeError("not the service's workshop")
    origin = to_origin(ticket, job.order, now=stage.clock.now())
    write_origin(StateFolder(workshop.state_dir).origin(job.order.job_id), origin, redact=stage.redact)
    teller = _teller(ticket, job.order, stage)
    if held.checkpoints is not None:
        workshop.unpacked(held.checkpoints.load(job.order.job_id), job.claim)
    first = workshop.saved() or first_state(ticket, stage)
    if job.wanted is not None and workshop.ended() is None:
        return _over(job.wanted, ticket, teller, first, stage)
    progress = JobProgress(stage.console, teller)
    progress.job, progress.held, progress.workshop = job, held, workshop
    progress.finished, progress.ledger = len(first.attempts), held.ledger(ticket, job)
    _bind(workshop, progress)
    try:
        fault = FaultTold(teller=teller, first=first, stage=stage)
        with held.leash.bound(), fault, _stoppable(stage, workshop, teller, held.leash):
            done = _conducted(ticket, first, teller, replace(to_stage(stage), progress=progress), progress)
    except KeyboardInterrupt:
        if held.leash.leaving or held.leash.wanted is None or not held.holds(job):
            raise  # nobody asked for the run's end, whoever sent this signal, or it is not this process's to tell
        return _over(held.leash.wanted, ticket, teller, first, stage)
    progress.kept(None)
    return LATER if done.untold else ExitCode.DONE


def _teller(ticket: RunTicket, order: JobOrder, stage: ActionStage) -> Teller:
    return Teller(
        forge=stage.forge,
        clock=stage.clock,
        redact=stage.redact,
        ticket=ticket,
        surroundings=Surroundings(links=stage.links),
        note=stage.console.note,
        check_run=stage.forge.own_check_run(ticket.head_sha, order.job_id),
    )


def _bind(workshop: ServiceWorkshop, progress: JobProgress) -> None:
    """Let the workshop push and pay only while the job is this process's, and within the budgets."""
    held, job, ledger = progress.held, progress.job, progress.ledger
    workshop.is_ours = lambda: held.holds(job)
    workshop.ledgered = lambda model: LedgeredModel(
        model=model, ledger=ledger, leave=held.leash.leave, begins=lambda: progress.kept(None)
    )


def _conducted(ticket: RunTicket, first: LoopState, teller: Teller, staged: Stage, progress: JobProgress) -> Concluded:
    teller.surroundings = with_budgets(teller.surroundings, progress.ledger)
    end = None if progress.workshop.saved() else refused_at_once(ticket, progress.ledger)
    if end is not None:
        progress.note(end.reason)
        return refuse(ticket, first, end, teller, staged)
    return conduct(ticket, first, teller, staged)


def to_origin(ticket: RunTicket, order: JobOrder, *, now: float) -> RunOrigin:
    """Return what is written down of where a run comes from, for pages and for whoever answers its question."""
    return RunOrigin(
        repository=order.repository,
        repository_id=ticket.origin.repository.id,
        installation_id=order.installation_id,
        branch=order.branch,
        pull_request=ticket.pull_request,
        title=ticket.title,
        author=ticket.author.login if ticket.author else "",
        reason=ticket.reason,
        begun_at=now,
    )


def _over(wanted: JobState, ticket: RunTicket, teller: Teller, first: LoopState, stage: ActionStage) -> int:
    """Let a run end that is wanted no more: what was done of it is told, and offered where it was not pushed."""
    if wanted is JobState.FAILED:
        last_word(teller, first, replace(teller.surroundings, fault=GIVEN_UP), stage)
    elif first.fix_commits and not isinstance(stage.workshop.check_out(ticket), Checkout):
        cancelled(teller, replace(first, fix_commits=()), stage, why=WHY[wanted])
    else:
        cancelled(teller, first, stage, why=WHY[wanted])
    if isinstance(stage.workshop, ServiceWorkshop):
        stage.workshop.abandon(ticket, stage.console)
    return ExitCode.DONE


def _stoppable(
    stage: ActionStage, workshop: ServiceWorkshop, teller: Teller, leash: Leash
) -> AbstractContextManager[None]:
    """Watch for a stop, but not where the run has ended: its check run may be complete because that was told."""
    return nullcontext() if workshop.ended() is not None else watching(stage, teller, before=leash.stop)
