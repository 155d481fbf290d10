"""The service's log: one JSON object a line on standard error."""

import json
import sys
from collections.abc import Callable

from fixloop_bot.adapters.clock import SystemClock


class ServiceLog:
    """Writes lines whose texts are free of known secrets."""

    def __init__(self, redact: Callable[[str], str]) -> None:
        self._redact = redact
        self._clock = SystemClock()

    def note(self, event: str, **fields: str | int) -> None:
        """Write one line."""
        said = {name: self._redact(value)[:2000] if isinstance(value, str) else value for name, value in fields.items()}
        sys.stderr.write(json.dumps({"at": self._clock.iso(), "event": event, **said}) + "\n")
        sys.stderr.flush()
