"""A reply as long as the money left allows."""

from collections.abc import Callable
from dataclasses import replace

from fixloop_bot.model.agent import ModelRequest

SHORTEST_REPLY = 2_000
"""Tokens; a reply may be cut to so many where the money left does not allow a longer one."""

Quote = Callable[[ModelRequest], float | None]


def affordable(request: ModelRequest, quote_of: Quote, left_usd: float) -> ModelRequest:
    """Return the request with its reply's length halved as often as the money left demands, and it can bear."""
    while (quote := quote_of(request)) is not None and quote > left_usd:
        if request.max_tokens // 2 < SHORTEST_REPLY:
            break
        request = replace(request, max_tokens=request.max_tokens // 2)
    return request
