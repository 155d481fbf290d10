"""`state.json` in part: as much as a list of runs needs, without building the whole state."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from fixloop_bot.adapters.codec import STATE_SCHEMA, CodecError, parse
from fixloop_bot.model.history import Standing
from fixloop_bot.model.state import End, Phase

STATE_LIMIT = 64_000_000
"""Bytes of a `state.json` that are read."""


@dataclass(frozen=True, slots=True)
class _Limits:
    max_retries: int


@dataclass(frozen=True, slots=True)
class _Failure:
    layer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _State:
    run_id: str
    branch: str
    story_id: str
    phase: Phase
    started_at: float
    iteration_count: int
    total_cost_usd: float
    cost_unknown: bool
    error_hash_trail: tuple[str, ...]
    end: End | None
    limits: _Limits
    failure: _Failure | None
    start_commit: str = ""
    head: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stood:
    """What a `state.json` says of its run."""

    run_id: str
    branch: str
    story_id: str
    standing: Standing


_ADAPTER = TypeAdapter(_State)


def read_standing(path: Path, run_id: str) -> Stood:
    """Return where the run stands. Raises OSError, and `CodecError` for a file that is no state of this run."""
    with path.open("rb") as file:
        state = _state_of(parse(file.read(STATE_LIMIT)))
    if state.run_id != run_id:
        raise CodecError(f"it is of the run {state.run_id}")
    return Stood(run_id=run_id, branch=state.branch, story_id=state.story_id, standing=_standing(state))


def _state_of(value: Any) -> _State:  # noqa: ANN401
    schema = value.get("schema") if isinstance(value, dict) else None
    if schema != STATE_SCHEMA:
        raise CodecError(f"a state of schema {schema!r}; this version of fixloop reads {STATE_SCHEMA!r}")
    try:
        return _ADAPTER.validate_python(value)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        raise CodecError(f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}") from error


def _standing(state: _State) -> Standing:
    return Standing(
        phase=state.phase,
        started_at=state.started_at,
        layer=state.failure.layer if state.failure else "",
        iterations=state.iteration_count,
        max_retries=state.limits.max_retries,
        cost_usd=None if state.cost_unknown else state.total_cost_usd,
        error_hashes=state.error_hash_trail,
        end=state.end,
        start=state.start_commit,
        head=state.head,
    )
