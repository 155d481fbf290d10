"""The system's clock."""

import time
from datetime import UTC, datetime


class SystemClock:
    """The time, from the operating system."""

    def now(self) -> float:
        """Return seconds since the epoch."""
        return time.time()

    def monotonic(self) -> float:
        """Return seconds that never go back."""
        return time.monotonic()

    def iso(self) -> str:
        """Return now as ISO 8601 in UTC, to the second."""
        return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
