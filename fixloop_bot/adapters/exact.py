"""Records from JSON, taken exactly: every field named, none unknown, no value made from one of another type."""

import re
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Any, TypeVar, get_type_hints

from pydantic import TypeAdapter, ValidationError

Value = TypeVar("Value")

_UTC = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?(Z|\+00:00)")

_known: dict[type[Any], dict[str, tuple[Any, TypeAdapter[Any]]]] = {}


def exactly(kind: type[Value], value: dict[str, Any]) -> Value:
    """Return the dataclass that a JSON object holds; raises ValueError that names the field which is not as it must be.

    A list is taken as a tuple, a text as the member of an enum that it names; else no number comes from a boolean or a
    text, and no text from a number.
    """
    _check_names(kind, set(value))
    return kind(**{name: _field(kind, name, item) for name, item in value.items()})


def check_utc(name: str, text: str) -> None:
    """Raise ValueError unless the text is a time in UTC (ISO 8601, RFC 3339) that there is."""
    try:
        if _UTC.fullmatch(text):
            datetime.fromisoformat(text)
            return
    except ValueError:
        pass
    raise ValueError(f"{name} is not ISO 8601 in UTC: {text[:100]!r}")


def _field(kind: type[Any], name: str, item: Any) -> Any:  # noqa: ANN401
    hint, adapter = _adapters(kind)[name]
    try:
        return adapter.validate_python(_given(hint, item), strict=True)
    except ValidationError as error:
        raise ValueError(f"{name}: {error.errors(include_url=False)[0]['msg']}") from error
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error


def _given(hint: Any, item: Any) -> Any:  # noqa: ANN401
    if isinstance(item, list):
        return tuple(item)
    if isinstance(hint, type) and isinstance(item, dict) and is_dataclass(hint):
        return exactly(hint, item)
    if isinstance(hint, type) and isinstance(item, str) and issubclass(hint, Enum):
        return hint(item)
    return item


def _adapters(kind: type[Any]) -> dict[str, tuple[Any, TypeAdapter[Any]]]:
    """Return each field's type and what checks it, made once: making one takes longer than reading a record."""
    if kind not in _known:
        _known[kind] = {name: (hint, TypeAdapter(hint)) for name, hint in get_type_hints(kind).items()}
    return _known[kind]


def _check_names(kind: type[Any], names: set[str]) -> None:
    items = fields(kind)
    if missing := sorted({item.name for item in items if _required(item)} - names):
        raise ValueError(f"missing: {', '.join(missing)}")
    if unknown := sorted(names - {item.name for item in items}):
        raise ValueError(f"unknown: {', '.join(unknown)[:200]}")


def _required(item: Any) -> bool:  # noqa: ANN401
    return item.default is MISSING and item.default_factory is MISSING
