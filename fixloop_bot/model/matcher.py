"""A problem matcher: how a repository says what its own tools' lines mean, with the names of GitHub's JSON."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class MatcherPattern:
    """One line's pattern; the numbers are groups of `regexp`, None for what the line does not tell."""

    regexp: str
    """In RE2's syntax."""
    file: int | None = None
    from_path: int | None = None
    """A file in whose folder `file` lies."""
    line: int | None = None
    column: int | None = None
    severity: int | None = None
    code: int | None = None
    message: int | None = None
    loop: bool = False
    """The last pattern may match line after line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemMatcher:
    """A problem that is told in as many lines as there are patterns, one after the other."""

    owner: str
    severity: str = ""
    """Where the lines tell none; empty: error."""
    patterns: tuple[MatcherPattern, ...]


@dataclass(frozen=True, slots=True)
class MatcherError:
    """Why a file of problem matchers cannot be used, a clause."""

    message: str
