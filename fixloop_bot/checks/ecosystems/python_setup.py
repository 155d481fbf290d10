"""How a Python project's dependencies would be installed, by the tool that it declares."""

import shlex
from collections.abc import Iterator, Mapping

from fixloop_bot.checks.ecosystems.snapshot import Snapshot, join, table

TEST_EXTRAS = ("test", "tests", "testing", "dev", "develop", "lint", "typing")
REQUIREMENTS = (
    *("requirements.txt", "requirements-dev.txt", "requirements_dev.txt", "dev-requirements.txt"),
    *("requirements-test.txt", "requirements_test.txt", "test-requirements.txt", "requirements/dev.txt"),
)
IN_VENV = "python3 -m venv .venv && .venv/bin/pip install"
"""Into the project's own folder, where its tools are looked for."""


def python_setup(snapshot: Snapshot, project: str) -> str:
    """Return the shell line, empty where nothing declares a dependency; it leaves the tools in `.venv`."""
    manifest = snapshot.toml(join(project, "pyproject.toml"))
    tools = table(manifest, "tool")
    has = {name for name in ("uv.lock", "poetry.lock", "pdm.lock", "Pipfile") if snapshot.has(join(project, name))}
    if "uv.lock" in has or "uv" in tools:
        return "uv sync --all-extras"
    if "poetry.lock" in has or "poetry" in tools:
        return "POETRY_VIRTUALENVS_IN_PROJECT=1 poetry install"
    if "pdm.lock" in has or "pdm" in tools:
        return "pdm install"
    if "Pipfile" in has:
        return "PIPENV_VENV_IN_PROJECT=1 pipenv install --dev"
    arguments = [*_requirements(snapshot, project), *_package(snapshot, project, manifest)]
    return f"{IN_VENV} {' '.join(arguments)}" if arguments else ""


def _requirements(snapshot: Snapshot, project: str) -> Iterator[str]:
    yield from (f"-r {name}" for name in REQUIREMENTS if snapshot.has(join(project, name)))


def _package(snapshot: Snapshot, project: str, manifest: Mapping[str, object]) -> Iterator[str]:
    """Yield what installs the project itself, with the extras and groups that its tests need."""
    old = snapshot.has(join(project, "setup.py")) or "options" in snapshot.sections(join(project, "setup.cfg"))
    if not old and "project" not in manifest:
        return
    extras = [name for name in TEST_EXTRAS if name in table(manifest, "project", "optional-dependencies")]
    wanted = f".[{','.join(extras)}]" if extras else "."
    yield f"-e {shlex.quote(wanted)}"
    groups = table(manifest, "dependency-groups")
    yield from (f"--group {name}" for name in TEST_EXTRAS if name in groups)
