"""Model values to JSON and back, checked against their types."""

import json
from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from fixloop_bot.core.redact import redact_json
from fixloop_bot.model.state import LoopState

Value = TypeVar("Value")

STATE_SCHEMA = "fixloop.state/1"

_ADAPTERS: dict[Any, TypeAdapter[Any]] = {}


class CodecError(ValueError):
    """Text that is not the JSON of the wanted type; the message says where."""


def to_json_value(value: object) -> Any:  # noqa: ANN401
    """Return a model value as dicts, lists, strings and numbers. Infinity becomes the string `Infinity`."""
    plain = adapter(type(value)).dump_python(value, mode="python")
    return _portable(plain)


def encode(value: Any, *, redact: Callable[[str], str] = str) -> str:  # noqa: ANN401
    """Return the JSON text of a JSON value, strings redacted; ASCII alone, keys in their given order."""
    return json.dumps(redact_json(value, redact), indent=1, allow_nan=False) + "\n"


def decode(text: str | bytes, kind: type[Value]) -> Value:
    """Return the value; raises `CodecError` for anything that is not one of `kind`."""
    try:
        value: Value = adapter(kind).validate_python(parse(text))
    except (ValidationError, ValueError, RecursionError) as error:
        raise CodecError(f"not a {kind.__name__}: {error}") from error
    return value


def parse(text: str | bytes) -> Any:  # noqa: ANN401
    """Return the JSON value; raises `CodecError` for what RFC 8259 does not allow (NaN too)."""
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise CodecError(f"not JSON: {error}") from error


def adapter(kind: Any) -> TypeAdapter[Any]:  # noqa: ANN401
    """Return what checks and writes values of the type; it is made once, which takes far longer than to use it."""
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


def dump_state(state: LoopState, *, redact: Callable[[str], str] = str) -> str:
    """Return `state.json`."""
    return encode(to_json_value(state), redact=redact)


def load_state(text: str | bytes) -> LoopState:
    """Return the state; raises `CodecError` for another schema version or a broken file."""
    value = parse(text)
    schema = value.get("schema") if isinstance(value, dict) else None
    if schema != STATE_SCHEMA:
        raise CodecError(f"a state of schema {schema!r}; this version of fixloop reads {STATE_SCHEMA!r}")
    return decode(text, LoopState)


def state_schema() -> dict[str, Any]:
    """Return the JSON Schema of `state.json`, as published in docs/state.schema.json."""
    schema = adapter(LoopState).json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **_widened(schema)}


def _widened(schema: Any) -> Any:  # noqa: ANN401
    """Let a number also be the string that stands for infinity, which JSON has no number for."""
    match schema:
        case {"type": "number", **rest}:
            return {"anyOf": [{"type": "number"}, {"enum": ["Infinity", "-Infinity"]}], **rest}
        case dict():
            return {key: _widened(item) for key, item in schema.items()}
        case list():
            return [_widened(item) for item in schema]
        case _:
            return schema


def _portable(value: Any) -> Any:  # noqa: ANN401
    """Return only what JSON has; a file name that is no UTF-8 keeps its surrogates, which JSON escapes."""
    match value:
        case str():
            return str(value)
        case dict():
            return {_portable(key): _portable(item) for key, item in value.items()}
        case list() | tuple():
            return [_portable(item) for item in value]
        case float() if value in (float("inf"), float("-inf")):
            return "Infinity" if value > 0 else "-Infinity"
        case _:
            return value


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")
