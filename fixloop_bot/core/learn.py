"""What a run teaches, made general and merged with what is known. It never changes a verdict."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from fixloop_bot.model.diagnostic import DiagnosticKind
from fixloop_bot.model.layer import Layer, LayerResult
from fixloop_bot.model.learning import (
    Approach,
    Enforcement,
    LearnedApproach,
    Learnings,
    Lesson,
    Seen,
    ToolError,
    ToolErrorKind,
)
from fixloop_bot.model.state import LoopState

MOST_ENFORCEMENTS = 150
MOST_APPROACHES = 50
MOST_EVIDENCE = 3
MOST_HYPOTHESES = 6
TEXT_LIMIT = 160
"""Characters of every text that is kept."""
_NUMBER = re.compile(r"\d{3,}")


def lessons(result: LayerResult, errors: Sequence[ToolError]) -> tuple[Lesson, ...]:
    """Return what a failing layer teaches, from the tool errors in its output, else from what it is said to lack.

    A module that a test cannot find is the test's matter.
    """
    told = [
        error for error in errors if not (result.name is Layer.TEST and error.kind is ToolErrorKind.MODULE_NOT_FOUND)
    ]
    found = [_lesson(error.kind, error.subject, error.line) for error in told] or [*_lacks(result)]
    return tuple({lesson.pattern: lesson for lesson in found}.values())


def generalised(subject: str) -> str:
    """Return what a tool error is about without what differs from run to run: folders and long numbers."""
    name = subject.rstrip("/").rpartition("/")[2] if subject.startswith("/") else subject
    return _clipped(_NUMBER.sub("*", name))


def failed_approach(state: LoopState, tried: Iterable[str]) -> Approach | None:
    """Return what did not help on the target so far; `tried` are the hypotheses with their effects, oldest first."""
    failure = state.failure
    if failure is None:
        return None
    told = tuple(_clipped(text) for text in tried)
    return Approach(
        branch=_clipped(state.branch),
        layer=str(failure.layer),
        start_commit=state.start_commit,
        failure_mode=str(failure.mode),
        failing=tuple(_clipped(item.message) for item in failure.result.diagnostics[:3]),
        hypotheses=told[-MOST_HYPOTHESES:],
    )


def merged(known: Learnings, new: Sequence[Lesson], approach: Approach | None, seen: Seen) -> Learnings:
    """Return what is known with the new; a run counts once for each lesson, however often it meets it."""
    enforcements = {item.pattern: item for item in known.enforcements}
    for lesson in new:
        enforcements[lesson.pattern] = _met(enforcements.pop(lesson.pattern, None), lesson, seen)
    approaches = {_target(item.approach): item for item in known.approaches}
    if approach is not None:
        approaches.pop(_target(approach), None)
        learned = LearnedApproach(approach=approach, run_id=seen.run_id, learned_at=seen.at)
        approaches[_target(approach)] = learned
    return replace(
        known,
        enforcements=tuple(enforcements.values())[-MOST_ENFORCEMENTS:],
        approaches=tuple(approaches.values())[-MOST_APPROACHES:],
    )


def _met(known: Enforcement | None, lesson: Lesson, seen: Seen) -> Enforcement:
    if known is None:
        first = Enforcement(pattern=lesson.pattern, evidence=(lesson.evidence,), first_seen=seen.at)
        return replace(first, last_seen=seen.at, last_run=seen.run_id)
    again = known.last_run != seen.run_id
    evidence = tuple(dict.fromkeys((*known.evidence, lesson.evidence)))
    return replace(
        known,
        status="active" if known.status == "resolved" and again else known.status,
        occurrences=known.occurrences + again,
        evidence=evidence[-MOST_EVIDENCE:],
        last_seen=seen.at,
        last_run=seen.run_id,
    )


def _lacks(result: LayerResult) -> Iterable[Lesson]:
    environment = [item.message for item in result.diagnostics if item.kind is DiagnosticKind.ENVIRONMENT]
    for words in dict.fromkeys((*result.missing, *environment)):
        yield _lesson(ToolErrorKind.ENVIRONMENT, words.partition(";")[0], words)


def _lesson(kind: ToolErrorKind, subject: str, line: str) -> Lesson:
    return Lesson(pattern=f"{kind}: {generalised(subject)}", evidence=_clipped(line))


def _target(approach: Approach) -> tuple[str, str, str]:
    return approach.branch, approach.layer, approach.start_commit


def _clipped(text: str) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in text[: 4 * TEXT_LIMIT]).split())[
        :TEXT_LIMIT
    ]
