"""The service's log: one JSON object a line on standard error."""

import json
import sys
from collections.abc import Callable, Mapping
from typing import TextIO

from fixloop_bot.adapters.clock import SystemClock


class ServiceLog:
    """Writes lines whose texts are free of known secrets."""

    def __init__(self, redact: Callable[[str], str], stream: TextIO | None = None) -> None:
        """Write to standard error, or elsewhere."""
        self.redact = redact
        self._stream = stream
        self._clock = SystemClock()
        self.heard: Callable[[str, Mapping[str, str | float]], None] = lambda _event, _fields: None
        """Hears each line, too, before secrets are masked in it."""

    def note(self, event: str, **fields: str | float) -> None:
        """Write one line."""
        said = {name: self.redact(value)[:2000] if isinstance(value, str) else value for name, value in fields.items()}
        line = json.dumps({"at": self._clock.iso(), "event": event, **said}) + "\n"
        stream = self._stream or sys.stderr
        stream.write(line)
        stream.flush()
        self.heard(event, fields)
