"""From a run's state to what is told about it."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

from fixloop_bot.core.attribute import attribution_words
from fixloop_bot.core.evidence import evidence
from fixloop_bot.core.ladder import higher, outcome_of, unproductive_on
from fixloop_bot.core.observe import circle_words, oscillates
from fixloop_bot.core.record import to_record
from fixloop_bot.core.render.costs import model_costs
from fixloop_bot.core.render.rows import attempt_rows
from fixloop_bot.core.render.scrub import scrub
from fixloop_bot.core.render.words import activity, count
from fixloop_bot.model.guard import Finding
from fixloop_bot.model.layer import Layer, LayerResult, LayerStatus
from fixloop_bot.model.outcome import Status
from fixloop_bot.model.report import (
    Failing,
    GuardFinding,
    LayerCommit,
    LayerLine,
    Pushed,
    Report,
    ReportStatus,
    Surroundings,
)
from fixloop_bot.model.state import LoopState, Phase

REPORT_STATUS = {
    Status.DONE: ReportStatus.DONE,
    Status.NEED_DECISION: ReportStatus.NEED_DECISION,
    Status.BLOCKED: ReportStatus.BLOCKED,
}


def to_report(state: LoopState, *, now: float, redact: Callable[[str], str], surroundings: Surroundings) -> Report:
    """Return what is to be told of a run at `now` (seconds since the epoch), with every text of it redacted."""
    delivered = isinstance(surroundings.delivery, Pushed) and bool(state.fix_commits)
    report = replace(
        _standing(state, surroundings),
        pushed_sha=state.fix_commits[-1].commit if delivered else "",
        minutes=max(now - state.started_at, 0.0) / 60 if state.started_at else 0.0,
        updated_at=iso(now),
        attempts=attempt_rows(state, running=_status(state, surroundings) is ReportStatus.RUNNING),
        attempts_by_layer=_attempts_by_layer(state, surroundings),
        costs=model_costs(state),
        commits=tuple(LayerCommit(layer=str(c.layer), sha=c.commit, iteration=c.iteration) for c in state.fix_commits),
        layers=_layers(state),
        failing=_failing(state),
        evidence=evidence(state),
        records=surroundings.records or _records(state, iso(now)),
        surroundings=replace(
            surroundings,
            guard=surroundings.guard or _guard(state),
            approval_patch=surroundings.approval_patch or _approval_patch(state),
        ),
    )
    return scrub(report, redact)


def iso(now: float) -> str:
    """Return ISO 8601 in UTC, to the second."""
    return datetime.fromtimestamp(int(now), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _standing(state: LoopState, surroundings: Surroundings) -> Report:
    """Return how the run stands, in one word and why."""
    status, end = _status(state, surroundings), state.end
    running = status is ReportStatus.RUNNING
    return Report(
        run_id=state.run_id,
        branch=state.branch,
        head_sha=state.start_commit,
        status=status,
        activity=activity(state) if running else "",
        layer=str(state.failure.layer) if state.failure else "",
        iteration=state.pending.iteration if state.pending else state.iteration_count,
        max_retries=state.limits.max_retries,
        cost_usd=state.total_cost_usd,
        cost_unknown=state.cost_unknown,
        terminal=end.terminal if end else None,
        breaker=end.breaker if end else None,
        reason=surroundings.fault or (end.reason if end else ""),
        suggestion=end.suggestion if end else "",
        question=end.question if end and not running else None,
        approval=state.phase is Phase.APPROVAL_WAIT,
        attribution=attribution_words(state),
        cycle=oscillates(state),
        circle=circle_words(state),
        surroundings=surroundings,
    )


def _status(state: LoopState, surroundings: Surroundings) -> ReportStatus:
    if surroundings.fault:
        return ReportStatus.FAULT
    if state.end is not None:
        return REPORT_STATUS[state.end.status]
    return ReportStatus.CANCELLED if surroundings.cancelled else ReportStatus.RUNNING


def _attempts_by_layer(state: LoopState, surroundings: Surroundings) -> Mapping[str, int]:
    told = {Layer(layer): number for layer, number in surroundings.earlier_attempts.items()}
    counts = unproductive_on(map(outcome_of, state.attempts), higher(told, state.earlier_attempts))
    return {str(layer): number for layer, number in sorted(counts.items())}


def _layers(state: LoopState) -> tuple[LayerLine, ...]:
    validation = state.gate or state.validation
    return tuple(_layer_line(result) for result in validation.layers) if validation else ()


def _layer_line(result: LayerResult) -> LayerLine:
    detail = result.reason
    if not detail and result.status is LayerStatus.FAIL:
        detail = count(result.error_count, "error")
    if not detail and result.tests:
        detail = f"{count(result.tests.executed, 'test')} ran"
    return LayerLine(layer=str(result.name), status=str(result.status), detail=detail)


def _failing(state: LoopState) -> Failing | None:
    failure = state.failure
    if failure is None or (state.end and state.end.status is Status.DONE):
        return None
    return Failing(
        layer=str(failure.layer),
        mode=str(failure.mode),
        error_count=failure.result.error_count,
        excerpt=failure.result.output,
        diagnostics=failure.result.diagnostics,
        missing=failure.result.missing,
    )


def _approval_patch(state: LoopState) -> str:
    question = state.end.question if state.end else None
    return question.patch if question and state.phase is Phase.APPROVAL_WAIT else ""


def _guard(state: LoopState) -> tuple[GuardFinding, ...]:
    """Return what the guard found in each attempt that it judged, and at the gate."""
    found = [
        (each, f"attempt {one.iteration}") for one in (*state.attempts, state.pending) if one for each in one.guard
    ]
    return tuple(_told(each, where) for each, where in (*found, *((each, "the whole run") for each in state.guard)))


def _told(found: Finding, where: str) -> GuardFinding:
    message = f"{found.message} ({where})"
    return GuardFinding(
        rule_id=found.rule_id, severity=str(found.severity), path=found.path, line=found.line, message=message
    )


def _records(state: LoopState, created_at: str) -> tuple[dict[str, Any], ...]:
    return tuple(asdict(to_record(state, attempt, created_at=created_at)) for attempt in state.attempts)
