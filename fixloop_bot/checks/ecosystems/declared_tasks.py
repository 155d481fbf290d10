"""Names of the tasks that a folder declares: make, just, Task, tox, nox, hatch, PDM, poe."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from fixloop_bot.checks.ecosystems.snapshot import Snapshot, join, table
from fixloop_bot.checks.ecosystems.yaml_lines import keys_below

MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
JUSTFILES = ("justfile", "Justfile", ".justfile")
TASKFILES = (
    "Taskfile.yml",
    "taskfile.yml",
    "Taskfile.yaml",
    "taskfile.yaml",
    "Taskfile.dist.yml",
    "Taskfile.dist.yaml",
)
JUST_RECIPE = re.compile(r"^@?([A-Za-z0-9_-]+)(?: [^:=\n]*)?:(?!=)", re.MULTILINE)
NOX_SESSION = re.compile(r"^def ([A-Za-z0-9_]+)\([ \t]*session\b", re.MULTILINE)
NOX_NAME = re.compile(r"^@(?:nox\.)?session\([^\n]{0,300}\bname=[\"']([\w.-]+)[\"']", re.MULTILINE)
MAKE_NAME = re.compile(r"[A-Za-z0-9_.-]+")
INTERNAL = re.compile(r"^internal:\s*true\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Tasks:
    """The tasks of one file."""

    source: str
    """The file, and the table in it."""
    command: tuple[str, ...]
    """Runs a task when its name is added."""
    names: Mapping[str, str]
    """Name of each task to the word that the command takes for it."""


def declared_tasks(snapshot: Snapshot, project: str) -> tuple[Tasks, ...]:
    """Return the tasks of each file in the project's folder that declares any, in the order of preference."""
    found = (
        *_make(snapshot, project),
        *_just(snapshot, project),
        *_task(snapshot, project),
        *_tox(snapshot, project),
        *_nox(snapshot, project),
        *_pyproject(snapshot, project),
    )
    return tuple(tasks for tasks in found if tasks.names)


def make_targets(text: str) -> frozenset[str]:
    """Return the explicit targets of a makefile's rules; pattern rules and variables are none."""
    found: set[str] = set()
    for line in text.split("\n"):
        head, colon, rest = line.partition(":")
        if colon and head[:1] not in {"\t", " ", "#", ""} and not rest.removeprefix(":").startswith("="):
            found.update(name for name in head.split() if MAKE_NAME.fullmatch(name) and not name.startswith("."))
    return frozenset(found)


def _tasks(source: str, command: tuple[str, ...], names: Iterable[str]) -> Tasks:
    return Tasks(source, command, {name: name for name in names})


def _make(snapshot: Snapshot, project: str) -> Iterator[Tasks]:
    # make takes the first of them that is there (its manual, "What Name to Give Your Makefile").
    name = next((name for name in MAKEFILES if snapshot.has(join(project, name))), "")
    if name:
        yield _tasks(name, ("make",), make_targets(snapshot.text(join(project, name))))


def _just(snapshot: Snapshot, project: str) -> Iterator[Tasks]:
    for name in JUSTFILES:
        found = JUST_RECIPE.findall(snapshot.text(join(project, name)))
        yield _tasks(name, ("just",), found)


def _task(snapshot: Snapshot, project: str) -> Iterator[Tasks]:
    name = next((name for name in TASKFILES if snapshot.has(join(project, name))), "")
    if name:
        tasks = keys_below(snapshot.text(join(project, name)), "tasks")
        yield _tasks(name, ("task",), (key for key, text in tasks.items() if not INTERNAL.search(text)))


def _tox(snapshot: Snapshot, project: str) -> Iterator[Tasks]:
    ini = snapshot.sections(join(project, "tox.ini")) | snapshot.sections(join(project, "setup.cfg"))
    named = {section.partition("testenv:")[2] for section in ini} - {""}
    whole = "testenv" in ini
    tables = (
        snapshot.toml(join(project, "tox.toml")),
        table(snapshot.toml(join(project, "pyproject.toml")), "tool", "tox"),
    )
    for found in tables:
        named |= set(table(found, "env"))
        whole = whole or "env_run_base" in found
    # `py` is the running interpreter's environment, whatever versions the list of environments names.
    names = ({"test": "py"} if whole else {}) | {name: name for name in named}
    yield Tasks("tox.ini" if ini else "tox's configuration", ("tox", "-q", "-e"), names)


def _nox(snapshot: Snapshot, project: str) -> Iterator[Tasks]:
    text = snapshot.text(join(project, "noxfile.py"))
    yield _tasks("noxfile.py", ("nox", "-s"), (*NOX_SESSION.findall(text), *NOX_NAME.findall(text)))


def _pyproject(snapshot: Snapshot, project: str) -> Iterator[Tasks]:
    tools = table(snapshot.toml(join(project, "pyproject.toml")), "tool")
    environments = {**table(tools, "hatch", "envs"), **table(snapshot.toml(join(project, "hatch.toml")), "envs")}
    yield _tasks("hatch's scripts", ("hatch", "run"), _hatch_scripts(environments))
    yield _tasks("pyproject.toml [tool.pdm.scripts]", ("pdm", "run"), table(tools, "pdm", "scripts"))
    yield _tasks("pyproject.toml [tool.poe.tasks]", ("poe",), table(tools, "poe", "tasks"))


def _hatch_scripts(environments: Mapping[str, object]) -> Iterator[str]:
    """Yield a script as `hatch run` takes it: those of other environments with the environment's name before."""
    for environment in environments:
        for script in table(environments, environment, "scripts"):
            yield script if environment == "default" else f"{environment}:{script}"
