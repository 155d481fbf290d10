"""A conversation as the Messages API takes it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fixloop_bot.core.tools import TOOLS
from fixloop_bot.model.agent import AssistantTurn, ModelRequest, Turn, UserTurn

CACHED_FROM_BYTES = 2_500
"""The provider caches from 1,024 tokens on; a shorter text than this cannot have so many in code and logs."""

_CACHE: Mapping[str, Any] = {"cache_control": {"type": "ephemeral"}}


def to_payload(request: ModelRequest, model_id: str, *, redact: Callable[[str], str] = str) -> dict[str, Any]:
    """Return the request's parameters, without streaming and time limits.

    Two cache marks: after tools and system, which never change, and at the end, so that the next call of the
    conversation reads all of this one at a tenth of the price or less. None on a request that is too short for the
    provider to cache. `redact` takes secrets out of every text.
    """
    payload: dict[str, Any] = {
        "model": model_id,
        "max_tokens": request.max_tokens,
        "system": [{"type": "text", "text": redact(_clean(request.system))}],
        "messages": [_message(turn, lambda text: redact(_clean(text))) for turn in request.turns],
    }
    if request.with_tools:
        payload["tools"] = [dict(tool) for tool in TOOLS]
    if _bytes(payload) >= CACHED_FROM_BYTES:
        payload["system"][-1].update(_CACHE)
        payload["messages"][-1]["content"][-1].update(_CACHE)
    return payload


def size(request: ModelRequest) -> int:
    """Return the bytes of UTF-8 that bound the request's input tokens."""
    return _bytes(to_payload(request, ""))


def _message(turn: Turn, written: Callable[[str], str]) -> dict[str, Any]:
    if isinstance(turn, AssistantTurn):
        return {"role": "assistant", "content": _said(turn, written)}
    return {"role": "user", "content": _told(turn, written)}


def _said(turn: AssistantTurn, written: Callable[[str], str]) -> list[dict[str, Any]]:
    blocks = [{"type": "text", "text": written(turn.text)}] if turn.text.strip() else []
    blocks += [
        {"type": "tool_use", "id": call.call_id, "name": call.name, "input": _written(call.arguments, written)}
        for call in turn.tool_calls
    ]
    # The API takes no empty turn.
    return blocks or [{"type": "text", "text": "(nothing)"}]


def _told(turn: UserTurn, written: Callable[[str], str]) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = [
        {"type": "tool_result", "tool_use_id": result.call_id, "content": written(result.content) or "(empty)"}
        | ({"is_error": True} if result.is_error else {})
        for result in turn.results
    ]
    return blocks + ([{"type": "text", "text": written(turn.text)}] if turn.text.strip() else [])


def _written(value: object, written: Callable[[str], str]) -> Any:  # noqa: ANN401 - JSON, whatever the model wrote
    if isinstance(value, str):
        return written(value)
    if isinstance(value, Mapping):
        return {str(key): _written(item, written) for key, item in value.items()}
    return [_written(item, written) for item in value] if isinstance(value, Sequence) else value


def _clean(text: str) -> str:
    """Return the text without lone surrogates, which UTF-8 cannot carry."""
    return text.encode("utf-8", "replace").decode()


def _bytes(value: object) -> int:
    if isinstance(value, Mapping):
        return sum(_bytes(key) + _bytes(item) for key, item in value.items())
    if isinstance(value, list | tuple):
        return sum(map(_bytes, value))
    return len(str(value).encode())
