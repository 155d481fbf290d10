"""One attempt's conversation with the fix agent: bounded in turns, money and time, every call written down."""

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from fixloop_bot.core.affordable import SHORTEST_REPLY, affordable
from fixloop_bot.core.prompt import clip, first_message, shrink, system_prompt
from fixloop_bot.core.tools import FINISH, parse_finish
from fixloop_bot.model.agent import (
    AssistantTurn,
    BudgetRefused,
    Finish,
    FinishStatus,
    FixReply,
    ModelAlias,
    ModelOutcome,
    ModelReply,
    ModelRequest,
    PromptTooLong,
    ProviderDown,
    ToolCall,
    ToolResult,
    Turn,
    Usage,
    UserTurn,
)
from fixloop_bot.model.context import FixContext
from fixloop_bot.ports import Clock, Journal, Model, Workbench

SHRINK_LIMIT = 3
"""How often a prompt that is too long is halved and sent again."""
SAME_FAILURE_LIMIT = 3
"""A call that failed in the very same way so often ends the conversation."""
SAID_LIMIT = 500
_NUDGE = "Nothing happened: only tool calls count. Edit, or finish."
_CUT_OFF = "Your reply was cut off here, so this call was not carried out. Send less at once."
_NOT_YET = "Not finished: a call of this turn failed. Mend that, then finish again."


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """What one conversation may use."""

    alias: ModelAlias
    max_turns: int = 20
    cap_usd: float = math.inf
    """For the whole run: what the journal says is spent counts against it."""
    deadline: float = math.inf
    """Seconds since the epoch."""
    max_tokens: int = 8_000
    """Of one reply; its price is part of every reservation."""


@dataclass(slots=True)
class _Talk:
    """A conversation under way."""

    context: FixContext
    turns: list[Turn]
    sent: int = 0
    calls: int = 0
    shrunk: int = 0
    nudged: bool = False
    usage: Usage = field(default_factory=Usage)
    cost_usd: float | None = 0.0
    model_ids: list[str] = field(default_factory=list)
    said: str = ""
    failures: Counter[str] = field(default_factory=Counter)
    finish: Finish | None = None
    stopped: BudgetRefused | ProviderDown | PromptTooLong | None = None
    over: bool = False

    def count(self, reply: ModelReply) -> None:
        """Add a reply to what the attempt used."""
        self.calls += 1
        self.usage += reply.usage
        known = self.cost_usd is not None and reply.cost_usd is not None
        self.cost_usd = (self.cost_usd or 0.0) + (reply.cost_usd or 0.0) if known else None
        self.model_ids += [reply.model_id] if reply.model_id not in self.model_ids else []
        self.said = reply.turn.text.strip()[:SAID_LIMIT] or self.said

    def stop(self, why: BudgetRefused | ProviderDown | PromptTooLong | None = None) -> None:
        """End the conversation without a finish."""
        self.over, self.stopped = True, why


def opening_request(context: FixContext, bounds: Bounds) -> ModelRequest:
    """Return the cheapest first call of an attempt, so that its price can be asked before the attempt starts."""
    request = _request(_Talk(context, [UserTurn(first_message(context))]), bounds)
    return replace(request, max_tokens=min(bounds.max_tokens, SHORTEST_REPLY))


def converse(
    context: FixContext, *, model: Model, journal: Journal, workbench: Workbench, clock: Clock, bounds: Bounds
) -> FixReply:
    """Hold one attempt's conversation; its edits are on disk when it returns, accepted or not."""
    talk = _Talk(context, [UserTurn(first_message(context))])
    while not talk.over and talk.sent < bounds.max_turns and clock.now() < bounds.deadline:
        outcome = ask(_request(talk, bounds), model=model, journal=journal, cap_usd=bounds.cap_usd)
        if isinstance(outcome, BudgetRefused):
            talk.stop(outcome)
            break
        talk.sent += 1
        _take(outcome, talk, workbench)
    return FixReply(
        finish=talk.finish,
        changed=workbench.changed,
        usage=talk.usage,
        cost_usd=talk.cost_usd,
        calls=talk.calls,
        model_ids=tuple(talk.model_ids),
        refused=workbench.refused,
        proposals=workbench.proposals,
        stopped=talk.stopped,
        said=talk.said,
    )


def ask(request: ModelRequest, *, model: Model, journal: Journal, cap_usd: float) -> ModelOutcome:
    """Make one paid call within the run's cap, with its receipts; what was paid before is not paid again."""
    earlier = journal.paid(request)
    if earlier is not None:
        return earlier
    left = cap_usd - journal.spent()
    request = affordable(request, model.quote, left)
    quote = model.quote(request)
    if math.isfinite(cap_usd) and (quote is None or quote > left):
        return BudgetRefused(quote, max(left, 0.0))
    request = replace(request, max_usd=left if math.isfinite(left) else None)
    begun = journal.begin(request, quote)
    if begun is not None:
        return begun
    outcome = model.reply(request)
    journal.finish(request, outcome)
    return outcome


