"""Takes secrets and invisible characters out of a whole value."""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any, TypeVar

from fixloop_bot.core.render.escape import clean, visible

Value = TypeVar("Value")

EXACT = frozenset({"patch", "approval_patch"})
"""Fields in which every byte counts: only secrets are taken out of them."""


def scrub(value: Value, redact: Callable[[str], str]) -> Value:
    """Return the same value with every text in it cleaned, however deep; numbers and enums stay."""
    scrubbed: Value = _scrubbed(value, redact)
    return scrubbed


def _scrubbed(value: Any, redact: Callable[[str], str]) -> Any:  # noqa: ANN401 - walks values of any type
    match value:
        case Enum():
            return value
        case str():
            return clean(value, redact)
        case tuple() | list():
            return type(value)(_scrubbed(item, redact) for item in value)
        case Mapping():
            return {_scrubbed(key, redact): _scrubbed(item, redact) for key, item in value.items()}
        case _ if is_dataclass(value) and not isinstance(value, type):
            return replace(value, **{f.name: _field(f.name, getattr(value, f.name), redact) for f in fields(value)})
        case _:
            return value


def _field(name: str, value: Any, redact: Callable[[str], str]) -> Any:  # noqa: ANN401 - walks values of any type
    return _exact(value, redact) if name in EXACT and isinstance(value, str) else _scrubbed(value, redact)


def _exact(text: str, redact: Callable[[str], str]) -> str:
    """Return the text byte for byte but for secrets; one that only shows once the invisible is gone costs the rest."""
    kept = redact(text)
    shown = visible(kept)
    redacted = redact(shown)
    return kept if redacted == shown else redacted
