"""Literal values in code, and those that a failing test expects."""

import re
from collections.abc import Iterable

LITERAL = (
    r"(?:-?\d[\d_]{0,40}(?:\.\d{1,40})?(?![\w.])"
    r"|\"(?:[^\"\\\n]|\\.){0,200}\"|'(?:[^'\\\n]|\\.){0,200}'|`[^`\\\n$]{0,200}`)"
)
"""A number or a string, as most languages write them."""
_FIND = re.compile(rf"(?<![\w.]){LITERAL}")
_TEXT_LIMIT = 60_000
_PLAIN_NUMBERS = frozenset(("0", "1", "-1", "2", "10", "100"))
"""Numbers that code compares with and returns for its own reasons."""


def literals(text: str) -> frozenset[str]:
    """Return the literals of a text, each in its plain form."""
    return frozenset(plain(match[0]) for match in _FIND.finditer(text[:_TEXT_LIMIT]))


def plain(literal: str) -> str:
    """Return a literal without quotes, marked as a number or a string; numbers in one spelling, quoted or not."""
    number = literal.strip("\"'`").replace("_", "")
    if literal[:1] in "\"'`" and not number.isdecimal():
        return f"s:{literal[1:-1]}"
    if "." in number:
        number = number.rstrip("0").rstrip(".")
    return f"n:{number}"


def expected(texts: Iterable[str]) -> frozenset[str]:
    """Return the literals that stand in the failing tests and their messages."""
    return frozenset(value for text in texts for value in literals(text))


def telling(value: str) -> bool:
    """Return whether a literal in plain form says something: not 0, 1, an empty string, a single sign."""
    kind, _, content = value.partition(":")
    return content not in _PLAIN_NUMBERS if kind == "n" else len(content.strip()) > 1
