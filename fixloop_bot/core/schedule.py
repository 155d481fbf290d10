"""When the service's sweeps are due: a cron line, held against the clock."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from cronsim import CronSim, CronSimError

MAX_CRON: Final = 100
"""Characters."""
_FIELDS: Final = 5
_MINUTE_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class Due:
    """A sweep is to start now, in the name of this time."""

    at: float


@dataclass(frozen=True, slots=True)
class NotDue:
    """Nothing is to start; what passed up to this time is done with."""

    seen: float


def cron_problem(cron: str) -> str:
    """Return why a cron line cannot be used, empty where it can."""
    if len(cron) > MAX_CRON or len(cron.split()) != _FIELDS:
        return "a cron line has five fields: minute, hour, day of the month, month, day of the week"
    try:
        next(CronSim(cron, datetime(2000, 1, 1, tzinfo=UTC)))
    except (CronSimError, StopIteration) as error:
        return f"not a cron line: {str(error) or 'it never comes'}"
    return ""


def latest_due(cron: str, now: float) -> float:
    """Return the latest time up to `now` at which the line says to start, in seconds since the epoch; hours are UTC's.

    The line must be one without a problem.
    """
    after = datetime.fromtimestamp(now - now % _MINUTE_S + _MINUTE_S, UTC)
    return next(CronSim(cron, after, reverse=True)).timestamp()


def turn(cron: str, seen: float | None, now: float, *, busy: bool) -> Due | NotDue:
    """Return whether a sweep starts; `seen` is the time up to which all is done with, None where nobody looked before.

    Of the times that passed while nobody looked, or while a sweep was at work (`busy`), only the latest is made up for.
    A line that is new starts nothing for the time before it.
    """
    if seen is None:
        return NotDue(now)
    due = latest_due(cron, now)
    if due <= seen or busy:
        return NotDue(seen)
    return Due(due)
