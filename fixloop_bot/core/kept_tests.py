"""Whether the tests that ran before still run: a pass must never come from fewer tests."""

from fixloop_bot.model.layer import TestReport


def lost_tests(before: TestReport | None, after: TestReport | None) -> str:
    """Return which tests no longer run, in words; empty when all that ran before still do, or nothing was known."""
    if before is None or before.executed == 0:
        return ""
    if after is None:
        return "the tests no longer say how many ran"
    ran_before = {*before.passed, *before.failed}
    if skipped := ran_before & set(after.skipped):
        return f"{len(skipped)} test(s) that ran before are skipped now: {min(skipped)}"
    if after.executed < before.executed:
        return f"{before.executed} tests ran before, {after.executed} now"
    if _named(after) and (gone := set(before.passed) - {*after.passed, *after.failed}):
        return f"{len(gone)} test(s) that passed before no longer run: {min(gone)}"
    return ""


def _named(report: TestReport) -> bool:
    """Return whether every test that ran has its id in the report."""
    return len(report.passed) + len(report.failed) == report.executed
