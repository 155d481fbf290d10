"""What a check run shows, with the names of GitHub's API."""

from dataclasses import dataclass
from enum import StrEnum


class AnnotationLevel(StrEnum):
    """GitHub's levels of an annotation."""

    NOTICE = "notice"
    WARNING = "warning"
    FAILURE = "failure"


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """A check run's remark on lines of a file, with the names of GitHub's API."""

    path: str
    start_line: int
    end_line: int
    annotation_level: AnnotationLevel
    message: str
    title: str = ""
    raw_details: str = ""
    start_column: int | None = None
    """Only where the remark is about a single line; GitHub refuses it otherwise."""
    end_column: int | None = None


class Conclusion(StrEnum):
    """GitHub's conclusions that fixloop uses."""

    SUCCESS = "success"
    ACTION_REQUIRED = "action_required"
    FAILURE = "failure"
    NEUTRAL = "neutral"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckAction:
    """A button of a check run."""

    label: str
    """At most 20 characters."""
    description: str
    """At most 40 characters."""
    identifier: str
    """At most 20 characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRun:
    """What a check run shows; `conclusion` None: it is in progress."""

    external_id: str
    """The run that it belongs to: what its buttons act on."""
    head_sha: str
    conclusion: Conclusion | None
    title: str
    summary: str
    text: str
    actions: tuple[CheckAction, ...] = ()
    annotations: tuple[tuple[Annotation, ...], ...] = ()
    """Batches of at most 50, one for each request."""
