"""GitHub's own description of its API, as a judge of every exchange."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jsonschema_rs

DESCRIPTION = Path(__file__).parents[2] / "fixtures" / "github" / "openapi-slim.json"
_URI = "urn:github"
_GREEDY = {"ref", "path", "branch", "basehead"}
"""Placeholders whose value may hold slashes."""
_BRANCHES = ("anyOf", "oneOf", "allOf")


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One listed way to call the API."""

    method: str
    template: str
    pattern: re.Pattern[str]

    @property
    def name(self) -> str:
        """Return `GET /repos/{owner}/{repo}`."""
        return f"{self.method} {self.template}"


@cache
def operations() -> tuple[Operation, ...]:
    """Return what the description lists, those with the most fixed text first."""
    listed = [
        Operation(method=method.upper(), template=template, pattern=_pattern(template))
        for template, item in _description()["paths"].items()
        for method in item
        if method in {"get", "post", "patch", "put", "delete"}
    ]
    return tuple(sorted(listed, key=_generality))


def find(method: str, path: str) -> tuple[Operation, dict[str, str]] | None:
    """Return the operation that a raw path stands for, with its placeholders still encoded."""
    for operation in operations():
        found = operation.pattern.fullmatch(path) if operation.method == method else None
        if found:
            return operation, found.groupdict()
    return None


def request_faults(
    operation: Operation, *, params: Mapping[str, str], query: Mapping[str, str], body: Any
) -> list[str]:
    """Return what the description has against a request: parameters, query, body (no unlisted property)."""
    item = _item(operation)
    listed = {(entry["in"], entry["name"]): entry["schema"] for entry in map(_resolve, item.get("parameters", []))}
    faults = [
        f"{operation.name}: query parameter {name!r} is not listed" for name in query if ("query", name) not in listed
    ]
    for place, values in (("query", query), ("path", params)):
        for name, value in values.items():
            schema = listed.get((place, name))
            if schema and not _accepts(schema, value):
                faults.append(f"{operation.name}: {place} parameter {name}={value!r} does not fit {schema}")
    return faults + _body_faults(operation, item, body)


def response_faults(operation: Operation, status: int, body: Any) -> list[str]:
    """Return what the description has against a JSON response; errors that are not listed take the general form."""
    responses = _item(operation)["responses"]
    if str(status) not in responses:
        if status < 400:
            return [f"{operation.name}: a response {status} is not listed"]
        pointer: str | None = "/components/schemas/basic-error"
    else:
        pointer = _response_pointer(operation, status)
    if pointer is None:
        return [] if body is None else [f"{operation.name}: a response {status} has no body"]
    return _faults(f"{operation.name} {status}", _validator(pointer), body)


def permission_faults(permissions: Any) -> list[str]:
    """Return what the description has against an App's permissions: unknown names, unknown levels."""
    listed = _description()["components"]["schemas"]["app-permissions"]["properties"]
    unknown = [f"permission {name} is not listed" for name in permissions if name not in listed]
    return unknown + _faults("permissions", _validator("/components/schemas/app-permissions"), permissions)


def _body_faults(operation: Operation, item: Mapping[str, Any], body: Any) -> list[str]:
    listed = item.get("requestBody")
    if listed is None:
        return [] if body is None else [f"{operation.name}: takes no body"]
    if body is None:
        return [f"{operation.name}: needs a JSON body"] if listed.get("required") else []
    return _faults(operation.name, _body_validator(operation.method, operation.template), body)


def _faults(where: str, validator: jsonschema_rs.Validator, instance: Any) -> list[str]:
    return [
        f"{where}: at {'/'.join(map(str, error.instance_path)) or 'the top'}: {error.message[:300]}"
        for error in validator.iter_errors(instance)
        if not _is_mistaken(where, error)
    ]


def _is_mistaken(where: str, error: jsonschema_rs.ValidationError) -> bool:
    """Tell whether the description itself is wrong.

    It wants the account of a listed installation to be a person and an enterprise at once, and denies that a pull
    request whose fork is gone has `null` for its head repository.
    """
    if where == "GET /app/installations 200":
        return "account" in error.instance_path
    return "/pulls" in where and error.instance_path[-2:] == ["head", "repo"] and error.instance is None


