"""One run on a pull request or branch, from the ticket to what people see."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from fixloop_bot.app.deliver import Delivered, Errand, deliver, offer
from fixloop_bot.app.look_up import ParseConfig, base_config
from fixloop_bot.app.tell import Teller
from fixloop_bot.core.error_context import join_context
from fixloop_bot.model.config import ConfigError, RepoConfig
from fixloop_bot.model.delivery import CheckoutProblem, HeadMoved
from fixloop_bot.model.forge import Reaction
from fixloop_bot.model.outcome import Breaker, Question, Status, TerminalState
from fixloop_bot.model.report import Delivery, NothingDelivered, Pushed, Report
from fixloop_bot.model.state import End, LoopState, Phase
from fixloop_bot.model.ticket import RunTicket
from fixloop_bot.ports import Clock, Progress
from fixloop_bot.ports.forge import Forge, ForgeError
from fixloop_bot.ports.workshop import NotStarted, Workshop


@dataclass(frozen=True, slots=True, kw_only=True)
class Concluded:
    """How the ticket ended."""

    state: LoopState
    report: Report
    delivery: Delivery
    config_error: ConfigError | None = None
    untold: str = ""
    """Why the check run could not say so; empty: it says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """What a run on GitHub speaks to."""

    forge: Forge
    workshop: Workshop
    clock: Clock
    progress: Progress
    parse_config: ParseConfig
    redact: Callable[[str], str]


def conduct(ticket: RunTicket, first: LoopState, teller: Teller, stage: Stage) -> Concluded:
    """Run the ticket to its end and tell it. `first` is the state before anything is known: run id, head, limits."""
    react(ticket.comment_id, Reaction.EYES, stage)
    teller.begin(first)
    config = base_config(ticket.base_branch, stage.forge, stage.parse_config)
    if isinstance(config, ConfigError):
        ended = _blocked(first, Breaker.ENVIRONMENT, str(config), "mend .fixloop.yml on the base branch")
        return replace(_conclude(ticket, ended, NothingDelivered(), teller, stage), config_error=config)
    return _work(ticket, config, first, teller, stage)


def refuse(ticket: RunTicket, first: LoopState, end: End, teller: Teller, stage: Stage) -> Concluded:
    """Tell a run that ends before it looks at anything."""
    react(ticket.comment_id, Reaction.EYES, stage)
    teller.begin(first)
    return _conclude(ticket, replace(first, end=end, phase=Phase.ENDED), NothingDelivered(), teller, stage)


def _work(ticket: RunTicket, config: RepoConfig, first: LoopState, teller: Teller, stage: Stage) -> Concluded:
    checkout = stage.workshop.check_out(ticket)
    if isinstance(checkout, HeadMoved | CheckoutProblem):
        return _conclude(ticket, _no_checkout(first, checkout), NothingDelivered(), teller, stage)
    teller.in_repository = stage.workshop.exists
    context = error_context(ticket, stage)
    attempts, tried = teller.surroundings.earlier_attempts, teller.earlier_tried
    ticket = replace(ticket, earlier_attempts=attempts, earlier_tried=tried)
    state = stage.workshop.repair(ticket, config, context, stage.progress)
    teller.surroundings = replace(teller.surroundings, sandbox=stage.workshop.held_by)
    if isinstance(state, NotStarted):
        ended = _blocked(first, Breaker.ENVIRONMENT, state.reason, "")
        return _conclude(ticket, ended, NothingDelivered(), teller, stage)
    delivered = _delivered(_errand(ticket, state, config, stage))
    return _conclude(ticket, _told_truly(delivered), delivered.delivery, teller, stage)


def react(comment_id: int | None, reaction: Reaction, stage: Stage) -> None:
    """Answer the comment that asked, if one did; a reaction is a courtesy, and nothing fails for want of it."""
    if comment_id is None:
        return
    try:
        stage.forge.react(comment_id, reaction)
    except ForgeError as error:
        stage.progress.note(f"no reaction could be given: {error.advice}")


