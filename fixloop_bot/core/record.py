"""From a judged attempt to its repair record."""

from fixloop_bot.core.evidence import evidence
from fixloop_bot.core.judge import failing_items
from fixloop_bot.model.attempt import Attempt
from fixloop_bot.model.guard import Finding
from fixloop_bot.model.layer import LayerStatus
from fixloop_bot.model.outcome import Status
from fixloop_bot.model.record import RepairRecord, Verification
from fixloop_bot.model.state import LoopState


def iteration_id(run_id: str, iteration: int) -> str:
    """Return the name of an attempt, unique over all runs."""
    return f"{run_id}-{iteration}"


def to_record(state: LoopState, attempt: Attempt, *, created_at: str) -> RepairRecord:
    """Return the record of a judged attempt; `created_at` is ISO 8601, UTC."""
    return RepairRecord(
        iteration_id=iteration_id(state.run_id, attempt.iteration),
        run_id=state.run_id,
        story_id=state.story_id,
        attempt=attempt.iteration,
        layer=str(attempt.layer),
        failure_mode=str(attempt.mode),
        model=str(attempt.model),
        hypothesis=attempt.hypothesis or attempt.said or "none given",
        repair_action=attempt.repair_action or ("none given" if attempt.changed else "no change made"),
        verification_before=_side(attempt.failing_before, attempt.score_before),
        verification_after=_side(attempt.failing_after, attempt.score_after),
        remaining_delta=attempt.failing_after,
        productive=attempt.score_after > attempt.score_before,
        cost_usd=attempt.cost_usd,
        error_hash=attempt.hash_after or attempt.hash_before,
        commit=attempt.commit,
        diff_stat=attempt.diff_stat,
        guard=tuple(finding_json(found) for found in attempt.guard),
        test_verdicts=attempt.test_verdicts,
        proposed=attempt.proposed,
        salvage=attempt.salvage,
        verdict=str(attempt.verdict or ""),
        rung=str(attempt.rung),
        repeats=attempt.repeats,
        change_id=attempt.change_id,
        files=attempt.changed,
        evidence=evidence(state) if proven(state, attempt) else (),
        created_at=created_at,
    )


def finding_json(found: Finding) -> dict[str, str | int | None]:
    """Return a finding of the guard as the record has it."""
    return {
        "rule_id": found.rule_id,
        "severity": str(found.severity),
        "path": found.path,
        "line": found.line,
        "message": found.message,
    }


def proven(state: LoopState, attempt: Attempt) -> bool:
    """Return whether the termination gate stands for the attempt's commit: it is in what a DONE run leaves."""
    done = state.end is not None and state.end.status is Status.DONE
    return done and attempt.salvage is None and attempt.commit in {fix.commit for fix in state.fix_commits}


def remaining(state: LoopState) -> tuple[str, ...]:
    """Return what still fails in the state, `layer: item` each."""
    return failing_items(state.failure.result) if state.failure else ()


def _side(failing: tuple[str, ...], score: float) -> Verification:
    status = LayerStatus.FAIL if failing else LayerStatus.PASS
    return Verification(status=str(status), failing=failing, score=score)
