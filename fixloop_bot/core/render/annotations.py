"""From diagnostics to a check run's annotations, in the batches that GitHub takes."""

import re
from collections.abc import Callable, Iterable

from fixloop_bot.core.render.escape import plain, visible
from fixloop_bot.core.render.limits import cut
from fixloop_bot.model.check_run import Annotation, AnnotationLevel
from fixloop_bot.model.diagnostic import Diagnostic, Level

BATCH = 50
"""GitHub's limit for one request."""
MOST = 500
"""Annotations of one run; each batch is a request."""
MESSAGE_LIMIT = 4_000
TITLE_LIMIT = 200
_LAST_LINE = 2**31 - 1
_LEVELS = {
    Level.ERROR: AnnotationLevel.FAILURE,
    Level.WARNING: AnnotationLevel.WARNING,
    Level.NOTE: AnnotationLevel.NOTICE,
}
_SEVERITY = tuple(_LEVELS.values())
_NOT_IN_A_REPOSITORY = re.compile("^/|^[A-Za-z]:|\\\\|(?:^|/)\\.\\.?(?:/|$)|//|[\x00-\x1f\x7f\ud800-\udfff]")


def to_annotations(
    diagnostics: Iterable[Diagnostic], *, in_repository: Callable[[str], bool]
) -> tuple[tuple[Annotation, ...], ...]:
    """Return batches of annotations, errors first, then by place; only for files that `in_repository` knows."""
    known = (_annotation(item) for item in diagnostics if _is_annotated(item, in_repository))
    ranked = sorted(set(known), key=_order)[:MOST]
    return tuple(tuple(ranked[start : start + BATCH]) for start in range(0, len(ranked), BATCH))


def _is_annotated(item: Diagnostic, in_repository: Callable[[str], bool]) -> bool:
    return bool(item.path) and not _NOT_IN_A_REPOSITORY.search(item.path or "") and in_repository(item.path or "")


def _order(item: Annotation) -> tuple[int, str, int, int, str, str, str]:
    place = (item.path, item.start_line, item.start_column or 0)
    return (_SEVERITY.index(item.annotation_level), *place, item.title, item.message, item.raw_details)


def _annotation(item: Diagnostic) -> Annotation:
    line = item.line if item.line and 0 < item.line <= _LAST_LINE else None
    column = item.column if line and item.column and 0 < item.column <= _LAST_LINE else None
    message = visible(item.message).strip()
    return Annotation(
        path=item.path or "",
        start_line=line or 1,
        end_line=line or 1,
        start_column=column,
        end_column=column,
        annotation_level=_LEVELS[item.level],
        message=cut(message, MESSAGE_LIMIT) or str(item.kind),
        title=plain(" ".join(part for part in (item.rule_id, item.test_id) if part), TITLE_LIMIT) or str(item.kind),
        raw_details=str(item.kind),
    )