def error_context(ticket: RunTicket, stage: Stage) -> str:
    """Return what the failed jobs or checks said, empty where nothing failed yet or nothing can be had."""
    try:
        logs = stage.forge.failed_job_logs(ticket.workflow_run_ids) if ticket.workflow_run_ids else ()
        suites = ticket.check_suite_ids
        checks = stage.forge.failed_checks(ticket.head_sha, suites) if suites and not logs else ()
    except ForgeError as error:
        stage.progress.note(f"what the failed jobs said cannot be had, so the checks are run first: {error.advice}")
        return ""
    return join_context(logs, checks)


def _delivered(errand: Errand) -> Delivered:
    """Deliver; when GitHub fails on the way, the change is offered, as a patch that needs nothing of it."""
    try:
        return deliver(errand)
    except ForgeError as error:
        errand.progress.note(f"GitHub failed while the repair was delivered: {error.advice}")
        return offer(errand, "GitHub failed while the repair was delivered")


def _errand(ticket: RunTicket, state: LoopState, config: RepoConfig, stage: Stage) -> Errand:
    return Errand(
        ticket=ticket,
        state=state,
        config=config,
        forge=stage.forge,
        workshop=stage.workshop,
        progress=stage.progress,
        redact=stage.redact,
    )


def _conclude(ticket: RunTicket, state: LoopState, delivery: Delivery, teller: Teller, stage: Stage) -> Concluded:
    started = _ci_started(state, delivery, stage)
    untold = ""
    try:
        report = teller.finish(state, replace(teller.surroundings, delivery=delivery, ci_started=started))
    except ForgeError as error:
        report, untold = teller.report(state), error.advice
    done = state.end is not None and state.end.status is not Status.BLOCKED
    react(ticket.comment_id, Reaction.ROCKET if done else Reaction.CONFUSED, stage)
    return Concluded(state=state, report=report, delivery=delivery, untold=untold)


def _ci_started(state: LoopState, delivery: Delivery, stage: Stage) -> bool | None:
    if not isinstance(delivery, Pushed) or not state.fix_commits:
        return None
    try:
        return stage.forge.ci_started(state.fix_commits[-1].commit)
    except ForgeError:
        return None  # it is a hint; without it the report says nothing about it


def _told_truly(delivered: Delivered) -> LoopState:
    """Return the state as it may be told: what the token could not push leaves a DONE to a person."""
    state, end = delivered.state, delivered.state.end
    if not delivered.left_out or end is None or end.status is not Status.DONE:
        return state
    paths = sorted({path for commit in delivered.left_out for path in commit.paths})
    question = Question(
        layer=str(state.fix_commits[-1].layer) if state.fix_commits else "test",
        question=f"The token may not push changes of {', '.join(paths[:3])}.",
        option_a="apply the patch of the remaining commits by hand",
        option_b="give the token the permission `workflows: write` and run again",
    )
    waits = End(status=Status.NEED_DECISION, terminal=None, breaker=Breaker.DECISION, question=question)
    return replace(state, end=replace(waits, reason=question.question), phase=Phase.DECISION_WAIT)


def _no_checkout(first: LoopState, problem: HeadMoved | CheckoutProblem) -> LoopState:
    if isinstance(problem, HeadMoved):
        why = "the branch moved before the run began; the new head has its own run"
        end = End(status=Status.BLOCKED, terminal=TerminalState.ABORTED_BY_HUMAN, breaker=Breaker.STOPPED, reason=why)
        return replace(first, end=end, phase=Phase.ENDED)
    return _blocked(first, Breaker.ENVIRONMENT, f"the code could not be checked out: {problem.detail}", "")


def _blocked(first: LoopState, breaker: Breaker, reason: str, suggestion: str) -> LoopState:
    end = End(
        status=Status.BLOCKED,
        terminal=TerminalState.FAILED_BLOCKED,
        breaker=breaker,
        reason=reason,
        suggestion=suggestion,
    )
    return replace(first, end=end, phase=Phase.ENDED)
