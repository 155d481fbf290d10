"""Money that several runs share: what it is kept apart by, what is spent of it, and what a call is told."""

from dataclasses import dataclass
from enum import StrEnum


class Scope(StrEnum):
    """What a budget is for. All but the first begin anew with each day in UTC."""

    PULL_REQUEST = "pull-request"
    """One pull request over its whole life."""
    AUTHOR = "author"
    """All pull requests that one account has opened, in whichever repository."""
    REPOSITORY = "repository"
    INSTALLATION = "installation"
    """All repositories of one account that has installed the App."""
    DAY = "day"
    """Everything that the service spends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """For whom a model call is made."""

    repository: str
    """`owner/name`."""
    pull_request: int | None = None
    """None: a branch without one."""
    author: str = ""
    """Login of who opened the pull request; empty: not known."""
    installation: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Budgets:
    """The most that may be spent in each scope, in US dollars; None: no bound, 0: nothing."""

    pull_request: float | None = None
    author_day: float | None = None
    repository_day: float | None = None
    installation_day: float | None = None
    day: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Purse:
    """One thing that money is counted for."""

    scope: Scope
    key: str
    """`owner/name#7`, a login, `owner/name`, an installation's id; empty for the scope of all."""
    day: str = ""
    """`2026-11-30`, a day in UTC; empty for what lasts longer."""
    limit_usd: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """What is spent of one purse. Calls under way, and those whose end nobody knows, count as what they reserved."""

    scope: Scope
    key: str
    day: str = ""
    spent_usd: float = 0.0
    limit_usd: float | None = None
    refused_usd: float | None = None
    """The smallest call that was refused for want of this money; None: none was."""

    @property
    def left_usd(self) -> float:
        """Return what may still be reserved; infinite without a limit."""
        return float("inf") if self.limit_usd is None else max(self.limit_usd - self.spent_usd, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reservation:
    """Money set aside for one call."""

    call: str
    usd: float
    """The most that the call, with its retries, may cost."""
    purses: tuple[Purse, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A call that is not to be made."""

    spending: Spending
    """The budget that does not allow it."""
    needed_usd: float | None
    """The least that the call could cost; None: no price is known, or no call was asked for."""
    priced: bool = True
    """False: it is refused because no price is known."""


@dataclass(frozen=True, slots=True)
class Lost:
    """The job is another process's by now: this one must make no call any more."""
