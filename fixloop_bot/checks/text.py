"""Bounded walks over text that comes from the pull request, shared by the parsers."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from fixloop_bot.model.diagnostic import Diagnostic, Level

_COLOUR = re.compile(r"\x1b\[[0-9;]{0,40}m")
MAX_LINE = 4_000
"""Characters of a line that a parser looks at."""
MAX_LINES = 400_000
MAX_MESSAGE_LINES = 40
MAX_MESSAGE = 4_000
MAX_DIAGNOSTICS = 5_000
MAX_NAME = 4_000
"""Characters of a rule's or a test's name; in a report nothing else bounds them."""
MAX_JSON = 16_000_000
_MAX_REFUSED = 64_000_000
"""Characters read of what turns out to be no JSON."""
_MAX_REFUSALS = 500
"""Beginnings that turn out to be none: telling where one ends costs a walk from the start of the text."""
_MAX_DOCUMENTS = 200
_STARTS_JSON = re.compile(r"^[{\[](?=\s*[{\[\]}\"])", re.MULTILINE)


def lines(text: str) -> list[str]:
    """Return the lines, each cut to `MAX_LINE`, split at line feeds alone, at most `MAX_LINES` of them."""
    return [line[:MAX_LINE] for line in text.split("\n", MAX_LINES)[:MAX_LINES]]


def message(parts: Sequence[str]) -> str:
    """Return a message of bounded size from its lines."""
    return "\n".join(part.rstrip() for part in parts[:MAX_MESSAGE_LINES]).strip("\n")[:MAX_MESSAGE].strip()


def uncoloured(text: str) -> str:
    """Return the text without the colours that some tools write even into their reports."""
    return _COLOUR.sub("", text)


def number(digits: str | None) -> int | None:
    """Return a positive line or column number, None for anything else."""
    return int(digits) if digits and digits.isascii() and digits.isdigit() and 0 < len(digits) < 9 else None


def level(word: str) -> Level:
    """Return the level that a tool's word for severity means; what is no known word is an error."""
    known = {"warning": Level.WARNING, "warn": Level.WARNING, "note": Level.NOTE, "information": Level.NOTE}
    return known.get(word.lower(), Level.NOTE if word.lower() in {"info", "hint", "help"} else Level.ERROR)


def distinct(diagnostics: Iterator[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics without repetitions, in order, at most `MAX_DIAGNOSTICS`, their names of bounded size."""
    seen: dict[Diagnostic, None] = {}
    for diagnostic in diagnostics:
        seen[_bounded(diagnostic)] = None
        if len(seen) >= MAX_DIAGNOSTICS:
            break
    return tuple(seen)


def _bounded(item: Diagnostic) -> Diagnostic:
    if max(len(item.rule_id or ""), len(item.test_id or "")) <= MAX_NAME:
        return item
    return replace(item, rule_id=item.rule_id and _short(item.rule_id), test_id=item.test_id and _short(item.test_id))


def _short(name: str) -> str:
    """Return a name that is still another for another name."""
    if len(name) <= MAX_NAME:
        return name
    return f"{name[:MAX_NAME]}\u2026{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def load_json(text: str | None) -> object:
    """Return the JSON value, None for whatever is not JSON or too large or too deeply nested."""
    if not text or len(text) > MAX_JSON or text.lstrip()[:1] not in {"{", "["}:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def json_documents(text: str) -> Iterator[object]:
    """Yield the JSON value that a text is, else each object or array that begins a line amid others, at most 200."""
    whole = load_json(text)
    if whole is not None:
        yield whole
        return
    decoder, shown = json.JSONDecoder(), text[:MAX_JSON]
    left, refused, found, end = _MAX_REFUSED, 0, 0, 0
    for start in _STARTS_JSON.finditer(shown):
        if start.start() < end:
            continue
        try:
            value, end = decoder.raw_decode(shown, start.start())
        except json.JSONDecodeError as error:
            left -= error.pos - start.start()
            refused += 1
        except RecursionError:
            left = 0
        else:
            yield value
            found += 1
        if left <= 0 or refused >= _MAX_REFUSALS or found >= _MAX_DOCUMENTS:
            return


def objects(value: object, key: str | None = None) -> Iterator[Mapping[str, object]]:
    """Yield the objects in a JSON array, or in the array under `key` of a JSON object; nothing for other shapes."""
    array = value.get(key) if key is not None and isinstance(value, dict) else value
    if isinstance(array, list):
        yield from (item for item in array if isinstance(item, dict))


def string(value: Mapping[str, object], key: str) -> str:
    """Return the string under a key, empty if there is none."""
    found = value.get(key)
    return found if isinstance(found, str) else ""


def integer(value: Mapping[str, object], key: str) -> int | None:
    """Return the whole number under a key, None if there is none."""
    found = value.get(key)
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def child(value: Mapping[str, object], key: str) -> Mapping[str, object]:
    """Return the object under a key, an empty one if there is none."""
    found = value.get(key)
    return found if isinstance(found, dict) else {}
