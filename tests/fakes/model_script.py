"""Words for scripting a model: the tool calls of a turn, and the ways in which a provider fails."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Literal

from fixloop_bot.model.agent import AssistantTurn, ToolCall

_numbers = count(1)


def call(name: str, **arguments: Any) -> ToolCall:
    """Return one tool call, whatever its name and arguments."""
    return ToolCall(f"toolu_{next(_numbers):04d}", name, arguments)


def edit(path: str, old: str, new: str) -> ToolCall:
    """Return a call that replaces `old` by `new`."""
    return call("edit_file", path=path, old=old, new=new)


def create(path: str, content: str) -> ToolCall:
    """Return a call that writes a new file."""
    return call("create_file", path=path, content=content)


def read(path: str, **lines: int) -> ToolCall:
    """Return a call that reads a file, or its lines `start_line` to `end_line`."""
    return call("read_file", path=path, **lines)


def finish(
    status: str = "done", hypothesis: str = "found it", repair_action: str = "mended it", **more: str
) -> ToolCall:
    """Return the call that ends an attempt; `more` has `question`, `option_a`, `option_b` or `reason`."""
    return call("finish", status=status, hypothesis=hypothesis, repair_action=repair_action, **more)


def turn(*calls: ToolCall, text: str = "") -> AssistantTurn:
    """Return one turn of several calls."""
    return AssistantTurn(text, calls)


def say(text: str) -> AssistantTurn:
    """Return a turn that only talks."""
    return AssistantTurn(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A call that goes wrong."""

    kind: Literal["status", "garbage", "cut", "short", "error-event", "silence", "drip"] = "status"
    """`cut`: the connection dies within the stream; `short`: the stream ends in good order but half way;
    `silence`: accepted, never answered; `drip`: keeps the connection alive with pings and says nothing."""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    error_type: str = "api_error"
    message: str = "something broke"


def too_many_requests(retry_after: str | None = None) -> Fault:
    """Return a 429."""
    headers = {} if retry_after is None else {"retry-after": retry_after}
    return Fault(status=429, headers=headers, error_type="rate_limit_error", message="slow down")


def overloaded() -> Fault:
    """Return a 529."""
    return Fault(status=529, error_type="overloaded_error", message="Overloaded")


def server_error() -> Fault:
    """Return a 500."""
    return Fault(status=500)


def unauthorised() -> Fault:
    """Return a 401."""
    return Fault(status=401, error_type="authentication_error", message="invalid x-api-key")


def prompt_too_long() -> Fault:
    """Return the 400 of a prompt over the model's window."""
    message = "prompt is too long: 208310 tokens > 200000 maximum"
    return Fault(status=400, error_type="invalid_request_error", message=message)


Scripted = AssistantTurn | ToolCall | Sequence[ToolCall] | Fault
"""One reply of a script: a turn, one call, several calls in one turn, or a fault."""


def to_turn(scripted: AssistantTurn | ToolCall | Sequence[ToolCall]) -> AssistantTurn:
    """Return the turn that a script's entry means."""
    if isinstance(scripted, AssistantTurn):
        return scripted
    return AssistantTurn("", (scripted,) if isinstance(scripted, ToolCall) else tuple(scripted))