@cache
def _description() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(DESCRIPTION.read_text(encoding="utf-8"))
    return loaded


@cache
def _registry() -> jsonschema_rs.Registry:
    return jsonschema_rs.Registry([(_URI, _description())], draft=jsonschema_rs.Draft202012)


@cache
def _validator(pointer: str) -> jsonschema_rs.Validator:
    return jsonschema_rs.Draft202012Validator(
        {"$ref": f"{_URI}#{pointer}"}, registry=_registry(), validate_formats=True
    )


@cache
def _body_validator(method: str, template: str) -> jsonschema_rs.Validator:
    content = _description()["paths"][template][method.lower()]["requestBody"]["content"]
    schema = _absolute(_closed(content["application/json"]["schema"]))
    return jsonschema_rs.Draft202012Validator(schema, registry=_registry(), validate_formats=True)


def _closed(schema: Any, *, branch: bool = False) -> Any:
    """Return a schema in which objects take no property but those listed.

    A branch of a combination stays open (the whole is closed around it), so its own `additionalProperties: true`
    has to go: it would count every property as listed.
    """
    if not isinstance(schema, dict):
        return schema
    closed = dict(schema)
    if "properties" in schema:
        closed["properties"] = {name: _closed(value) for name, value in schema["properties"].items()}
        if schema.get("additionalProperties") is True:
            del closed["additionalProperties"]
    if "items" in schema:
        closed["items"] = _closed(schema["items"])
    for word in _BRANCHES:
        if word in schema:
            closed[word] = [_closed(option, branch=True) for option in schema[word]]
    shaped = "properties" in schema or any(word in schema for word in _BRANCHES)
    if shaped and not branch and "additionalProperties" not in closed:
        closed["unevaluatedProperties"] = False
    return closed


def _absolute(schema: Any) -> Any:
    """Return a schema whose references name the description."""
    if isinstance(schema, list):
        return [_absolute(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: f"{_URI}{value}" if key == "$ref" else _absolute(value) for key, value in schema.items()}


def _response_pointer(operation: Operation, status: int) -> str | None:
    response = _item(operation)["responses"][str(status)]
    start = f"/paths/{_escape(operation.template)}/{operation.method.lower()}/responses/{status}"
    if "$ref" in response:
        start = response["$ref"].removeprefix("#")
        response = _resolve(response)
    if "application/json" not in response.get("content", {}):
        return None
    return f"{start}/content/application~1json/schema"


def _item(operation: Operation) -> dict[str, Any]:
    item: dict[str, Any] = _description()["paths"][operation.template][operation.method.lower()]
    return item


def _resolve(item: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in item:
        found: Any = _description()
        for part in item["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        item = found
    return item


def _accepts(schema: Mapping[str, Any], text: str) -> bool:
    """Tell whether the text of a parameter fits, read as what the schema asks for."""
    if schema.get("type") == "integer":
        return text.isdecimal()
    if schema.get("type") == "boolean":
        return text in {"true", "false"}
    return jsonschema_rs.is_valid(dict(schema), text, validate_formats=True)


def _pattern(template: str) -> re.Pattern[str]:
    pieces = re.split(r"\{(\w+)\}", template)
    parts = [re.escape(piece) if index % 2 == 0 else _group(piece) for index, piece in enumerate(pieces)]
    return re.compile("".join(parts))


def _group(name: str) -> str:
    return f"(?P<{name}>.+)" if name in _GREEDY else f"(?P<{name}>[^/]+)"


def _generality(operation: Operation) -> tuple[bool, int, int]:
    """Sort greedy paths last, and among like ones the longest fixed text first."""
    names = re.findall(r"\{(\w+)\}", operation.template)
    fixed = len(re.sub(r"\{\w+\}", "", operation.template))
    return bool(_GREEDY & set(names)), -fixed, len(names)


def _escape(template: str) -> str:
    """Write a path template as one step of a JSON pointer inside an address."""
    return quote(template.replace("~", "~0").replace("/", "~1"), safe="~")
