"""Which parts of a manifest changed: dependencies are one thing, the commands and settings of checks another."""

import json
import posixpath
import re
import tomllib
from typing import Any

_LIMIT = 1_000_000
"""Characters of a manifest that is taken apart."""
_DEPENDENCIES = re.compile(
    r"(?:dev|peer|optional|bundled?|build|peer)?-?_?dependenc(?:y|ies)(?:Meta)?|require(?:-dev)?|workspaces"
    r"|dependency-groups|project\.(?:optional-)?dependencies|overrides|resolutions|target\..{0,80}dependencies",
    re.IGNORECASE,
)
_DESCRIPTION = re.compile(r"(?:project\.)?(?:name|version|description|authors?|license|keywords|readme|urls?|homepage)")


def changed_sections(path: str, before: str, after: str) -> tuple[str, ...]:
    """Return the names of the sections that differ, sorted; empty where the file is no manifest that can be read."""
    old, new = (_parsed(path, text) for text in (before, after))
    if old is None or new is None:
        return ()
    return tuple(sorted(name for name in {*old, *new} if old.get(name) != new.get(name)))


def only_dependencies(sections: tuple[str, ...]) -> bool:
    """Return whether the sections name packages or describe the project, and nothing that checks do."""
    harmless = (_DEPENDENCIES.fullmatch(name) or _DESCRIPTION.fullmatch(name) for name in sections)
    return bool(sections) and all(harmless)


def _parsed(path: str, text: str) -> dict[str, Any] | None:
    """Return the manifest's sections, a table of tables (`tool`, `project`) one level deeper."""
    name = posixpath.basename(path)
    try:
        if name in ("package.json", "composer.json") and len(text) <= _LIMIT:
            loaded = json.loads(text)
        elif name in ("pyproject.toml", "Cargo.toml", "Pipfile") and len(text) <= _LIMIT:
            loaded = tomllib.loads(text)
        else:
            return None
    except (ValueError, RecursionError):
        return None
    return _sections(loaded) if isinstance(loaded, dict) else None


def _sections(loaded: dict[str, Any]) -> dict[str, Any]:
    sections: dict[str, Any] = {}
    for name, value in loaded.items():
        if name in ("tool", "project", "target") and isinstance(value, dict):
            sections |= {f"{name}.{inner}": item for inner, item in value.items()}
        else:
            sections[name] = value
    return sections
