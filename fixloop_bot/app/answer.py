"""Doing what a person decided: exactly the frozen diff, or on with the agent as they said."""

from dataclasses import replace

from fixloop_bot.app.look import look_and_judge, with_ran
from fixloop_bot.app.settle import make_clean, undo
from fixloop_bot.core.approved import approved_files
from fixloop_bot.core.messages import decision_message
from fixloop_bot.core.observe import detected
from fixloop_bot.core.questions import patch_sha256
from fixloop_bot.model.answer import Choice, Decided
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.outcome import Breaker, Status, TerminalState
from fixloop_bot.model.state import End, LoopState, Phase
from fixloop_bot.ports import Ports


def take_answer(state: LoopState, ports: Ports) -> LoopState:
    """Return the state after the answer is acted on; it is an attempt's beginning at most, never an attempt."""
    decided = state.answer
    if decided is None:
        raise ValueError("there is no answer")
    choice, by = decided.answer.choice, decided.answer.by or "a person"
    ports.progress.note(f"decided by {by}: {choice}")
    known = replace(state, answer=None, decisions=(*state.decisions, decided))
    if choice in (Choice.A, Choice.APPROVE) and decided.question.patch:
        return _applied(known, decided, ports)
    if choice is Choice.DENY:
        return _denied(known, decided)
    return replace(known, guidance=_in_words(decided), phase=Phase.DETECT)


def _applied(state: LoopState, decided: Decided, ports: Ports) -> LoopState:
    question, by = decided.question, decided.answer.by or "a person"
    if patch_sha256(question.patch) != question.patch_sha256:
        return _cannot(state, "the diff that was shown is not the one that was proposed (a secret in it was masked)")
    if not ports.worktree.has(question.base):
        return _cannot(state, f"the diff is against {question.base[:12]}, which is not here")
    layer = Layer(question.layer)
    state, _ = undo(state, ports, to=question.base, name=f"{state.run_id}-before-decision", why="a person decided")
    commit = ports.worktree.apply(question.patch.encode(), decision_message(state, layer))
    if commit is None:
        return _cannot(state, f"the diff does not apply to {question.base[:12]}")
    files, _left_out = ports.worktree.file_changes(question.base, commit)
    state = replace(
        state,
        head=commit,
        approved=(*state.approved, *approved_files(files, by=by)),
        tests_from=commit,
        baseline_tests=None,
        whole_baseline_tests=None,
        guidance=_in_words(decided),
    )
    return _looked(state, layer, ports)


def _looked(state: LoopState, layer: Layer, ports: Ports) -> LoopState:
    """Return the state after the checks; what broke a lower layer is undone, what does not suffice yet stays."""
    state, validation = look_and_judge(state, ports, purpose="verify")
    state = with_ran(state, validation)
    failing = validation.failing
    if failing is None or failing.name.rank > layer.rank:
        state = make_clean(state, ports, layer, 0, decided=True)
        return detected(replace(state, failure=None, best=None), validation)
    if failing.name.rank < layer.rank:
        name, why = f"{state.run_id}-decision", f"the diff that was decided for breaks {failing.name}"
        state, _ = undo(state, ports, to=state.clean_commit, name=name, why=why)
        return _cannot(state, why)
    return detected(state, validation)


def _denied(state: LoopState, decided: Decided) -> LoopState:
    """Return the state that tries another way, once; after that a denial ends the run."""
    if any(one.answer.choice is Choice.DENY for one in state.decisions[:-1]):
        return _cannot(state, f"approval was denied: {decided.question.question}")
    return replace(state, guidance=_in_words(decided), replanned=False, phase=Phase.DETECT)


def _in_words(decided: Decided) -> str:
    """Return the decision as the agent is told it."""
    question, answer = decided.question, decided.answer
    chosen = {
        Choice.A: f"A: {question.option_a}",
        Choice.B: f"B: {question.option_b}",
        Choice.APPROVE: "approved, and done exactly as you proposed",
        Choice.DENY: "denied: take another way, without any change of a protected file",
    }[answer.choice]
    remark = f"\n{answer.text}" if answer.text else ""
    return f"Asked: {question.question}\nDecided: {chosen}{remark}"


def _cannot(state: LoopState, why: str) -> LoopState:
    ending = End(
        status=Status.BLOCKED,
        terminal=TerminalState.FAILED_BLOCKED,
        breaker=Breaker.DECISION,
        reason=why,
        suggestion="do by hand what was decided, then run fixloop again",
    )
    return replace(state, ending=ending, phase=Phase.DECIDE)
