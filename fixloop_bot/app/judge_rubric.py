"""The rubric layer: a model that did not write the change scores it, once everything else passes."""

from dataclasses import dataclass, replace

from fixloop_bot.app.converse import SHRINK_LIMIT, ask
from fixloop_bot.core.ending import no_call
from fixloop_bot.core.rubric import (
    ANSWER_TOKENS,
    DIFF_LIMIT,
    JUDGE,
    changed_paths,
    judge_of,
    once_more,
    parse_opinions,
    question,
    told_diff,
)
from fixloop_bot.core.rubric_result import judged_result, not_judged, nothing_to_judge
from fixloop_bot.model.agent import (
    BudgetRefused,
    ModelAlias,
    ModelReply,
    ModelRequest,
    PromptTooLong,
    ProviderDown,
    Turn,
    UserTurn,
)
from fixloop_bot.model.layer import Layer, LayerResult, LayerStatus, Validation
from fixloop_bot.model.state import LoopState
from fixloop_bot.ports import Ports

TRIES = 2
"""Answers that are asked for; one that cannot be read is asked for again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """What is put before the judge."""

    judge: ModelAlias
    diff: str
    limit: int = DIFF_LIMIT
    """Characters of the diff that are shown."""
    tries: int = 0
    shrunk: int = 0
    said: tuple[Turn, ...] = ()
    """An answer that could not be read, and what it was told."""


def with_rubric(
    state: LoopState, validation: Validation, ports: Ports, *, purpose: str
) -> tuple[LoopState, Validation]:
    """Return the validation with the rubric's result, where one is configured and everything below it passes.

    The state knows what that has cost, and the verdict on the tree, which is not asked for again. Where the judge
    cannot be asked the layer is in error and the state has the end that this means.
    """
    if not ports.plan.rubric:
        return state, validation
    planned = tuple(dict.fromkeys((*validation.planned, Layer.RUBRIC)))
    if validation.failing is not None or not validation.passed:
        return state, replace(validation, planned=planned)
    ports.progress.layer_started(Layer.RUBRIC, purpose=purpose)
    result = state.judged.get(validation.tree)
    if result is None:
        state, result = _judge(state, ports)
    ports.progress.layer_finished(result)
    if result.status in (LayerStatus.PASS, LayerStatus.FAIL):
        state = replace(state, judged={**state.judged, validation.tree: result})
    planned = validation.planned if result.status is LayerStatus.SKIP else planned
    return state, replace(validation, layers=(*validation.layers, result), planned=planned)


def _judge(state: LoopState, ports: Ports) -> tuple[LoopState, LayerResult]:
    base = state.base_commit or state.start_commit
    diff = told_diff(ports.worktree.patch(base))
    if not diff:
        return state, nothing_to_judge(base)
    judge = judge_of(state)
    if judge is None:
        return state, not_judged("every model has written in this run; name another one under `models.triage`")
    return _heard(state, _Case(judge=judge, diff=diff), ports)


def _heard(state: LoopState, case: _Case, ports: Ports) -> tuple[LoopState, LayerResult]:
    why = ""
    while case.tries < TRIES:
        request = _request(state, case, ports)
        outcome = ask(request, model=ports.model, journal=ports.journal, cap_usd=state.limits.max_cost_usd)
        state = _charged(state, outcome, ports)
        match outcome:
            case ModelReply():
                if _wrote(outcome.model_id, ports):
                    return state, not_judged(f"{outcome.model_id} has written in this run; see `models.ids`")
                opinions = parse_opinions(outcome.turn.text, list(ports.plan.rubric))
                if not isinstance(opinions, str):
                    return state, judged_result(
                        opinions,
                        ports.plan.rubric,
                        judge=case.judge,
                        changed=list(changed_paths(case.diff)),
                        exists=ports.project.exists,
                    )
                why = f"the judge's answer cannot be read: {opinions}"
                case = replace(case, tries=case.tries + 1, said=(outcome.turn, UserTurn(once_more(opinions))))
            case PromptTooLong() if case.shrunk < SHRINK_LIMIT:
                case = replace(case, shrunk=case.shrunk + 1, limit=min(case.limit, len(case.diff)) // 2, said=())
            case _:
                return _unheard(state, outcome)
    return state, not_judged(why)


def _unheard(state: LoopState, why: BudgetRefused | ProviderDown | PromptTooLong) -> tuple[LoopState, LayerResult]:
    end = no_call(why)
    end = replace(end, reason=f"the rubric could not be judged: {end.reason}")
    return replace(state, ending=end), not_judged(end.reason, lacks=end.suggestion or end.reason)


def _request(state: LoopState, case: _Case, ports: Ports) -> ModelRequest:
    return ModelRequest(
        model=case.judge,
        system=JUDGE,
        turns=(UserTurn(question(ports.plan.rubric, case.diff, case.limit)), *case.said),
        max_tokens=ANSWER_TOKENS,
        deadline=state.limits.deadline,
        key=f"rubric.{state.judge_calls + 1}",
        with_tools=False,
    )


def _wrote(model_id: str, ports: Ports) -> bool:
    """Return whether a model wrote in an attempt of this run: two aliases may stand for one."""
    return any(receipt.iteration > 0 and receipt.model_id == model_id for receipt in ports.journal.receipts())


def _charged(
    state: LoopState, outcome: ModelReply | BudgetRefused | ProviderDown | PromptTooLong, ports: Ports
) -> LoopState:
    """Return the state that knows what a call has cost. It is no attempt's, whose model is another."""
    if isinstance(outcome, BudgetRefused):
        return state
    cost = 0.0 if isinstance(outcome, PromptTooLong) else outcome.cost_usd
    return replace(
        state,
        judge_calls=state.judge_calls + 1,
        total_cost_usd=state.total_cost_usd + (cost or 0.0),
        cost_unknown=state.cost_unknown or cost is None,
        spent_usd=ports.journal.spent(),
    )
