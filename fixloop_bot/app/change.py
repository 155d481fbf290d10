"""One attempt's change: what the agent is told, its conversation, and the commit of exactly what it edited."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from fixloop_bot.app.ask import put_question
from fixloop_bot.app.converse import Bounds, converse, opening_request
from fixloop_bot.app.learn import learn_approach
from fixloop_bot.app.settle import salvage, settle
from fixloop_bot.core.context import Code, choose_snippets
from fixloop_bot.core.decide import replan_due, round_of, unproductive
from fixloop_bot.core.ending import no_call
from fixloop_bot.core.hypotheses import change_id, repeated
from fixloop_bot.core.judge import judge_no_change
from fixloop_bot.core.ladder import climbed, rung_of
from fixloop_bot.core.messages import fix_message
from fixloop_bot.core.protect import Protection
from fixloop_bot.core.relocated import inside
from fixloop_bot.core.tried import tried
from fixloop_bot.model.agent import Finish, FinishStatus, FixReply, ProviderDown
from fixloop_bot.model.attempt import Attempt, Failure, FailureMode, IterationOutcome
from fixloop_bot.model.context import ChangedLines, FixContext, Snippet
from fixloop_bot.model.decision import Repair
from fixloop_bot.model.layer import Layer, LayerResult
from fixloop_bot.model.outcome import Breaker, Status, TerminalState
from fixloop_bot.model.state import End, LoopState, Phase
from fixloop_bot.ports import Ports
from fixloop_bot.ports.project import Project

SNIPPET_CHARS = 10_000
"""Code that the agent is shown at the start; it can read more."""


def quoted(state: LoopState, ports: Ports) -> LoopState:
    """Return the state with the most that the next model call can cost, where a call may come next."""
    if state.phase is not Phase.DECIDE or state.failure is None or state.ending:
        return state
    decision = Repair(state.iteration_count + 1, state.current_model, replan_due(state))
    request = opening_request(context_of(decision, state, ports), _bounds(decision, state))
    return replace(state, next_call_usd=ports.model.quote(request), spent_usd=ports.journal.spent())


def repair_with_agent(decision: Repair, state: LoopState, ports: Ports) -> LoopState:
    """Return the state after the agent's turn: its change committed and waiting for verification, or no change."""
    state = _started(decision, state)
    ports.records.save(state)
    ports.progress.state_changed(state)
    context = context_of(decision, state, ports)
    if decision.replan:
        learn_approach(state, context.tried, ports)
    reply = converse(
        context,
        model=ports.model,
        journal=ports.journal,
        workbench=ports.workbench(),
        clock=ports.clock,
        bounds=_bounds(decision, state),
    )
    state = _paid(state, reply, ports)
    if reply.calls == 0 or isinstance(reply.stopped, ProviderDown):
        return _no_attempt(state, reply, ports)
    return _concluded(_answered(state, reply), reply, ports)


def context_of(decision: Repair, state: LoopState, ports: Ports) -> FixContext:
    """Return what the agent is told; the same for the same state, so that a killed attempt asks the same again."""
    failure = _target(state)
    in_vain = tried(state, failure.layer)
    aim = failure.result.diagnostics[0].rule_id or "" if failure.mode is FailureMode.RUBRIC_FAIL else ""
    return FixContext(
        iteration=decision.iteration,
        max_retries=state.pending.max_retries if state.pending else state.limits.max_retries,
        story_id=state.story_id,
        branch=state.branch,
        layer=failure.layer,
        diagnosis=inside(failure.result.output, ports.worktree.root),
        snippets=ports.shown.with_failure(
            state.head,
            failure.result,
            lambda: _code_for(failure.result, state, ports, again=bool(in_vain)),
            again=bool(in_vain),
        ),
        tried=in_vain,
        replan=decision.replan,
        escalated=state.escalated,
        intent=state.intent if failure.layer is Layer.TEST else "",
        decision=state.guidance,
        aim=aim,
        about=ports.plan.rubric[aim].about if aim in ports.plan.rubric else "",
    )


def code_for(
    result: LayerResult,
    project: Project,
    protection: Protection,
    *,
    changed: Callable[[Sequence[str]], ChangedLines] = lambda _: {},
    again: bool = False,
) -> tuple[Snippet, ...]:
    """Return the code that is shown with a failure, more where it is shown `again`, after an attempt in vain.

    `changed` gives the lines of some files that the branch has changed.
    """
    code = Code(
        read=project.read,
        protected=lambda path: protection.rule(path) is not None,
        files=project.files,
        changed=changed,
    )
    return choose_snippets(result, code, limit_chars=SNIPPET_CHARS, wide=again)


def _code_for(result: LayerResult, state: LoopState, ports: Ports, *, again: bool) -> tuple[Snippet, ...]:
    def changed(paths: Sequence[str]) -> ChangedLines:
        return ports.worktree.changed_lines(state.base_commit, state.head, paths) if state.base_commit else {}

    return code_for(result, ports.project, ports.protection, changed=changed, again=again)


def _bounds(decision: Repair, state: LoopState) -> Bounds:
    return Bounds(
        alias=decision.model,
        max_turns=state.limits.attempt_turns,
        cap_usd=state.limits.max_cost_usd,
        deadline=state.limits.deadline,
    )


