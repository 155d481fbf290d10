"""What the fix agent is told about a failure."""

from collections.abc import Mapping
from dataclasses import dataclass

from fixloop_bot.model.layer import Layer

ChangedLines = Mapping[str, frozenset[int]]
"""1-based line numbers by POSIX path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """Consecutive lines of one file."""

    path: str
    start_line: int
    """1-based."""
    text: str
    protected: bool = False
    """The agent may read but not change it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """A hypothesis that did not repair the failure, and what it did."""

    iteration: int
    """0: of an earlier run."""
    hypothesis: str
    repair_action: str
    effect: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FixContext:
    """One attempt as the agent sees it; every text in it but the numbers is data, not instruction."""

    iteration: int
    max_retries: int
    story_id: str
    branch: str
    layer: Layer
    diagnosis: str
    """At most 100 lines of the layer's output, or the person's error context."""
    snippets: tuple[Snippet, ...] = ()
    tried: tuple[Tried, ...] = ()
    replan: bool = False
    escalated: bool = False
    intent: str = ""
    """What the change says it is meant to do; told where a test fails."""
    decision: str = ""
    aim: str = ""
    """The dimension of the rubric that the attempt is to raise; empty: the failure is no rubric's."""
    about: str = ""
    """What that dimension asks for, as the repository says it."""
