"""`learnings.yaml`: merged by one process at a time; a file that cannot be read is kept aside and begun anew."""

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from fixloop_bot.adapters.codec import adapter, to_json_value
from fixloop_bot.adapters.files import write_durably
from fixloop_bot.adapters.yaml_lines import MAX_BYTES, YamlProblem, parse_yaml
from fixloop_bot.model.learning import LEARNINGS_SCHEMA, Learnings

_HEAD = "# What fixloop has learned; it never changes a verdict. A person may set `status` to resolved or ignored.\n"


def update_learnings(path: Path, change: Callable[[Learnings], Learnings]) -> None:
    """Replace what is learned by what `change` makes of it. Raises OSError when the disk refuses."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _alone(path):
        known = _read(path)
        learned = change(known)
        if learned != known:
            write_durably(path, _within(learned).encode())


def learnings_schema() -> dict[str, Any]:
    """Return the JSON Schema of `learnings.yaml`, as published in docs/learnings.schema.json."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **adapter(Learnings).json_schema()}


def _read(path: Path) -> Learnings:
    """Return what the file holds; one that holds anything else is renamed, so that a person can look at it."""
    if not path.is_symlink() and not path.exists():
        return Learnings()
    try:
        if path.is_symlink() or not path.is_file():
            raise ValueError("no plain file")
        with path.open("rb") as file:
            text = file.read(MAX_BYTES + 1).decode("utf-8", "replace")
        learned: Learnings = adapter(Learnings).validate_python(parse_yaml(text).data)
        if learned.schema != LEARNINGS_SCHEMA:
            raise ValueError(f"schema {learned.schema!r}")
    except (YamlProblem, ValidationError, ValueError, RecursionError):
        path.rename(_free_name(path))
        return Learnings()
    return learned


def _free_name(path: Path) -> Path:
    names = (path.with_name(f"{path.name}.broken-{number}") for number in range(1, 10**6))
    return next(name for name in names if not name.exists() and not name.is_symlink())


def _within(learned: Learnings) -> str:
    """Return the text, of at most the size that is read again: the oldest goes first."""
    text = _text(learned)
    while len(text.encode()) > MAX_BYTES:
        enforcements, approaches = learned.enforcements, learned.approaches
        learned = replace(
            learned,
            enforcements=enforcements[(len(enforcements) + 1) // 2 :],
            approaches=approaches[(len(approaches) + 1) // 2 :],
        )
        text = _text(learned)
    return text


def _text(learned: Learnings) -> str:
    return _HEAD + yaml.safe_dump(to_json_value(learned), sort_keys=False, allow_unicode=True, width=120)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    with path.with_name(f"{path.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
