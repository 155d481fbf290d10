"""One try of one streamed Messages API call, every way it can go as a value.

Imports the SDK, which takes one to three seconds: only `AnthropicModel` imports this module, when it needs it.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from email.utils import parsedate_to_datetime
from typing import Any

import anthropic
import httpx2
from anthropic.lib.streaming import MessageStream
from anthropic.types import Message, ToolUseBlock

from fixloop_bot.adapters.anthropic_client import open_client, stream_errors
from fixloop_bot.adapters.anthropic_settings import AnthropicSettings
from fixloop_bot.adapters.anthropic_tries import Again, Answered, Refused, TooLong, Try
from fixloop_bot.model.agent import AssistantTurn, ToolCall, Usage

CONNECT_S = 10.0
IDLE_S = 60.0
"""Seconds without a byte after which a stream counts as dead."""
DETAIL_LIMIT = 20_000

_RETRIED = (408, 409, 429)
_TOO_LONG = ("prompt is too long", "exceed context limit", "maximum context", "request_too_large", "input is too long")
_GARBAGE = (ValueError, TypeError, LookupError, AttributeError, RuntimeError, AssertionError)
"""What the SDK raises where a body is not what the API's description promises."""
_FAILURES = (anthropic.AnthropicError, httpx2.HTTPError, httpx2.StreamError, OSError, *_GARBAGE)


class _OutOfTimeError(Exception):
    """The call's deadline has passed while bytes still came in."""


class _Until(httpx2.SyncByteStream):
    """A response's bytes until a deadline: keep-alive pings would hold a dead stream open for ever."""

    def __init__(self, stream: httpx2.SyncByteStream, out_of_time: Callable[[], bool]) -> None:
        self._stream = stream
        self._out_of_time = out_of_time

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._stream:
            if self._out_of_time():
                raise _OutOfTimeError
            yield chunk

    def close(self) -> None:
        self._stream.close()


class Caller:
    """A connection to the provider for one call and its retries; `left_s` gives the seconds until its deadline.

    Raises SignInError where the provider's cloud has no credentials to give.
    """

    def __init__(self, settings: AnthropicSettings, left_s: Callable[[], float]) -> None:
        self._left_s = left_s
        self._failures: tuple[type[Exception], ...] = (*_FAILURES, *stream_errors(settings.provider))
        self._http = anthropic.DefaultHttpxClient(event_hooks={"response": [self._bound]})
        with ExitStack() as opening:
            opening.callback(self._http.close)
            self._client = open_client(settings, self._http)
            opening.pop_all()

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def send(self, payload: Mapping[str, Any]) -> Try:
        """Send the request once and read its stream to the end."""
        left = max(self._left_s(), 0.001)
        timeout = httpx2.Timeout(min(IDLE_S, left), connect=min(CONNECT_S, left))
        wasted, produced = None, 0
        try:
            with self._client.messages.stream(**payload, timeout=timeout) as stream:
                try:
                    for event in stream:
                        produced += _size(event)
                    return _answer(stream.current_message_snapshot)
                finally:
                    wasted = _wasted(stream, produced)
        except anthropic.APIStatusError as error:
            return _status(error, wasted)
        except self._failures as error:
            return _failure(error, wasted)
        except _OutOfTimeError:
            return Again("the reply did not end in time", wasted=wasted)

    def _bound(self, response: httpx2.Response) -> None:
        if isinstance(response.stream, httpx2.SyncByteStream):
            response.stream = _Until(response.stream, lambda: self._left_s() <= 0)


def _answer(message: Message) -> Answered:
    """Return what the model said. Raises ValueError for a reply that is not whole."""
    if message.stop_reason is None:
        raise ValueError("the stream ended before the reply did")
    text = "".join(block.text for block in message.content if block.type == "text")
    calls = tuple(_call(block) for block in message.content if block.type == "tool_use")
    return Answered(AssistantTurn(text, calls), _usage(message, 0), str(message.model), str(message.stop_reason))


def _call(block: ToolUseBlock) -> ToolCall:
    arguments: object = block.input
    return ToolCall(str(block.id), str(block.name), arguments if isinstance(arguments, dict) else {})


def _usage(message: Message, produced: int) -> Usage:
    """Return the tokens of a reply, at least what `produced` bytes of it can have cost."""
    said = message.usage
    cached = (said.cache_read_input_tokens or 0, said.cache_creation_input_tokens or 0)
    counts: tuple[object, ...] = (said.input_tokens, said.output_tokens, *cached)
    if not all(isinstance(count, int) and count >= 0 for count in counts):
        raise ValueError("the usage is not in numbers")
    return Usage(said.input_tokens, max(said.output_tokens, produced), *cached)


def _wasted(stream: MessageStream[None], produced: int) -> Usage | None:
    """Return what a reply that broke off has cost: a token for each byte of it, since the true number never came."""
    try:
        return _usage(stream.current_message_snapshot, produced)
    except _GARBAGE:
        return None


def _size(event: object) -> int:
    delta = getattr(event, "delta", None) if getattr(event, "type", "") == "content_block_delta" else None
    text = getattr(delta, "text", None) or getattr(delta, "partial_json", None) or ""
    return len(str(text).encode("utf-8", "replace"))


def _status(error: anthropic.APIStatusError, wasted: Usage | None) -> Try:
    detail = _brief(f"{error.status_code} {error.type or ''}: {error.api_message or 'no reason given'}")
    if error.status_code == 413 or (error.status_code == 400 and any(word in detail.lower() for word in _TOO_LONG)):
        return TooLong(detail)
    # An error inside a stream comes with the stream's own status, 200.
    if error.status_code in _RETRIED or error.status_code >= 500 or error.status_code < 300:
        return Again(detail, _retry_after(error.response.headers), wasted)
    return Refused(detail, error.status_code)


def _failure(error: Exception, wasted: Usage | None) -> Try:
    """Return what a failure without an HTTP status means; an address that is none never gets better."""
    cause = error.__cause__ or error
    detail = _brief(f"{type(cause).__name__}: {cause}")
    unusable = isinstance(cause, httpx2.UnsupportedProtocol | httpx2.InvalidURL)
    return Refused(detail, 404) if unusable else Again(detail, wasted=wasted)


def _retry_after(headers: httpx2.Headers) -> float | None:
    """Return the seconds that the provider asks to wait (RFC 9110, 10.2.3: a number or a date)."""
    said = headers.get("retry-after", "")
    if said.isascii() and said.replace(".", "", 1).isdigit() and len(said) < 12:
        return float(said)
    try:
        until, now = parsedate_to_datetime(said), parsedate_to_datetime(headers.get("date", ""))
    except (TypeError, ValueError):
        return None
    return max(0.0, until.timestamp() - now.timestamp())


def _brief(text: str) -> str:
    """Return one line, long enough that what shows it can take the secrets out before it cuts."""
    return " ".join(text[:DETAIL_LIMIT].split())
