"""Short spellings for recipes: where Node's tools are, the truth, and lines inserted above the faults."""

from collections.abc import Mapping

from tests.record.recipe import Truth

NODE = {"node_modules": ".tools/node/node_modules"}
"""The tools of `tests/toolchain`, linked into a project."""


def truth(*errors: tuple[str, str]) -> Truth:
    """Return the truth of errors given as (file, rule or test)."""
    return Truth(len(errors), frozenset(path for path, _ in errors), tuple(sorted(rule for _, rule in errors)))


def shifted(files: Mapping[str, str], *paths: str) -> dict[str, str]:
    """Return these files with three lines of comment above."""
    marks = {path: "#" if path.endswith((".py", ".pyi")) else "//" for path in paths}
    return {path: f"{marks[path]} Moved\n{marks[path]} down\n{marks[path]} by three.\n{files[path]}" for path in paths}