def _request(talk: _Talk, bounds: Bounds) -> ModelRequest:
    return ModelRequest(
        model=bounds.alias,
        system=system_prompt(),
        turns=tuple(talk.turns),
        max_tokens=bounds.max_tokens,
        deadline=bounds.deadline,
        key=f"{talk.context.iteration}.{talk.sent + 1}",
    )


def _take(outcome: ModelReply | PromptTooLong | ProviderDown, talk: _Talk, workbench: Workbench) -> None:
    match outcome:
        case ModelReply():
            talk.count(outcome)
            _answer(outcome, talk, workbench)
        case PromptTooLong():
            if talk.shrunk == SHRINK_LIMIT:
                talk.stop(outcome)
            else:
                _shorten(talk)
        case ProviderDown():
            spent = outcome.cost_usd
            talk.cost_usd = None if spent is None or talk.cost_usd is None else talk.cost_usd + spent
            talk.stop(outcome)


def _answer(reply: ModelReply, talk: _Talk, workbench: Workbench) -> None:
    """Carry out the calls of a turn and put their results into the conversation, or end it."""
    talk.turns.append(reply.turn)
    if not reply.turn.tool_calls:
        if talk.nudged:
            talk.stop()
        talk.nudged = True
        talk.turns.append(UserTurn(_NUDGE))
        return
    results = _carry_out(reply, workbench)
    _finish(reply.turn, results, talk)
    _bound_failures(reply.turn, results, talk)
    talk.turns.append(UserTurn(results=_in_order(reply.turn.tool_calls, results)))


def _carry_out(reply: ModelReply, workbench: Workbench) -> list[ToolResult]:
    """Return the results of the file tools. A reply that ran out of tokens has no whole last call: it is left out."""
    calls = reply.turn.tool_calls
    whole = calls[:-1] if reply.stop_reason == "max_tokens" else calls
    results = [workbench.call(call) for call in whole if call.name != FINISH]
    return results + [ToolResult(call.call_id, _CUT_OFF, is_error=True) for call in calls[len(whole) :]]


def _finish(turn: AssistantTurn, results: list[ToolResult], talk: _Talk) -> None:
    """Accept the agent's finish if all that came with it succeeded; answer it with what is wrong otherwise."""
    answered = {result.call_id for result in results}
    failed = [result for result in results if result.is_error]
    for call in turn.tool_calls:
        if call.name != FINISH or call.call_id in answered:
            continue
        said = parse_finish(call.arguments)
        if isinstance(said, Finish) and (not failed or _asks_about(said, failed)):
            talk.finish, talk.over = said, True
        else:
            message = said if isinstance(said, str) else _NOT_YET
            results.append(ToolResult(call.call_id, message, is_error=True))


def _asks_about(said: Finish, failed: Sequence[ToolResult]) -> bool:
    """Return whether the agent puts to a person just what was refused to it."""
    return said.status is FinishStatus.NEED_DECISION and all(result.proposed for result in failed)


def _bound_failures(turn: AssistantTurn, results: Sequence[ToolResult], talk: _Talk) -> None:
    failed = {result.call_id: result.content for result in results if result.is_error}
    for call in turn.tool_calls:
        if call.call_id in failed and failed[call.call_id] != _NOT_YET:
            same = json.dumps([call.name, dict(call.arguments)], sort_keys=True, default=str)
            talk.failures[same] += 1
            talk.over = talk.over or talk.failures[same] >= SAME_FAILURE_LIMIT


def _in_order(calls: Sequence[ToolCall], results: Sequence[ToolResult]) -> tuple[ToolResult, ...]:
    by_id = {result.call_id: result for result in results}
    return tuple(by_id.get(call.call_id, ToolResult(call.call_id, "ok")) for call in calls)


def _shorten(talk: _Talk) -> None:
    """Halve the opening message and every long answer of a tool."""
    talk.shrunk += 1
    talk.context = shrink(talk.context)
    rest = [_halved(turn) if isinstance(turn, UserTurn) else turn for turn in talk.turns[1:]]
    talk.turns = [UserTurn(first_message(talk.context)), *rest]


def _halved(turn: UserTurn) -> UserTurn:
    results = (
        replace(result, content=clip(result.content, max(len(result.content) // 2, 500))) for result in turn.results
    )
    return replace(turn, results=tuple(results))
