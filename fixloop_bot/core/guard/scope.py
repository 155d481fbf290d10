"""Changes far larger than what failed, in places that the failure does not name."""

import posixpath
from collections.abc import Iterator

from fixloop_bot.core.guard.review import Review, finding
from fixloop_bot.core.guard.source import Pair
from fixloop_bot.model.guard import Finding, Severity

LINES = 200
"""Changed lines that any failure may take."""
LINES_PER_ERROR = 20
FAR = 5
"""Times that allowance from which a change is undone, if it lies mostly elsewhere."""
FILES_ELSEWHERE = 3


def oversized_change(review: Review) -> Iterator[Finding]:
    """Yield at most one finding on the size of the change as a whole."""
    sizes = {pair.path: _size(pair) for pair in review.pairs}
    total = sum(sizes.values())
    allowed = LINES + LINES_PER_ERROR * review.change.error_count
    if total <= allowed:
        return
    elsewhere = {path: size for path, size in sizes.items() if not _is_related(path, review)}
    mostly = len(elsewhere) >= FILES_ELSEWHERE and 2 * sum(elsewhere.values()) > total
    severity = Severity.HIGH if total > FAR * allowed and mostly else Severity.MEDIUM
    message = f"{total:,} lines changed in {len(sizes)} file(s) for {review.change.error_count} error(s)"
    largest = max(sizes, key=lambda path: sizes[path])
    yield finding("diff-too-large", severity, largest, None, message)


def _size(pair: Pair) -> int:
    return max(len(pair.added), len(pair.removed))


def _is_related(path: str, review: Review) -> bool:
    """Return whether the failure names the file, one of its folder, or its stem."""
    affected = review.change.affected
    folder, name = posixpath.split(path)
    if path in affected or (folder and folder in {posixpath.dirname(other) for other in affected}):
        return True
    stem = posixpath.splitext(name)[0]
    return len(stem) > 2 and any(stem in text for text in review.change.expectations)
