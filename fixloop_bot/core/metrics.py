"""How well fixloop does, from its records alone: what is malformed is named, and counts for nothing."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from fixloop_bot.model.history import History, Metrics, RunFacts, Tally
from fixloop_bot.model.proof import Verdict
from fixloop_bot.model.record import RepairRecord

OF_RUN: Mapping[str, Callable[[RunFacts], str]] = {
    "repository": lambda run: run.place,
    "branch": lambda run: run.branch,
}
"""Dimension → what a run has of it; empty where it is not known."""
OF_ATTEMPT: Mapping[str, Callable[[RepairRecord], str]] = {
    "layer": lambda record: record.layer,
    "failure mode": lambda record: record.failure_mode,
    "model": lambda record: record.model,
}


def measure(history: History) -> Metrics:
    """Return the metrics of all runs together, and by each dimension."""
    by_run = {name: _tallied(_by_run(history.runs, key)) for name, key in OF_RUN.items()}
    by_attempt = {name: _tallied(_by_attempt(history.runs, key)) for name, key in OF_ATTEMPT.items()}
    return Metrics(overall=tally(history.runs), by={**by_run, **by_attempt}, malformed=history.malformed)


def tally(runs: Sequence[RunFacts]) -> Tally:
    """Return the counts of these runs and of the attempts that they are given with."""
    records = [record for run in runs for record in run.records]
    costs = [record.cost_usd for record in records]
    false = sum(is_false_completion(run) for run in runs)
    return Tally(
        runs=len(runs),
        attempts=len(records),
        productive=sum(record.productive for record in records),
        done=sum(run.is_done for run in runs),
        held=sum(was_held(run) for run in runs),
        false=false,
        known_cost_usd=sum(cost for cost in costs if cost is not None),
        unknown_costs=costs.count(None),
    )


def is_false_completion(run: RunFacts) -> bool:
    """Return whether the run claims DONE and a verification found it not to hold.

    One finding is enough, whatever a later one says: what holds only sometimes was not proven.
    """
    return run.is_done and any(found.verdict is Verdict.BROKEN for found in run.verified)


def was_held(run: RunFacts) -> bool:
    """Return whether the run claims DONE, a verification found it to hold, and none found it not to."""
    held = any(found.verdict is Verdict.HOLDS for found in run.verified)
    return run.is_done and held and not is_false_completion(run)


def metrics_json(metrics: Metrics) -> dict[str, Any]:
    """Return the metrics as a JSON value; what is unknown is null, never 0."""
    return {
        "overall": tally_json(metrics.overall),
        "by": {
            name.replace(" ", "_"): {value: tally_json(one) for value, one in values.items()}
            for name, values in metrics.by.items()
        },
        "malformed": [{"path": one.path, "problem": one.problem} for one in metrics.malformed],
    }


def tally_json(one: Tally) -> dict[str, Any]:
    """Return the counts and what follows from them."""
    known = one.unknown_costs == 0
    return {
        "runs": one.runs,
        "attempts": one.attempts,
        "productive": one.productive,
        "repair_productivity": one.productivity,
        "done": one.done,
        "done_verified": one.held,
        "false_completions": one.false,
        "false_completion_rate": one.false_completion_rate,
        "cost_usd": one.known_cost_usd if known else None,
        "known_cost_usd": one.known_cost_usd,
        "unknown_costs": one.unknown_costs,
        "cost_per_success_usd": one.known_cost_per_success if known else None,
    }


def _tallied(groups: Iterable[tuple[str, RunFacts]]) -> Mapping[str, Tally]:
    found: dict[str, list[RunFacts]] = defaultdict(list)
    for value, run in groups:
        found[value].append(run)
    return {value: tally(found[value]) for value in sorted(found)}


def _by_run(runs: Iterable[RunFacts], key: Callable[[RunFacts], str]) -> Iterator[tuple[str, RunFacts]]:
    for run in runs:
        if value := key(run):
            yield value, run


def _by_attempt(runs: Iterable[RunFacts], key: Callable[[RepairRecord], str]) -> Iterator[tuple[str, RunFacts]]:
    for run in runs:
        for value in {key(record): None for record in run.records}:
            yield value, replace(run, records=tuple(record for record in run.records if key(record) == value))
