"""Names of the dependencies that manifests declare: what tells a package that is not installed from a typing error."""

import re
from collections.abc import Iterator

from fixloop_bot.checks.ecosystems.node_package import DEPENDENCIES
from fixloop_bot.checks.ecosystems.snapshot import Snapshot, table

REQUIREMENT = re.compile(r"^\s*([A-Za-z0-9][A-Za-z0-9._-]*)")
"""The name that a PEP 508 requirement starts with."""
MANIFESTS = frozenset(
    {"package.json", "pyproject.toml", "setup.cfg", "composer.json", "Cargo.toml", "Gemfile", "go.mod"}
)
CRATES = ("dependencies", "dev-dependencies", "build-dependencies")
LISTED = {
    "Gemfile": re.compile(r"""^\s*gem[\s(]+['"]([\w.-]+)['"]"""),
    "go.mod": re.compile(r"^(?:require)?\s+([\w-]++\.[\w.-]++/\S+)\s+v\d"),
}
"""A dependency in a line of its own."""
MAX_MANIFESTS = 500


def declared_dependencies(snapshot: Snapshot) -> frozenset[str]:
    """Return the names in lower case, Python's with hyphens (PEP 503)."""
    return frozenset(name for path in _manifests(snapshot) for name in _names(snapshot, path))


def _manifests(snapshot: Snapshot) -> list[str]:
    return [path for path in snapshot.own if _reader(path)][:MAX_MANIFESTS]


def _reader(path: str) -> str:
    name = path.rpartition("/")[2]
    if name in MANIFESTS:
        return name
    return "requirements" if name.endswith(".txt") and "requirements" in path else ""


def _names(snapshot: Snapshot, path: str) -> Iterator[str]:
    match _reader(path):
        case "package.json":
            manifest = snapshot.json(path)
            yield from (name.lower() for key in DEPENDENCIES for name in table(manifest, key))
        case "pyproject.toml":
            yield from (name for line in _pyproject(snapshot, path) for name in _python_name(line))
        case "composer.json":
            manifest = snapshot.json(path)
            yield from (name.lower() for key in ("require", "require-dev") for name in table(manifest, key))
        case "Cargo.toml":
            yield from (name.lower() for key in CRATES for name in table(snapshot.toml(path), key))
        case "Gemfile" | "go.mod":
            found = (LISTED[_reader(path)].match(line) for line in snapshot.text(path).splitlines())
            yield from (line[1].lower() for line in found if line)
        case _:
            yield from (name for line in snapshot.text(path).splitlines() for name in _python_name(line))


def _pyproject(snapshot: Snapshot, path: str) -> Iterator[str]:
    data = snapshot.toml(path)
    groups = [table(data, "project").get("dependencies")]
    groups += table(data, "project", "optional-dependencies").values()
    groups += table(data, "dependency-groups").values()
    for group in groups:
        yield from (item for item in group if isinstance(item, str)) if isinstance(group, list) else ()
    poetry = table(data, "tool", "poetry")
    yield from table(poetry, "dependencies")
    for group in table(poetry, "group").values():
        yield from table(group, "dependencies")


def _python_name(requirement: str) -> Iterator[str]:
    found = REQUIREMENT.match(requirement)
    if found:
        yield re.sub(r"[-_.]+", "-", found[1]).lower()
