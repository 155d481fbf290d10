"""Who is signed in: kept in the service's memory, named by cookies that nobody can guess."""

import secrets
from dataclasses import dataclass, field
from threading import Lock
from typing import Final, Generic, TypeVar

from fixloop_bot.adapters.clock import SystemClock

LIFETIME_S: Final = 8 * 3600.0
"""After so long a person signs in again, and GitHub is asked again whether they belong here."""
_MOST: Final = 2_000
"""Entries of a store; the oldest goes first. Only who may read comes to have one."""
PERSON_COOKIE: Final = "fixloop-person"
WAY_COOKIE: Final = "fixloop-sign-in"

T = TypeVar("T")


class Store(Generic[T]):
    """Values by a secret name, for so many seconds; any thread may use it."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._clock, self._lock = seconds, SystemClock(), Lock()
        self._kept: dict[str, tuple[float, T]] = {}

    def keep(self, value: T) -> str:
        """Return the new name of a value."""
        name, until = secrets.token_urlsafe(24), self._clock.monotonic() + self._seconds
        with self._lock:
            while len(self._kept) >= _MOST:
                del self._kept[next(iter(self._kept))]
            self._kept[name] = (until, value)
        return name

    def get(self, name: str) -> T | None:
        """Return the value of this name, None for one that is not known or too old."""
        with self._lock:
            until, value = self._kept.get(name, (0.0, None))
            return value if until > self._clock.monotonic() else None

    def take(self, name: str) -> T | None:
        """Return the value and forget it."""
        value = self.get(name)
        with self._lock:
            self._kept.pop(name, None)
        return value


@dataclass(frozen=True, slots=True)
class Sessions:
    """The people who are signed in, by login."""

    secure: bool = False
    """Browsers come by HTTPS."""
    people: Store[str] = field(default_factory=lambda: Store(LIFETIME_S))

    @property
    def cookie(self) -> str:
        """Return the name of the cookie that names a person."""
        return cookie_name(PERSON_COOKIE, secure=self.secure)

    def login(self, name: str) -> str:
        """Return who a cookie stands for; empty for nobody."""
        return self.people.get(name) or ""


def cookie_name(name: str, *, secure: bool) -> str:
    """Return a cookie's name; with `__Host-` no other host of the domain can have set it (RFC 6265bis, 4.1.3.2)."""
    return f"__Host-{name}" if secure else name
