"""What fixloop's own comment told of attempts, read back where no disk lasts from one run to the next."""

import json
from collections.abc import Iterator
from typing import Any

from fixloop_bot.core.render.details import RECORDS_TITLE
from fixloop_bot.model.layer import Layer
from fixloop_bot.model.target import TriedBefore

MOST = 20
"""Attempts, the latest, that are read."""
_TEXT = 600
"""Characters of a text."""
_OPENS = "json\n"


def tried_in(comment: str) -> tuple[TriedBefore, ...]:
    """Return the unproductive attempts in the comment's folded records, oldest first; nothing for any other text.

    Who wrote the comment is for the caller to check. The texts are a model's words.
    """
    return tuple(_tried(_records(comment)))[-MOST:]


def _records(comment: str) -> list[Any]:
    """Return the JSON list behind the last line with the title: no line of the records themselves begins like it."""
    _, titled, behind = f"\n{comment}".rpartition(f"\n<details><summary>{RECORDS_TITLE}")
    _, opened, rest = behind.partition(_OPENS)
    ticks = behind[: len(behind) - len(opened) - len(rest)].rpartition("\n")[2]
    if not titled or not opened or not ticks or ticks.strip("`~"):
        return []
    try:
        found = json.loads(rest.partition(f"\n{ticks}")[0])
    except (ValueError, RecursionError):
        return []
    return found if isinstance(found, list) else []


def _tried(records: list[Any]) -> Iterator[TriedBefore]:
    for record in records:
        if not isinstance(record, dict) or record.get("productive") is not False:
            continue
        if record.get("layer") not in tuple(Layer):
            continue
        yield TriedBefore(
            iteration_id=_text(record, "iteration_id"),
            layer=Layer(record["layer"]),
            hypothesis=_text(record, "hypothesis"),
            repair_action=_text(record, "repair_action"),
            verdict=_text(record, "verdict"),
            failing_after=_texts(record, "remaining_delta"),
            files=_texts(record, "files"),
            change_id=_text(record, "change_id"),
        )


def _text(record: dict[Any, Any], name: str) -> str:
    value = record.get(name)
    return value[:_TEXT] if isinstance(value, str) else ""


def _texts(record: dict[Any, Any], name: str) -> tuple[str, ...]:
    value = record.get(name)
    return tuple(item[:_TEXT] for item in value[:50] if isinstance(item, str)) if isinstance(value, list) else ()
