"""HTTP connections that must get to the point: a silent or slow one is closed, else it holds a place of another."""

import asyncio
from typing import Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HURRY_S: Final = 10.0
"""From the first byte, or the connection's start, to the end of a request. GitHub waits no longer for an answer."""


class HurriedProtocol(H11Protocol):
    """uvicorn's own protocol, which waits for ever for a request that has begun."""

    hurry_s = HURRY_S

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a first request."""
        super().connection_made(transport)
        self._hurry: asyncio.TimerHandle | None = None
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Wait for the rest of a request."""
        super().data_received(data)
        if self._hurry is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        if self._hurry is not None:
            self._hurry.cancel()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._hurry = self.loop.call_later(self.hurry_s, self._look)

    def _look(self) -> None:
        self._hurry = None
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self.transport.close()
