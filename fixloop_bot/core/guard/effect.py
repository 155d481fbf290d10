"""The guard by effect: a pass must never come from fewer tests, whatever the change looks like."""

from fixloop_bot.core.guard.review import finding
from fixloop_bot.model.guard import Finding, Severity
from fixloop_bot.model.layer import TestReport


def lost_tests(before: TestReport | None, after: TestReport | None) -> Finding | None:
    """Return which tests no longer run; None when all that ran before still do, or nothing was known."""
    if before is None or before.executed == 0:
        return None
    if after is None:
        return _lost("tests-uncounted", "the tests no longer say how many ran")
    ran_before = {*before.passed, *before.failed}
    if skipped := ran_before & set(after.skipped):
        return _lost("tests-skipped", f"{len(skipped)} test(s) that ran before are skipped now: {min(skipped)}")
    if after.executed < before.executed:
        return _lost("tests-vanished", f"{before.executed} tests ran before, {after.executed} now")
    if _named(after) and (gone := set(before.passed) - {*after.passed, *after.failed}):
        return _lost("tests-vanished", f"{len(gone)} test(s) that passed before no longer run: {min(gone)}")
    return None


def _lost(rule_id: str, message: str) -> Finding:
    return finding(rule_id, Severity.HIGH, "", None, message)


def _named(report: TestReport) -> bool:
    """Return whether every test that ran has its id in the report."""
    return len(report.passed) + len(report.failed) == report.executed
