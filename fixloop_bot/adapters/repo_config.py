"""`.fixloop.yml`: from text to `RepoConfig`, or to an error that names the line."""

import json
from collections.abc import Mapping
from enum import StrEnum
from types import NoneType, UnionType
from typing import Annotated, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from fixloop_bot.adapters.config_models import Hint, Strict, config_model, parts_of
from fixloop_bot.adapters.yaml_lines import Place, YamlLines, YamlProblem, parse_yaml
from fixloop_bot.model.config import ConfigError, RepoConfig

SCHEMA_ID = "https://json-schema.org/draft/2020-12/schema"


def parse_repo_config(text: str, path: str) -> RepoConfig | ConfigError:
    """Return what `.fixloop.yml` says, or its first error with its 1-based line; `path` is what the error names."""
    try:
        document = parse_yaml(text)
    except YamlProblem as problem:
        return ConfigError(path, problem.line, problem.message)
    if document.data is None:
        return RepoConfig()
    try:
        read = config_model().model_validate(document.data)
    except ValidationError as problem:
        return _first_error(problem.errors(include_url=False), document, path)
    made: RepoConfig = _make(RepoConfig, read)
    return made


def has_section(text: str, name: str) -> bool:
    """Return whether `.fixloop.yml` says anything under a top key; what cannot be read says nothing."""
    try:
        data = parse_yaml(text).data
    except YamlProblem:
        return False
    return isinstance(data, Mapping) and data.get(name) is not None


def config_schema() -> str:
    """Return the JSON Schema of `.fixloop.yml`, as `docs/fixloop-yml.schema.json` publishes it."""
    schema = config_model().model_json_schema(by_alias=True, mode="validation")
    schema |= {"$schema": SCHEMA_ID, "title": ".fixloop.yml"}
    return json.dumps(_without_noise(schema), indent=2, sort_keys=True) + "\n"


def _first_error(errors: list[ErrorDetails], document: YamlLines, path: str) -> ConfigError:
    """Return the error that stands first in the file; an unknown key before what follows from it."""
    lines = [(_line(error["loc"], document.lines), error) for error in errors]
    line, error = min(lines, key=lambda pair: pair[0])
    return ConfigError(path, line, _message(error))


def _line(place: Place, lines: Mapping[Place, int]) -> int:
    """Return the line of the innermost part of the place that stands in the file."""
    while place and place not in lines:
        place = place[:-1]
    return lines.get(place, 1)


def _message(error: ErrorDetails) -> str:
    place = tuple(part for part in error["loc"] if part != "[key]")
    name = _spell(place)
    match error["type"]:
        case "extra_forbidden":
            return f"unknown key `{place[-1]}`{_near(place)}"
        case "missing":
            return f"`{name}` is missing"
        case "model_type" | "dict_type":
            return f"`{name or 'the file'}` must be a table of keys and values"
        case "value_error":
            return f"`{name}` {error['ctx']['error']}"
        case "literal_error" if error["loc"][-1] == "[key]":
            return f"unknown key `{place[-1]}`: the keys here are {error['ctx']['expected']}"
        case _:
            return f"`{name}`: {error['msg'][:1].lower()}{error['msg'][1:]}"


def _spell(place: Place) -> str:
    """Return `projects[0].path` for ("projects", 0, "path")."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place)
    return text.removeprefix(".")[:200]


def _near(place: Place) -> str:
    """Return the known keys beside an unknown one, as far as they are fixed."""
    model: object = config_model()
    for part in place[:-1]:
        model = _inner(model, part)
    if not (isinstance(model, type) and issubclass(model, Strict)):
        return ""
    known = [field.alias or name for name, field in model.model_fields.items()]
    return f"; known here: {', '.join(known)}"


def _inner(model: object, part: str | int) -> object:
    """Return the strict model that stands under a key or item, None if there is none."""
    if isinstance(model, type) and issubclass(model, Strict):
        field = next((f for f in model.model_fields.values() if f.alias == part), None)
        return field.annotation if field else None
    arms = get_args(model)  # of a list or dict: what its items are
    item = arms[-1] if arms else None
    return get_args(item)[0] if get_origin(item) is Annotated else item


def _make(hint: Hint, value: Hint) -> Hint:
    """Return the `model.config` value for what the strict models read."""
    origin, arms = parts_of(hint)
    if value is None:
        return None
    if origin in (Union, UnionType):
        return _make(next(arm for arm in arms if arm is not NoneType), value)
    if isinstance(value, BaseModel):
        hints = get_type_hints(hint)
        given = value.model_fields_set
        return hint(**{name: _make(hints[name], getattr(value, name)) for name in hints if name in given})
    if isinstance(value, list):
        return tuple(_make(arms[0], item) for item in value)
    if isinstance(value, dict):
        return {_make(arms[0], key): _make(arms[1], item) for key, item in value.items()}
    return hint(value) if isinstance(hint, type) and issubclass(hint, StrEnum | float) else value


def _without_noise(schema: object) -> object:
    """Return the schema without the titles and null defaults that say nothing."""
    if isinstance(schema, list):
        return [_without_noise(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: value for key, value in schema.items() if not _is_noise(key, value)}
    return {key: _without_noise(value) for key, value in kept.items()}


def _is_noise(key: str, value: object) -> bool:
    return (key == "default" and value is None) or (key == "title" and isinstance(value, str) and value[0] != ".")
