"""A workflow file on GitHub, as far as fixloop looks at it."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowFile:
    """What starts it, and what the jobs that use fixloop may do."""

    path: str
    name: str = ""
    """Under which others watch it: its `name`, else its path."""
    events: frozenset[str] = frozenset()
    uses_fixloop: bool = False
    placeholder: bool = False
    """A step still names the placeholder that `fixloop init` wrote."""
    permissions: Mapping[str, str] | None = None
    """`read` or `write` by name, the most of any job that uses fixloop; `*` is every name. None: nothing is said."""


@dataclass(frozen=True, slots=True)
class BadWorkflow:
    """A workflow file that cannot be read; the reason is a clause."""

    path: str
    reason: str
