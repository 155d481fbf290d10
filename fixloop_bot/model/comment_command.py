"""What people ask for in comments: a closed union of commands, and what was wrong with one."""

from dataclasses import dataclass, field
from typing import Literal

from fixloop_bot.model.layer import Layer


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """A run's own settings; None: as configured."""

    max_retries: int | None = None
    skip_compile: bool = False
    max_cost_usd: float | None = None
    """US dollars; the repository's own budgets still bind."""


@dataclass(frozen=True, slots=True)
class RunCommand:
    """`/fixloop [run] [options]`: run now."""

    options: RunOptions = field(default_factory=RunOptions)


@dataclass(frozen=True, slots=True)
class StatusCommand:
    """`/fixloop status`: say where the run stands."""


@dataclass(frozen=True, slots=True)
class StopCommand:
    """`/fixloop stop`: end the run."""


@dataclass(frozen=True, slots=True)
class DecideCommand:
    """`/fixloop decide A|B [text]`: answer the run's question."""

    option: Literal["A", "B"]
    text: str = ""
    """The person's own words, one line, bounded."""


@dataclass(frozen=True, slots=True)
class ApproveCommand:
    """`/fixloop approve`: apply exactly the diff that was shown."""


@dataclass(frozen=True, slots=True)
class DenyCommand:
    """`/fixloop deny`: do not apply it."""


@dataclass(frozen=True, slots=True)
class RevertCommand:
    """`/fixloop revert LAYER|SHA`: take one of fixloop's commits back."""

    target: Layer | str
    """A layer, or 7 to 64 lower-case hexadecimal digits."""


@dataclass(frozen=True, slots=True)
class HelpCommand:
    """`/fixloop help`: list the commands."""


CommentCommand = (
    RunCommand
    | StatusCommand
    | StopCommand
    | DecideCommand
    | ApproveCommand
    | DenyCommand
    | RevertCommand
    | HelpCommand
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandError:
    """A line that was meant as a command and is none; the fields make one helpful reply.

    `line` and `word` are foreign text in printable ASCII, bounded; they still need quoting in Markdown.
    """

    line: str
    problem: str
    """What is wrong, a clause without the foreign text: `unknown option`."""
    word: str = ""
    """The word at fault, empty where one is missing."""
    suggestion: str = ""
    """The closest thing that would have worked, empty where nothing is close."""
    usage: str
    """How the command is written."""
