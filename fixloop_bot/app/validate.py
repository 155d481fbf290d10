"""The validation pyramid: layer by layer, lowest first, until one fails."""

from collections.abc import Mapping, Sequence
from functools import cache

from fixloop_bot.app.advise import advised
from fixloop_bot.app.own_runner import run_own
from fixloop_bot.app.read_output import merge_readings
from fixloop_bot.app.run_check import CheckResult, Known, run_checks
from fixloop_bot.core.side_by_side import rounds
from fixloop_bot.model.command import RUNNER_LAYERS, Plan
from fixloop_bot.model.layer import ORDER, Layer, LayerResult, LayerStatus, TestReport, Validation
from fixloop_bot.ports import Clock, Progress
from fixloop_bot.ports.project import CommandRunner, Project

STOPS = (LayerStatus.FAIL, LayerStatus.ERROR)


def validate(  # noqa: PLR0913 - the four ports are the whole world of a validation
    plan: Plan,
    project: Project,
    runner: CommandRunner,
    progress: Progress,
    *,
    from_layer: Layer = Layer.COMPILE,
    only: Layer | None = None,
    clock: Clock,
    purpose: str = "detect",
    noise: Mapping[Layer, Sequence[str]] | None = None,
) -> Validation:
    """Run the layers from `from_layer` up, each only if none below it failed; `only` runs that one layer.

    `purpose` is `detect`, `verify` or `gate`, for the watching person. `noise` is what the run has learned of each
    layer's output. Whatever the commands do, it does not raise.
    """
    started = clock.iso()
    results: list[LayerResult] = []
    for layer in _layers(plan, from_layer, only):
        result = _skipped(plan, layer)
        if result is None:
            progress.layer_started(layer, purpose=purpose)
            if (together := beside(plan, layer)) > 1:
                progress.note(f"{layer}: {together} projects side by side")
            result = run_layer(plan, layer, project, runner, noise=frozenset((noise or {}).get(layer, ())))
        progress.layer_finished(result)
        if result.pictures:
            progress.note(f"{layer}: pictures: {', '.join(result.pictures)}")
        results.append(result)
        if result.status in STOPS:
            break
    idle = {result.name for result in results if result.status is LayerStatus.SKIP}
    return Validation(
        project_type=plan.project_type,
        layers=tuple(results),
        planned=tuple(layer for layer in plan.layers if layer not in idle),
        started_from=only or from_layer,
        extra={"started_at": started},
    )


def run_layer(
    plan: Plan, layer: Layer, project: Project, runner: CommandRunner, *, noise: frozenset[str] = frozenset()
) -> LayerResult:
    """Run every check of one layer: all projects, so that one run shows all that is wrong on it.

    Those of separate projects run side by side; what comes of them is told in the order of the plan all the same.
    """
    known = Known(declared=cache(project.declared), matchers=plan.matchers, noise=noise)
    if plan.runner is not None and layer in RUNNER_LAYERS:
        return run_own(plan.runner, layer, project, runner, known)
    checks = [check for check in plan.checks if check.layer is layer]
    results: dict[int, CheckResult] = {}
    passing: dict[str, bool] = {}
    for together in rounds(checks, plan.self_contained):
        due = [check for check in together if not check.after_success or passing.get(check.project, True)]
        for check, found in zip(due, run_checks(due, project, runner, known, at_once=plan.parallel), strict=True):
            result = advised(found, check, plan)
            passing[check.project] = result.status is LayerStatus.PASS
            results[next(number for number, one in enumerate(checks) if one is check)] = result
    return layer_result(layer, [results[number] for number in sorted(results)])


def beside(plan: Plan, layer: Layer) -> int:
    """Return how many projects of a layer are checked side by side, 1 for none."""
    checks = [check for check in plan.checks if check.layer is layer and plan.runner is None]
    return max((len(together) for together in rounds(checks, plan.self_contained)), default=1)


def layer_result(layer: Layer, results: Sequence[CheckResult]) -> LayerResult:
    """Return what the checks of a layer, at least one, say together."""
    evidence = tuple(result.evidence for result in results)
    tests = _all_tests([result.reading.tests for result in results if result.reading.tests])
    bad = [result for result in results if result.status in STOPS]
    if not bad:
        output = results[-1].reading.excerpt
        return LayerResult(name=layer, status=LayerStatus.PASS, output=output, evidence=evidence, tests=tests)
    merged = merge_readings(layer, [result.reading for result in bad])
    unverifiable = any(result.status is LayerStatus.ERROR for result in bad)
    return LayerResult(
        name=layer,
        status=LayerStatus.ERROR if unverifiable else LayerStatus.FAIL,
        output=merged.excerpt,
        error_count=max(merged.error_count, 1),
        diagnostics=merged.diagnostics,
        reason="; ".join(dict.fromkeys(result.reason for result in bad if result.reason)),
        evidence=evidence,
        fingerprint=merged.fingerprint,
        tests=tests,
        pictures=tuple(picture for result in bad for picture in result.pictures),
        affected_files=merged.affected_files,
        missing=merged.missing,
        environmental=merged.environmental,
        ambiguous=merged.ambiguous,
    )


def _layers(plan: Plan, from_layer: Layer, only: Layer | None) -> tuple[Layer, ...]:
    """Return the layers to look at: those with something to run, and those whose absence the plan explains."""
    known = {*plan.layers, *plan.skipped}
    if only is not None:
        return (only,)
    return tuple(layer for layer in ORDER if layer in known and layer.rank >= from_layer.rank)


def _skipped(plan: Plan, layer: Layer) -> LayerResult | None:
    if layer in plan.layers:
        return None
    reason = plan.skipped.get(layer, f"the {layer} layer is off")
    return LayerResult(name=layer, status=LayerStatus.SKIP, reason=reason)


def _all_tests(reports: Sequence[TestReport]) -> TestReport | None:
    if not reports:
        return None
    return TestReport(
        executed=sum(report.executed for report in reports),
        passed=tuple(test for report in reports for test in report.passed),
        failed=tuple(test for report in reports for test in report.failed),
        skipped=tuple(test for report in reports for test in report.skipped),
    )
