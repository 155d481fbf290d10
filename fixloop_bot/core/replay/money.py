"""The money: each attempt costs what its receipts add up to, and the run what its attempts do."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from fixloop_bot.core.status_line import money
from fixloop_bot.model.agent import Receipt
from fixloop_bot.model.record import RepairRecord
from fixloop_bot.model.replay import Recorded
from fixloop_bot.model.state import LoopState

NEAR = 1e-6
"""Dollars."""
STARTED, OK = "started", "ok"

Calls = Mapping[int, Mapping[str, Receipt]]
"""Attempt → key of a call → how it ended last."""


def money_disagreements(run: Recorded) -> Iterator[str]:
    """Yield receipts that lack, and costs that do not add up."""
    calls, place = calls_of(run.receipts), f"receipts/{run.run_id}.jsonl"
    yield from (f"{place}: {clause}" for clause in _unpaired(run.receipts))
    for record in run.records:
        yield from (f"{place}: {clause}" for clause in _attempt(record, calls.get(record.attempt, {})))
    if run.state:
        yield from _state(run.state, run.records, calls)


def calls_of(receipts: Sequence[Receipt]) -> Calls:
    """Return each call's last end: a call that is made again after a kill keeps its key."""
    found: dict[int, dict[str, Receipt]] = defaultdict(dict)
    for receipt in receipts:
        if receipt.outcome != STARTED:
            found[receipt.iteration][receipt.key] = receipt
    return found


def cost_of(calls: Mapping[str, Receipt]) -> float | None:
    """Return what calls cost together, None where that of one is unknown."""
    costs = [receipt.cost_usd for receipt in calls.values()]
    return None if None in costs else sum(cost for cost in costs if cost is not None)


def same_cost(one: float | None, other: float | None) -> bool:
    """Return whether two costs are the same, or both unknown."""
    if one is None or other is None:
        return one is other
    return abs(one - other) < NEAR


def _unpaired(receipts: Sequence[Receipt]) -> Iterator[str]:
    started: set[str] = set()
    for receipt in receipts:
        if receipt.outcome == STARTED:
            started.add(receipt.key)
        elif receipt.key not in started:
            yield f"the call {receipt.key} ends and was never started"


def _attempt(record: RepairRecord, calls: Mapping[str, Receipt]) -> Iterator[str]:
    expected = [f"{record.attempt}.{turn}" for turn in range(1, len(calls) + 1)]
    if not any(receipt.outcome == OK for receipt in calls.values()):
        yield f"attempt {record.attempt} has no receipt of a call that was answered"
    elif set(calls) != set(expected):
        yield f"of attempt {record.attempt} a call is missing: there are {', '.join(sorted(calls)[:5])}"
    elif not same_cost(cost_of(calls), record.cost_usd):
        told = f"its record says {money(record.cost_usd)}"
        yield f"attempt {record.attempt} cost {_exact(cost_of(calls))} by its receipts, {told} ({record.cost_usd})"


def _state(state: LoopState, records: tuple[RepairRecord, ...], calls: Calls) -> Iterator[str]:
    costs = [record.cost_usd for record in records]
    told = state.iteration_costs[: len(costs)]
    for record, cost in zip(records, told, strict=False):
        if not same_cost(record.cost_usd, cost):
            yield f"state.json: attempt {record.attempt} cost {_exact(cost)}, its record says {_exact(record.cost_usd)}"
    if None in costs and not state.cost_unknown:
        yield "state.json calls the cost known, though that of an attempt is not"
    least = sum(cost for cost in costs if cost is not None)
    numbers = {record.attempt for record in records}
    others = [cost_of(ended) or 0.0 for number, ended in calls.items() if number not in numbers]
    if not least - NEAR <= state.total_cost_usd <= least + sum(others) + NEAR and not state.cost_unknown:
        yield f"state.json: the run cost {_exact(state.total_cost_usd)}, its attempts add up to {_exact(least)}"


def _exact(usd: float | None) -> str:
    return "an unknown sum" if usd is None else f"${usd:.6f}"
