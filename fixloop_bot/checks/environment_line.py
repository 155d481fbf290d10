"""The shape of a line by which a tool tells what its environment lacks."""

from dataclasses import dataclass

from fixloop_bot.model.environment import Weight

SETUP = "install it, or declare a `setup` command that does"


@dataclass(frozen=True, slots=True)
class EnvironmentLine:
    """One such line."""

    pattern: str
    """In RE2's syntax, matched from the line's beginning."""
    words: str
    """What is missing, for a person; `{0}` is the pattern's first group."""
    weight: Weight = Weight.ALONE
    told: tuple[str, ...] = ()
    """For `Weight.EXPLAINING`: parts of messages that are told by this."""


def decisive(pattern: str, words: str) -> EnvironmentLine:
    """Return a line that counts beside diagnostics that name a file."""
    return EnvironmentLine(pattern, words, Weight.DECISIVE)


def explaining(pattern: str, words: str, *told: str) -> EnvironmentLine:
    """Return a line that counts where every error is told in one of these words."""
    return EnvironmentLine(pattern, words, Weight.EXPLAINING, told)
