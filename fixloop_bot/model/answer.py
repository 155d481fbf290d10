"""What a person answered, and what follows from it for protected files."""

from dataclasses import dataclass
from enum import StrEnum

from fixloop_bot.model.outcome import Question


class Choice(StrEnum):
    """The answer to a question."""

    A = "A"
    B = "B"
    APPROVE = "approve"
    DENY = "deny"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer; `text` is the person's remark, data for the agent."""

    choice: Choice
    text: str = ""
    by: str = ""
    """Login or account name."""
    at: str = ""
    """ISO 8601, UTC."""


@dataclass(frozen=True, slots=True)
class Decided:
    """A question with its answer."""

    question: Question
    answer: Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovedFile:
    """A file as a person, or the base branch's rule, allowed it: in any other state it is not allowed."""

    path: str
    sha256: str
    """Of the content as UTF-8; empty: the file is to be gone."""
    by: str
