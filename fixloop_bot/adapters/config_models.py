"""The strict models of `.fixloop.yml`, made from the dataclasses of `model.config` so that the two cannot drift."""

import dataclasses
import typing
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from pathlib import PurePosixPath
from types import GenericAlias, NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, create_model

from fixloop_bot.model.config import LayerConfig, RepoConfig

Hint = Any
"""A type expression; typing has no name for that yet."""
Lines = str | list[str]
"""A command or a list of commands."""


class Strict(BaseModel):
    """Unknown keys and wrong types are errors; keys are spelled with hyphens."""

    model_config = ConfigDict(
        extra="forbid", strict=True, allow_inf_nan=False, alias_generator=lambda name: name.replace("_", "-")
    )


def _inside(path: str) -> str:
    parts = PurePosixPath(path)
    if parts.is_absolute() or ".." in parts.parts or "\0" in path or not path:
        message = "must be a path inside the repository, relative to its root"
        raise ValueError(message)
    return path


def _as_lines(value: object) -> object:
    return [value] if isinstance(value, str) else value


def _no_boolean(value: object) -> object:
    if isinstance(value, bool):
        message = "must be a number"
        raise ValueError(message)  # noqa: TRY004 - pydantic takes no TypeError for an answer
    return value


def _as_table(value: object) -> object:
    return {"run": value} if isinstance(value, str | list) else value


POSITIVE = Field(gt=0)
AMOUNT = Field(ge=0)
RULES: Mapping[str, tuple[Any, ...]] = {
    "version": (BeforeValidator(_no_boolean),),
    "timeout": (POSITIVE,),
    "idle_timeout": (POSITIVE,),
    "minutes": (POSITIVE,),
    "memory_mb": (POSITIVE,),
    "processes": (POSITIVE,),
    "max_retries": (Field(ge=1),),
    "max_attempts": (Field(ge=1),),
    "parallel": (Field(ge=1),),
    "attempt_turns": (Field(ge=1),),
    "stale_days": (AMOUNT,),
    "max_runs": (AMOUNT,),
    "max_usd": (AMOUNT,),
    "run_usd": (AMOUNT,),
    "pr_usd": (AMOUNT,),
    "author_usd_per_day": (AMOUNT,),
    "repo_usd_per_day": (AMOUNT,),
    "input": (AMOUNT,),
    "output": (AMOUNT,),
    "cache_read": (AMOUNT,),
    "cache_write": (AMOUNT,),
    "threshold": (Field(ge=0, le=1),),
    "path": (AfterValidator(_inside),),
    "runner": (AfterValidator(_inside),),
}
"""What a field's type does not say, by the field's name."""

LINES_FIELDS = ("run", "fix", "setup")


@cache
def model_of(cls: type) -> type[Strict]:
    """Return the strict model of one of `model.config`'s dataclasses."""
    hints = get_type_hints(cls)
    fields: dict[str, Any] = {}
    for item in dataclasses.fields(cls):
        required = item.default is dataclasses.MISSING and item.default_factory is dataclasses.MISSING
        kind = _field_type(item.name, hints[item.name])
        fields[item.name] = (kind, ... if required else Field(default=None, validate_default=False))
    return create_model(cls.__name__, __base__=Strict, __doc__=cls.__doc__, **fields)


def config_model() -> type[Strict]:
    """Return the model of the whole file."""
    return model_of(RepoConfig)


def parts_of(hint: Hint) -> tuple[Hint, tuple[Hint, ...]]:
    """Return a type's origin and arguments: `(dict, (str, int))` for `dict[str, int]`."""
    return get_origin(hint), get_args(hint)


def _field_type(name: str, hint: Hint) -> Hint:
    kind = _kind(hint)
    if name in LINES_FIELDS:
        kind = Annotated[kind, BeforeValidator(_as_lines, json_schema_input_type=Lines)]
    for rule in RULES.get(name, ()):
        kind = _annotate(kind, rule)
    return kind


def _annotate(kind: Hint, rule: object) -> Hint:
    """Return the type with the rule, inside of `| None` where that is allowed."""
    if parts_of(kind)[0] in (Union, UnionType):
        (inner,) = (arm for arm in get_args(kind) if arm is not NoneType)
        return Annotated[inner, rule] | None
    return Annotated[kind, rule]


def _kind(hint: Hint) -> Hint:
    """Return the type that YAML's plain data must have to become `hint`."""
    origin, arms = parts_of(hint)
    if hint is LayerConfig:
        model = model_of(LayerConfig)
        return Annotated[model, BeforeValidator(_as_table, json_schema_input_type=Lines | model)]
    if dataclasses.is_dataclass(hint):
        return model_of(typing.cast("type", hint))
    if origin is tuple:
        return GenericAlias(list, (_kind(arms[0]),))
    if origin is Mapping:
        value = str if arms[1] is str else _kind(arms[1])  # an empty text is a fine value for a variable
        return GenericAlias(dict, (_kind(arms[0]), value))
    if origin in (Union, UnionType):
        (inner,) = (arm for arm in arms if arm is not NoneType)
        return _kind(inner) | None
    if hint is str:
        return Annotated[str, Field(min_length=1)]
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return Literal[tuple(member.value for member in hint)]
    return hint
