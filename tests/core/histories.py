"""Runs to report of: one that went in a circle, one that is done, one that asks, one that nobody ended."""

from dataclasses import replace

from fixloop_bot.model.history import History, Malformed, RunFacts, Standing
from fixloop_bot.model.outcome import Breaker, Question, Status, Terminal, TerminalState
from fixloop_bot.model.proof import Verdict, Verified
from fixloop_bot.model.record import RepairRecord, Verification
from fixloop_bot.model.state import End, Phase

AT = "2027-01-15T09:00:00Z"
A, B, C = ("a" * 64, "b" * 64, "c" * 64)
HOSTILE = "<script>alert('x')</script> \x1b[31m\u202e&amp; \"quoted\" ##[error]x"


def record(run_id: str, number: int, *, verdict: str, scores: tuple[float, float], seen: str = A) -> RepairRecord:
    before, after = scores
    passes = verdict == "clean" and after == 1
    return RepairRecord(
        iteration_id=f"{run_id}-{number}",
        run_id=run_id,
        story_id="SHOP-12",
        attempt=number,
        layer="test",
        failure_mode="deterministic-fail",
        model="sonnet" if number < 3 else "opus",
        hypothesis="the operands are swapped",
        repair_action="put them back in order",
        verification_before=Verification(status="fail", failing=("test: t",), score=before),
        verification_after=Verification(status="pass" if passes else "fail", failing=(), score=after),
        remaining_delta=(),
        productive=after > before,
        cost_usd=0.0124 * number,
        error_hash=seen,
        commit="1" * 40 if after > before else None,
        diff_stat="1 file changed",
        salvage=None if after > before else f"{run_id}-{number}",
        verdict=verdict,
        created_at="2027-01-15T08:01:00Z",
    )


def standing(**more: object) -> Standing:
    values: dict[str, object] = {
        "phase": Phase.ENDED,
        "started_at": 1_800_000_000.0,
        "layer": "",
        "iterations": 0,
        "max_retries": 5,
        "cost_usd": 0.0,
        "error_hashes": (),
        "end": None,
    }
    return Standing(**(values | more))  # type: ignore[arg-type]


def ended(run_id: str, state: TerminalState, reason: str) -> Terminal:
    done = state is TerminalState.SUCCEEDED
    return Terminal(
        run_id=run_id,
        state=state,
        status=Status.DONE if done else Status.BLOCKED,
        reason=reason,
        criteria_met={"termination_gate_passed": done},
        evidence=("commit " + "1" * 40,),
        false_completion=False,
        iteration_id=None,
        terminated_at="2027-01-15T08:05:00Z",
    )


CIRCLE = RunFacts(
    run_id="20270115T080000-circle",
    repository="/srv/shop",
    branch="fix/totals",
    story_id="SHOP-12",
    standing=standing(
        layer="test",
        iterations=4,
        cost_usd=None,
        error_hashes=(A, B, A, B, C),
        end=End(
            status=Status.BLOCKED,
            terminal=TerminalState.FAILED_BUDGET,
            breaker=Breaker.MAX_RETRIES,
            reason="all attempts are used",
        ),
    ),
    terminal=ended("20270115T080000-circle", TerminalState.FAILED_BUDGET, "all attempts are used"),
    records=(
        record("20270115T080000-circle", 1, verdict="changed", scores=(0.5, 0.5), seen=B),
        replace(
            record("20270115T080000-circle", 2, verdict="changed", scores=(0.5, 0.5), seen=A),
            hypothesis=HOSTILE,
            cost_usd=None,
        ),
        record("20270115T080000-circle", 3, verdict="regression", scores=(0.5, 0.25), seen=B),
        record("20270115T080000-circle", 4, verdict="progress", scores=(0.5, 0.75), seen=C),
    ),
)
DONE = RunFacts(
    run_id="20270116T080000-done",
    repository="/srv/shop",
    branch="main",
    standing=standing(
        started_at=1_800_086_400.0,
        iterations=1,
        cost_usd=0.0124,
        error_hashes=(A,),
        end=End(status=Status.DONE, terminal=TerminalState.SUCCEEDED, reason="all validation layers passed"),
    ),
    terminal=ended("20270116T080000-done", TerminalState.SUCCEEDED, "all validation layers passed"),
    records=(record("20270116T080000-done", 1, verdict="clean", scores=(0.5, 1.0)),),
    verified=(
        Verified(
            run_id="20270116T080000-done", commit="1" * 40, record_sha256="d" * 64, verdict=Verdict.HOLDS, why=(), at=AT
        ),
    ),
)
FALSE = replace(
    DONE,
    run_id="20270116T090000-false",
    records=(),
    verified=(replace(DONE.verified[0], verdict=Verdict.BROKEN, why=("test: exit 1, recorded 0",)),),
)
ASKS = RunFacts(
    run_id="20270117T080000-asks",
    repository="/srv/web",
    branch="feat/<b>bold</b>",
    standing=standing(
        phase=Phase.DECISION_WAIT,
        started_at=1_800_172_800.0,
        layer="test",
        iterations=1,
        cost_usd=0.0124,
        end=End(
            status=Status.NEED_DECISION,
            terminal=None,
            breaker=Breaker.DECISION,
            reason="is the limit 10 or 12?",
            question=Question(layer="test", question="is the limit 10 or 12?", option_a="10", option_b="12"),
        ),
    ),
    records=(
        replace(record("20270117T080000-asks", 1, verdict="same", scores=(0.5, 0.5)), run_id="20270117T080000-asks"),
    ),
)
OPEN = RunFacts(
    run_id="20270118T080000-open",
    repository="/srv/web",
    branch="main",
    standing=standing(phase=Phase.FIX, started_at=1_800_259_200.0, layer="lint"),
)
LOST = RunFacts(run_id="lost")
HISTORY = History(
    runs=(OPEN, ASKS, FALSE, DONE, CIRCLE, LOST),
    malformed=(Malformed("repair/20270115T080000-circle-5.json", "productive disagrees with the scores"),),
)
