"""Putting a question to a person: the agent's proposal frozen as one exact diff, and nothing of it done meanwhile."""

from dataclasses import replace

from fixloop_bot.app.settle import settle
from fixloop_bot.core.guard.stale_update import more_than_expectations
from fixloop_bot.core.judge import judge_no_change
from fixloop_bot.core.messages import fix_message, proposal_message
from fixloop_bot.core.questions import STALE_UPDATES, asked_again, decided_before, is_stale, to_question, waits
from fixloop_bot.model.agent import Finish, FixReply
from fixloop_bot.model.answer import Answer, Choice, Decided
from fixloop_bot.model.attempt import Attempt, FailureMode, IterationOutcome
from fixloop_bot.model.outcome import Question, QuestionKind
from fixloop_bot.model.state import LoopState
from fixloop_bot.ports import Ports

BY_RULE = "tests.allow-stale-updates of the base branch"


def put_question(state: LoopState, finish: Finish, reply: FixReply, ports: Ports) -> LoopState:
    """Return the state that waits for a person, or that goes on because the answer is known already."""
    attempt = _pending(state)
    question = to_question(state, finish, reply.proposals, _frozen(state, reply, ports))
    attempt = replace(
        attempt,
        outcome=IterationOutcome.NEED_DECISION,
        proposed=tuple(each.path for each in reply.proposals),
        test_verdicts=question.verdicts,
        mode=FailureMode.SPEC_GAP if question.kind is QuestionKind.CHOICE else attempt.mode,
    )
    state = settle(judge_no_change(replace(state, pending=attempt), "the agent asks a person"), ports)
    if earlier := decided_before(state, question):
        return replace(state, ending=asked_again(earlier))
    if _allowed(state, question, reply, ports):
        answer = Answer(choice=Choice.A, by=BY_RULE, at=ports.clock.iso())
        return replace(state, answer=Decided(question, answer), stale_updates=state.stale_updates + 1)
    return replace(state, ending=waits(question))


def _frozen(state: LoopState, reply: FixReply, ports: Ports) -> bytes:
    """Return everything that the agent did and would do as a patch against the last clean layer, empty for nothing."""
    if not reply.proposals:
        return b""
    attempt = _pending(state)
    stored = [path for path in attempt.changed if path not in ports.worktree.filtered(attempt.changed)]
    own = ports.worktree.commit(stored, fix_message(state, attempt.layer, attempt.iteration)) if stored else None
    texts = {each.path: each.after for each in reply.proposals}
    wanted = ports.worktree.with_files(own or state.head, texts, proposal_message(state))
    return ports.worktree.patch_between(state.clean_commit, wanted)


def _allowed(state: LoopState, question: Question, reply: FixReply, ports: Ports) -> bool:
    """Return whether the base branch lets this be done without asking: a stale test, other expectations alone.

    Nothing else may be in the diff: what is allowed is not judged by the guard again, and nobody has looked at it.
    """
    if not state.allow_stale_updates or question.kind is not QuestionKind.STALE_TEST:
        return False
    why = "" if is_stale(question) else "nothing that the change says of itself supports it"
    why = why or more_than_expectations(reply.proposals)
    if reply.changed or state.kept_iterations:
        why = "other files would change with it"
    if state.stale_updates >= STALE_UPDATES:
        why = f"this run has updated {STALE_UPDATES} times already"
    if why:
        ports.progress.note(f"the test is not updated without asking: {why}")
    return not why


def _pending(state: LoopState) -> Attempt:
    if state.pending is None:
        raise ValueError("no attempt is under way")
    return state.pending
