"""Questions to a person: what is asked, what an answer does to the run, and what silence comes to."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from fixloop_bot.core.judge import failing_items
from fixloop_bot.core.verdicts_of_tests import verdicts_of_tests
from fixloop_bot.model.agent import Finish, Proposal
from fixloop_bot.model.answer import Answer, Choice, Decided
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.outcome import Breaker, Question, QuestionKind, Status, TerminalState
from fixloop_bot.model.state import End, LoopState, Phase
from fixloop_bot.model.test_verdict import TestVerdict

WAIT_S = 14 * 24 * 3600.0
"""Seconds that a question waits; an answer after that still counts, unless the run was ended meanwhile."""
MOST_RETRIES = 10
STALE_UPDATES = 2
"""Updates of stale tests that one run makes without asking."""
FITTING: dict[QuestionKind, tuple[Choice, ...]] = {
    QuestionKind.CHOICE: (Choice.A, Choice.B),
    QuestionKind.STALE_TEST: (Choice.A, Choice.B),
    QuestionKind.APPROVAL: (Choice.APPROVE, Choice.DENY),
}


def to_question(state: LoopState, finish: Finish, proposals: Sequence[Proposal], patch: bytes) -> Question:
    """Return the question that the agent's last word comes to; `patch` is against the last clean layer."""
    failure = state.failure
    if failure is None:
        raise ValueError("nothing fails")
    text = _readable(patch)
    kind = _kind(proposals) if text else QuestionKind.CHOICE
    verdicts = verdicts_of_tests(failure.result, proposals, state.intent) if failure.layer is Layer.TEST else ()
    return Question(
        layer=str(failure.layer),
        question=finish.question or finish.reason or "the agent asks for a decision",
        option_a=finish.option_a or "none given",
        option_b=finish.option_b or "none given",
        kind=kind,
        patch=text,
        patch_sha256=patch_sha256(text),
        base=state.clean_commit,
        about=failing_items(failure.result),
        verdicts=tuple(f"{verdict}: {test}" for test, verdict in verdicts),
        price_b_usd=_price(state),
    )


def patch_sha256(patch: str) -> str:
    """Return what a frozen patch is known by, empty for none."""
    return hashlib.sha256(patch.encode("utf-8", "surrogatepass")).hexdigest() if patch else ""


def _readable(patch: bytes) -> str:
    """Return the patch as text; one that a person cannot read, or a comment not hold, is none."""
    try:
        return patch.decode()
    except UnicodeDecodeError:
        return ""


def _kind(proposals: Sequence[Proposal]) -> QuestionKind:
    if not proposals:
        return QuestionKind.CHOICE
    return QuestionKind.STALE_TEST if all(each.is_test for each in proposals) else QuestionKind.APPROVAL


def _price(state: LoopState) -> float | None:
    """Return what an attempt has cost so far on average, the upper bound of a call where there was none."""
    known = [cost for cost in state.iteration_costs if cost is not None]
    return sum(known) / len(known) if known else state.next_call_usd


def waits(question: Question) -> End:
    """Return how a run stands still until the answer."""
    return End(
        status=Status.NEED_DECISION,
        terminal=None,
        breaker=Breaker.DECISION,
        reason=question.question,
        question=question,
    )


def waiting_phase(question: Question | None) -> Phase:
    """Return the phase of a run that waits."""
    approval = question is not None and question.kind is QuestionKind.APPROVAL
    return Phase.APPROVAL_WAIT if approval else Phase.DECISION_WAIT


def is_stale(question: Question) -> bool:
    """Return whether every test that fails is one that the change says it means to alter."""
    stale = all(one.startswith(f"{TestVerdict.TEST_STALE}: ") for one in question.verdicts)
    return question.kind is QuestionKind.STALE_TEST and bool(question.verdicts) and stale


def decided_before(state: LoopState, question: Question) -> Decided | None:
    """Return the earlier decision about the same: the same layer, and something that failed then fails still."""
    for decided in state.decisions:
        asked = decided.question
        if asked.layer == question.layer and (asked.about == question.about or {*asked.about} & {*question.about}):
            return decided
    return None


def asked_again(decided: Decided) -> End:
    """Return the end of a run that asks what was answered."""
    answer = decided.answer
    return End(
        status=Status.BLOCKED,
        terminal=TerminalState.FAILED_BLOCKED,
        breaker=Breaker.AGENT,
        reason=f"it asks again what was decided already ({answer.choice} by {answer.by or 'a person'}): "
        f"{decided.question.question}",
        suggestion="repair it by hand as it was decided, or say in the change's description what is wanted",
    )


def answered(state: LoopState, answer: Answer) -> LoopState | str:
    """Return the state of a waiting run that goes on with the answer, or why it cannot, for a person.

    An answer is news: it grants one more attempt where all are used, and begins the ladder anew.
    """
    question = state.end.question if state.end and state.end.terminal is None else None
    if question is None:
        return "it does not wait for an answer"
    if problem := unfit(question, answer.choice):
        return problem
    retries = max(state.limits.max_retries, min(state.iteration_count + 1, MOST_RETRIES))
    return replace(
        state,
        phase=Phase.DETECT,
        end=None,
        ending=None,
        answer=Decided(question, answer),
        suspended=True,
        limits=replace(state.limits, max_retries=retries),
        failure=None,
        best=None,
        pending=None,
        kept_iterations=(),
        kept_changed=False,
        consecutive_no_progress=0,
        unproductive_by_mode={},
        earlier_attempts={},
    )


def unfit(question: Question, choice: Choice) -> str:
    """Return why the choice answers another question, empty where it fits."""
    fitting = FITTING[question.kind]
    return "" if choice in fitting else f"it waits for {' or '.join(fitting)}, not for {choice}"


def unanswered(state: LoopState, now: float) -> End | None:
    """Return the end that silence comes to, None while there is time; `now` is in seconds since the epoch."""
    if state.end is None or state.end.terminal is not None or now - state.asked_at < WAIT_S:
        return None
    approval = state.phase is Phase.APPROVAL_WAIT
    return End(
        status=Status.BLOCKED,
        terminal=TerminalState.FAILED_BUDGET if approval else TerminalState.FAILED_SPEC_GAP,
        breaker=Breaker.BUDGET if approval else Breaker.DECISION,
        reason=f"nobody answered in {WAIT_S / 86400:.0f} days: {state.end.reason}",
        suggestion="run fixloop again, and answer its question",
    )