def _started(decision: Repair, state: LoopState) -> LoopState:
    if state.pending is not None:  # killed and begun again: the agent is told the very same
        return replace(state, phase=Phase.FIX)
    failure = _target(state)
    replanned = state.replanned or decision.replan
    rung = rung_of(failure.mode, replan=replanned and unproductive(state) >= round_of(state))
    attempt = Attempt(
        iteration=decision.iteration,
        rung=rung,
        max_retries=state.limits.max_retries,
        layer=failure.layer,
        mode=failure.mode,
        model=decision.model,
        replan=decision.replan,
    )
    return replace(climbed(state, rung), phase=Phase.FIX, pending=attempt, replanned=replanned)


def _paid(state: LoopState, reply: FixReply, ports: Ports) -> LoopState:
    return replace(
        state,
        total_cost_usd=state.total_cost_usd + (reply.cost_usd or 0.0),
        cost_unknown=state.cost_unknown or reply.cost_usd is None,
        spent_usd=ports.journal.spent(),
    )


def _no_attempt(state: LoopState, reply: FixReply, ports: Ports) -> LoopState:
    """Nothing was tried: the provider stays away, or the next call is not affordable. Half-made edits are undone.

    Where the deadline came first there is no reason to give: the next decision sees it.
    """
    salvage(state, ports, base=state.head, name=f"{state.run_id}-unfinished", why="the provider stayed away")
    ports.worktree.reset(state.head)
    return replace(state, pending=None, phase=Phase.DECIDE, ending=no_call(reply.stopped) if reply.stopped else None)


def _answered(state: LoopState, reply: FixReply) -> LoopState:
    """Return the state with the attempt counted and what the agent said of it."""
    finish = reply.finish
    attempt = replace(
        _pending(state),
        hypothesis=finish.hypothesis if finish else "",
        repair_action=finish.repair_action if finish else "",
        said=reply.said,
        changed=reply.changed,
        refused=reply.refused,
        usage=reply.usage,
        cost_usd=reply.cost_usd,
    )
    return replace(
        state,
        pending=attempt,
        iteration_count=attempt.iteration,
        iteration_costs=(*state.iteration_costs, reply.cost_usd),
    )


def _concluded(state: LoopState, reply: FixReply, ports: Ports) -> LoopState:
    finish = reply.finish
    if finish and finish.status is not FinishStatus.DONE:
        return _given_up(state, finish, reply, ports)
    attempt = _pending(state)
    stored = [path for path in attempt.changed if path not in ports.worktree.filtered(attempt.changed)]
    commit = ports.worktree.commit(stored, fix_message(state, attempt.layer, attempt.iteration)) if stored else None
    if commit is None:
        state = replace(state, pending=_compared(attempt, state, ports))
        return settle(judge_no_change(state, reply.said or "the agent changed nothing"), ports)
    ports.worktree.restore()
    attempt = _committed(attempt, commit, state, ports)
    return replace(state, head=commit, pending=attempt, phase=Phase.VERIFY)


def _committed(attempt: Attempt, commit: str, state: LoopState, ports: Ports) -> Attempt:
    """Return the attempt with its commit, by what it will be known again, and the failed one that it repeats.

    What a tree came to is only comparable where more than a text was known of the failure before.
    """
    attempt = replace(
        attempt,
        commit=commit,
        base=state.head,
        diff_stat=ports.worktree.diff_stat(state.head, commit),
        tree="" if _target(state).from_context else ports.worktree.tree(),
        change_id=change_id(ports.worktree.patch(state.head)),
    )
    return _compared(attempt, state, ports)


def _compared(attempt: Attempt, state: LoopState, ports: Ports) -> Attempt:
    """Return the attempt with the failed one that it repeats; one that was to take another hypothesis is told on."""
    again = repeated(state, attempt)
    if again and attempt.replan:
        ports.progress.note(f"attempt {attempt.iteration} was to take another hypothesis, and repeats {again}")
    return replace(attempt, repeats=again)


def _given_up(state: LoopState, finish: Finish, reply: FixReply, ports: Ports) -> LoopState:
    """The agent asks a person, or says that it cannot: a good answer. Its edits are salvaged and undone."""
    if finish.status is FinishStatus.NEED_DECISION:
        return put_question(state, finish, reply, ports)
    state = replace(state, pending=replace(_pending(state), outcome=IterationOutcome.BLOCKED))
    state = settle(judge_no_change(state, f"the agent ended with {finish.status}"), ports)
    return replace(state, ending=_cannot(finish))


def _cannot(finish: Finish) -> End:
    return End(
        status=Status.BLOCKED,
        terminal=TerminalState.FAILED_BLOCKED,
        breaker=Breaker.AGENT,
        reason=finish.reason or finish.hypothesis or "the agent could not repair it",
    )


def _target(state: LoopState) -> Failure:
    if state.failure is None:
        raise ValueError("nothing fails")
    return state.failure


def _pending(state: LoopState) -> Attempt:
    if state.pending is None:
        raise ValueError("no attempt is under way")
    return state.pending
