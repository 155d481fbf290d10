"""The guard's verdict on a change: every rule, worst first."""

from collections.abc import Callable, Iterator

from fixloop_bot.core.guard.assertions import weak_assertions
from fixloop_bot.core.guard.emptied import emptied_functions, swallowed_failures
from fixloop_bot.core.guard.exits import added_exits
from fixloop_bot.core.guard.inner_tests import changed_regions
from fixloop_bot.core.guard.protected import changed_modes, changed_protected_files, unjudged_files
from fixloop_bot.core.guard.review import Review
from fixloop_bot.core.guard.runners import detects_runner, patched_harness
from fixloop_bot.core.guard.scope import oversized_change
from fixloop_bot.core.guard.shadows import shadowing_files
from fixloop_bot.core.guard.skips import added_skips
from fixloop_bot.core.guard.special_cases import special_cases
from fixloop_bot.core.guard.suppressions import added_suppressions
from fixloop_bot.core.guard.thresholds import lowered_thresholds
from fixloop_bot.core.protect import Protection
from fixloop_bot.model.guard import Author, Change, Finding, Severity

Rule = Callable[[Review], Iterator[Finding]]

MOST = 200
"""Findings that are kept, the worst first."""
_ORDER = tuple(Severity)
_FOR_ALL: tuple[Rule, ...] = (
    changed_protected_files,
    changed_modes,
    unjudged_files,
    added_suppressions,
    added_skips,
    shadowing_files,
    lowered_thresholds,
)
_FOR_CODE: tuple[Rule, ...] = (
    detects_runner,
    patched_harness,
    added_exits,
    weak_assertions,
    emptied_functions,
    swallowed_failures,
)
RULES: dict[Author, tuple[Rule, ...]] = {
    Author.AGENT: (*_FOR_ALL, changed_regions, *_FOR_CODE, special_cases, oversized_change),
    Author.FIXER: (*_FOR_ALL, changed_regions),
    Author.RUN: (*_FOR_ALL, *_FOR_CODE),
}
"""What is asked of whose change. A formatter may lay out a test's lines anew; a whole run has no one failing test."""


def judge_change(change: Change, protection: Protection) -> tuple[Finding, ...]:
    """Return what weakens a check in the change, worst first, at most `MOST`. Linear in the size of the change."""
    review = Review(change, protection)
    found = dict.fromkeys(finding for rule in RULES[change.author] for finding in rule(review))
    ranked = sorted(found, key=lambda each: (_ORDER.index(each.severity), each.path, each.line or 0, each.rule_id))
    return tuple(ranked[:MOST])


def worst(findings: tuple[Finding, ...]) -> Severity | None:
    """Return the severity that decides, None where nothing was found."""
    return min((each.severity for each in findings), key=_ORDER.index, default=None)


def described(findings: tuple[Finding, ...], *, most: int = 3) -> str:
    """Return the findings that decide, in one line for the agent and the records."""
    decisive = [each for each in findings if each.severity is not Severity.MEDIUM]
    parts = [f"{each.rule_id} at {_place(each)}: {each.message}" for each in decisive[:most]]
    more = [f"and {len(decisive) - most} more"] if len(decisive) > most else []
    return "; ".join((*parts, *more))


def _place(found: Finding) -> str:
    return f"{found.path}:{found.line}" if found.line else found.path or "the change"
