"""Counts over runs: what is unknown is never 0, and one contradiction makes a DONE false for good."""

import json
from dataclasses import replace

import pytest

from fixloop_bot.core.metrics import measure, metrics_json, tally
from fixloop_bot.model.history import History, Malformed, RunFacts
from fixloop_bot.model.outcome import Status, Terminal, TerminalState
from fixloop_bot.model.proof import Verdict, Verified
from fixloop_bot.model.record import RepairRecord, Verification


def record(number: int = 1, *, after: float = 1.0, cost: float | None = 0.5, layer: str = "test") -> RepairRecord:
    return RepairRecord(
        iteration_id=f"r1-{number}",
        run_id="r1",
        story_id="",
        attempt=number,
        layer=layer,
        failure_mode="deterministic-fail",
        model="sonnet",
        hypothesis="h",
        repair_action="a",
        verification_before=Verification(status="fail", failing=("test: t",), score=0.5),
        verification_after=Verification(status="pass", failing=(), score=after),
        remaining_delta=(),
        productive=after > 0.5,
        cost_usd=cost,
        error_hash="",
        commit=None,
        diff_stat="",
        created_at="2026-01-01T00:00:00Z",
    )


DONE = Terminal(
    run_id="r1",
    state=TerminalState.SUCCEEDED,
    status=Status.DONE,
    reason="",
    criteria_met={"gate": True},
    evidence=("x",),
    false_completion=False,
    iteration_id="r1-1",
    terminated_at="2026-01-01T00:00:00Z",
)
BLOCKED = replace(DONE, state=TerminalState.FAILED_BUDGET, status=Status.BLOCKED)


def found(*verdicts: Verdict) -> tuple[Verified, ...]:
    return tuple(
        Verified(run_id="r1", commit="c", record_sha256="d", verdict=one, why=(), at="2026-01-01T00:00:00Z")
        for one in verdicts
    )


def run(*records: RepairRecord, terminal: Terminal | None = None, verdicts: tuple[Verdict, ...] = ()) -> RunFacts:
    return RunFacts(run_id="r1", terminal=terminal, records=records, verified=found(*verdicts))


def test_nothing_at_all_has_no_rates_rather_than_good_ones() -> None:
    told = metrics_json(measure(History()))["overall"]
    assert (told["repair_productivity"], told["false_completion_rate"], told["cost_per_success_usd"]) == (None,) * 3


@pytest.mark.parametrize(
    ("verdicts", "held", "false"),
    [
        pytest.param((), 0, 0, id="nobody looked"),
        pytest.param((Verdict.UNCHECKED,), 0, 0, id="it could not be checked"),
        pytest.param((Verdict.UNCHECKED, Verdict.HOLDS), 1, 0, id="it could be checked later, and holds"),
        pytest.param((Verdict.BROKEN,), 0, 1, id="it does not hold"),
        pytest.param((Verdict.BROKEN, Verdict.HOLDS), 0, 1, id="it holds only at times"),
    ],
)
def test_a_done_is_judged_by_what_verifications_found(verdicts: tuple[Verdict, ...], held: int, false: int) -> None:
    told = tally([run(record(), terminal=DONE, verdicts=verdicts)])
    assert (told.done, told.held, told.false, told.successes) == (1, held, false, 1 - false)


def test_a_blocked_run_claims_nothing_that_could_be_false() -> None:
    told = tally([run(record(), terminal=BLOCKED, verdicts=(Verdict.BROKEN,)), run(record())])
    assert (told.done, told.false, told.false_completion_rate) == (0, 0, None)


def test_vain_attempts_are_part_of_what_a_success_costs() -> None:
    vain = run(record(after=0.5), record(2, after=0.25), terminal=BLOCKED)
    told = tally([vain, run(record(), terminal=DONE)])
    assert told.productivity == pytest.approx(1 / 3)
    assert told.known_cost_per_success == 1.5


def test_an_unknown_cost_is_named_and_makes_a_sum_unknown() -> None:
    told = metrics_json(measure(History(runs=(run(record(), record(2, cost=None), terminal=DONE),))))["overall"]
    assert (told["cost_usd"], told["known_cost_usd"], told["unknown_costs"]) == (None, 0.5, 1)
    assert told["cost_per_success_usd"] is None


def test_where_no_cost_is_known_not_even_a_lower_bound_is_told() -> None:
    assert tally([run(record(cost=None), terminal=DONE)]).known_cost_per_success is None
    assert tally([run(terminal=DONE)]).known_cost_per_success == 0.0


def test_a_run_counts_under_each_layer_that_it_worked_on_with_the_attempts_there() -> None:
    both = run(record(layer="lint"), record(2, cost=0.25), terminal=DONE)
    by = measure(History(runs=(both,))).by["layer"]
    assert {layer: (one.runs, one.attempts, one.known_cost_usd, one.done) for layer, one in by.items()} == {
        "lint": (1, 1, 0.5, 1),
        "test": (1, 1, 0.25, 1),
    }


def test_what_is_not_known_of_a_run_makes_no_group_of_its_own() -> None:
    by = measure(History(runs=(run(), replace(run(), branch="main")))).by
    assert (list(by["branch"]), list(by["repository"])) == (["main"], [])


def test_malformed_records_are_told_as_json() -> None:
    told = metrics_json(measure(History(malformed=(Malformed("repair/x.json", "missing: attempt"),))))
    assert json.loads(json.dumps(told))["malformed"] == [{"path": "repair/x.json", "problem": "missing: attempt"}]
