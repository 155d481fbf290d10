"""The hourly allowance of requests."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(slots=True, kw_only=True)
class Rate:
    """How many requests are left, and what a client is told when none is."""

    reset_at: datetime
    limit: int = 5000
    used: int = 0
    status: int = 403
    """403 or 429: GitHub uses both."""

    @property
    def remaining(self) -> int:
        """Return how many requests are left."""
        return max(self.limit - self.used, 0)

    def exhaust(self, *, reset_at: datetime, status: int = 403) -> None:
        """Use up what is left until `reset_at`."""
        self.used, self.reset_at, self.status = self.limit, reset_at, status

    def to_headers(self) -> dict[str, str]:
        """Return the headers that every answer carries."""
        numbers = {"limit": self.limit, "remaining": self.remaining, "used": min(self.used, self.limit)}
        headers = {f"X-RateLimit-{name.title()}": str(value) for name, value in numbers.items()}
        return {**headers, "X-RateLimit-Reset": str(int(self.reset_at.timestamp())), "X-RateLimit-Resource": "core"}
