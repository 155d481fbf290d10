"""A change as data, and what the guard finds in it."""

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """What follows from a finding."""

    CRITICAL = "critical"
    """The run ends as FailedSafety."""
    HIGH = "high"
    """The attempt is undone, and counts."""
    MEDIUM = "medium"
    """It is shown to the reviewer."""


class Author(StrEnum):
    """Whose change is judged."""

    AGENT = "agent"
    """One attempt of the fix agent."""
    FIXER = "fixer"
    """The project's own formatters and linters."""
    RUN = "run"
    """All that a run did since the person's head."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something in a change that weakens a check, or may."""

    rule_id: str
    severity: Severity
    path: str
    line: int | None
    """1-based, in the file after the change; None where no line is to be named."""
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FileVersion:
    """A file at one end of a change."""

    mode: str = "100644"
    """git's: `100644`, `100755`, `120000` (a link), `160000` (a submodule)."""
    text: str | None = None
    """None: it could not be read as text, for the reason `unread`."""
    unread: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """One file of a change; a rename is one that goes and one that comes."""

    path: str
    before: FileVersion | None
    """None: the change makes it."""
    after: FileVersion | None
    """None: the change deletes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """All files of a change, and what it was to repair."""

    files: tuple[FileChange, ...]
    author: Author = Author.AGENT
    left_out: int = 0
    """Changed files beyond the bound, of which nothing is known."""
    expectations: tuple[str, ...] = ()
    """Sources and messages of the failing tests: what a special case would be made for."""
    affected: tuple[str, ...] = ()
    """Files that the failure names."""
    error_count: int = 1
