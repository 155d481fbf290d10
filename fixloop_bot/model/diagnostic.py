"""What a tool says is wrong, in SARIF's terms."""

from dataclasses import dataclass
from enum import StrEnum


class DiagnosticKind(StrEnum):
    """What sort of fault a diagnostic speaks of."""

    SYNTAX_ERROR = "syntax-error"
    TYPE_ERROR = "type-error"
    LINT_ERROR = "lint-error"
    BUILD_ERROR = "build-error"
    TEST_FAILURE = "test-failure"
    ENVIRONMENT = "environment"


class Level(StrEnum):
    """SARIF's levels; only errors count towards `error_count`."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One finding of one tool."""

    path: str | None = None
    """POSIX path relative to the worktree; None where the tool names no file."""
    line: int | None = None
    """1-based."""
    column: int | None = None
    """1-based."""
    level: Level = Level.ERROR
    rule_id: str | None = None
    message: str = ""
    kind: DiagnosticKind
    test_id: str | None = None
    """The test's name as its runner prints it."""
