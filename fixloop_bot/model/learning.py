"""What runs leave behind to be learned from; nothing of it ever changes a verdict."""

from dataclasses import dataclass, field
from enum import StrEnum

LEARNINGS_SCHEMA = "fixloop.learnings/1"


class ToolErrorKind(StrEnum):
    """How the use of a tool went wrong."""

    UNKNOWN_OPTION = "unknown option"
    MISSING_SCRIPT = "missing script"
    COMMAND_NOT_FOUND = "command not found"
    NO_SUCH_FILE = "no such file"
    PERMISSION_DENIED = "permission denied"
    MODULE_NOT_FOUND = "cannot find module"
    ENVIRONMENT = "environment"
    """What the classification of the failure says is missing, where no line tells more."""


@dataclass(frozen=True, slots=True)
class ToolError:
    """A tool error as an output tells it: its kind, what it is about, and the line."""

    kind: ToolErrorKind
    subject: str
    line: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A tool error, made general."""

    pattern: str
    evidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Approach:
    """What did not help on a target when its approach had to change."""

    branch: str
    layer: str
    start_commit: str
    """The person's head."""
    failure_mode: str
    failing: tuple[str, ...] = ()
    hypotheses: tuple[str, ...] = ()
    """Each with what it led to."""


@dataclass(frozen=True, slots=True)
class Seen:
    """By which run, and when (ISO 8601, UTC)."""

    run_id: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Enforcement:
    """A lesson over all runs."""

    pattern: str
    type: str = "infrastructure"
    status: str = "active"
    """`active`; a person may write `resolved`, which another occurrence undoes, or `ignored`, which stays."""
    occurrences: int = 1
    """Runs that met it."""
    evidence: tuple[str, ...] = ()
    first_seen: str = ""
    last_seen: str = ""
    last_run: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedApproach:
    """An approach that failed, and when that was written down."""

    approach: Approach
    run_id: str
    learned_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Learnings:
    """`learnings.yaml`."""

    schema: str = LEARNINGS_SCHEMA
    enforcements: tuple[Enforcement, ...] = field(default=())
    approaches: tuple[LearnedApproach, ...] = field(default=())
