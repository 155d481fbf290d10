"""The verdict on a change: what fails after it against what failed before."""

from collections.abc import Sequence

from fixloop_bot.core.failing import fails_only_in
from fixloop_bot.core.fingerprint import is_progress
from fixloop_bot.core.guard.effect import lost_tests
from fixloop_bot.model.attempt import Failure, Verdict
from fixloop_bot.model.diagnostic import DiagnosticKind
from fixloop_bot.model.layer import Layer, LayerResult, LayerStatus, Validation


def verdict_of(
    before: Failure, validation: Validation, *, score_after: float, changed: Sequence[str] = ()
) -> tuple[Verdict, str]:
    """Return the verdict on a verified change of the files `changed`, and why in words."""
    after = validation.failing
    own = validation.result(before.layer)
    if before.layer is Layer.TEST and own and (lost := lost_tests(before.result.tests, own.tests)):
        return Verdict.REGRESSION, lost.message
    if after is not None and after.name is before.layer and fails_only_in(after, before.flaky):
        return Verdict.CLEAN, "nothing fails but what is flaky"
    if after is None or after.name.rank > before.layer.rank:
        return _clean_if_it_ran(before, own)
    if after.name.rank < before.layer.rank:
        return Verdict.REGRESSION, f"{after.name} passed before and fails now"
    if why := regression(before, after, changed):
        return Verdict.REGRESSION, why
    if after.fingerprint and after.fingerprint.fine == before.error_hash:
        return Verdict.SAME, "the same failure"
    if score_after > before.score and is_part(before.result, after):
        return Verdict.PROGRESS, f"{after.error_count} of {before.result.error_count} errors left"
    return Verdict.CHANGED, "another failure, no better and no worse"


def _clean_if_it_ran(before: Failure, own: LayerResult | None) -> tuple[Verdict, str]:
    """A layer that no longer runs is not clean, whatever the others say."""
    if own is None or own.status is not LayerStatus.PASS:
        return Verdict.REGRESSION, f"{before.layer} no longer runs"
    return Verdict.CLEAN, f"{before.layer} passes"


def regression(before: Failure, after: LayerResult, changed: Sequence[str] = ()) -> str:
    """Return why the same layer is worse than before, empty if it is not."""
    if after.status is LayerStatus.ERROR and before.result.status is not LayerStatus.ERROR:
        return after.reason or f"{after.name} can no longer be run"
    lost = before.passed_tests & set(after.tests.failed) if after.tests else set()
    if lost:
        return f"{len(lost)} test(s) that passed fail now: {min(lost)}"
    first, now = _steady_errors(before.result, before.flaky), _steady_errors(after, before.flaky)
    if now > first and not reveals(before.result, after, changed):
        return f"errors rose from {first} to {now}"
    return ""


def is_part(before: LayerResult, after: LayerResult) -> bool:
    """Return whether what fails now is a part of what failed before, and no crash hides the rest."""
    if before.fingerprint is None or after.fingerprint is None:
        return False
    executed = (result.tests.executed if result.tests else None for result in (before, after))
    return is_progress(before.fingerprint, after.fingerprint, *executed)


def _steady_errors(result: LayerResult, flaky: Sequence[str]) -> int:
    """Return the number of errors that no flaky test made."""
    return result.error_count - len({item.test_id for item in result.diagnostics} & set(flaky))


def reveals(before: LayerResult, after: LayerResult, changed: Sequence[str]) -> bool:
    """Return whether more errors come from seeing more: what failed before is gone, and it hid the others.

    A crash hides tests, a syntax error hides types, a failing command hides the one behind it; and errors that lie in
    none of the changed files were not made by the change.
    """
    if not (before.fingerprint and after.fingerprint) or _shared(before, after):
        return False
    more_tests = before.tests is not None and after.tests is not None and after.tests.executed > before.tests.executed
    further = len(after.evidence) > len(before.evidence) or (_syntax(before) and not _syntax(after))
    elsewhere = bool(changed) and not {item.path for item in after.diagnostics}.intersection(changed)
    return more_tests or further or elsewhere


def _shared(before: LayerResult, after: LayerResult) -> bool:
    ours = set(before.fingerprint.items) if before.fingerprint else set()
    return bool(ours.intersection(after.fingerprint.items if after.fingerprint else ()))


def _syntax(result: LayerResult) -> bool:
    return any(item.kind is DiagnosticKind.SYNTAX_ERROR for item in result.diagnostics)
