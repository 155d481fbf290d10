"""A verdict for each failing test: rules on what failed, what would be changed, and what the change says it is for."""

import re
from collections.abc import Iterator, Sequence

from fixloop_bot.core.changed_lines import changed_lines
from fixloop_bot.model.agent import Proposal
from fixloop_bot.model.diagnostic import Diagnostic, DiagnosticKind, Level
from fixloop_bot.model.layer import LayerResult
from fixloop_bot.model.test_verdict import TestVerdict

MOST = 50
"""Tests that are named."""
_BUILD = (DiagnosticKind.SYNTAX_ERROR, DiagnosticKind.TYPE_ERROR, DiagnosticKind.BUILD_ERROR)
_WORD = re.compile(r"[A-Z]?[a-z]{2,30}|[A-Z]{3,30}|\d{1,12}")
_SAY_NOTHING = frozenset(
    [
        "add",
        "added",
        "adds",
        "and",
        "assert",
        "assertequal",
        "bug",
        "change",
        "changed",
        "changes",
        "chore",
        "code",
        "commit",
        "correct",
        "def",
        "equal",
        "error",
        "expect",
        "expected",
        "fail",
        "failing",
        "false",
        "feat",
        "feature",
        "fix",
        "fixed",
        "fixes",
        "fixing",
        "for",
        "from",
        "function",
        "improve",
        "into",
        "make",
        "merge",
        "more",
        "new",
        "none",
        "now",
        "null",
        "old",
        "pull",
        "ref",
        "refactor",
        "remove",
        "request",
        "return",
        "returns",
        "should",
        "test",
        "tests",
        "that",
        "the",
        "them",
        "this",
        "true",
        "tweak",
        "update",
        "updated",
        "updates",
        "use",
        "used",
        "using",
        "value",
        "when",
        "with",
        "work",
        "works",
    ]
)


def verdicts_of_tests(
    result: LayerResult, proposals: Sequence[Proposal], intent: str
) -> tuple[tuple[str, TestVerdict], ...]:
    """Return (test, verdict) for each failing test of the layer, at most `MOST`, in order."""
    found = dict(_verdicts(result, proposals, intent))
    return tuple(found.items())[:MOST]


def _verdicts(result: LayerResult, proposals: Sequence[Proposal], intent: str) -> Iterator[tuple[str, TestVerdict]]:
    by_path = {proposal.path: proposal for proposal in proposals if proposal.is_test}
    for item in result.diagnostics:
        if item.level is not Level.ERROR:
            continue
        name = (item.test_id or item.path or item.message)[:200]
        yield name, _verdict(item, by_path.get(item.path or "") or _only(by_path), intent)


def _only(by_path: dict[str, Proposal]) -> Proposal | None:
    """Return the proposal where there is just one: a runner may name another file than the test's."""
    return next(iter(by_path.values())) if len(by_path) == 1 else None


def _verdict(item: Diagnostic, proposal: Proposal | None, intent: str) -> TestVerdict:
    if item.kind in _BUILD:
        return TestVerdict.COMPILE_ERROR
    if proposal is None:
        return TestVerdict.CODE_WRONG
    said = words(intent)
    asserted = words(f"{item.test_id or ''} {' '.join(changed_lines(proposal.before or '', proposal.after))}")
    return TestVerdict.TEST_STALE if said & asserted else TestVerdict.AMBIGUOUS


def words(text: str) -> frozenset[str]:
    """Return the telling words and numbers of a text, in lower case; names are taken apart."""
    found = (match[0].lower() for match in _WORD.finditer(text[:20_000]))
    return frozenset(word for word in found if word not in _SAY_NOTHING and (len(word) > 2 or word.isdigit()))
