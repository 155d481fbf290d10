"""Finding a tool where a person who works on the project would have it."""

import importlib.util
import os
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

PYTHON_NAMES = frozenset({"python", "python3"})
INTERPRETERS = ("python3", "python")
OWN_PROGRAM = "fixloop"
"""Never looked up: what the worktree has under that name, or as a module, is the pull request's."""
OWN_BIN = Path(sys.executable).parent
POINTS_TO_INTERPRETER: Mapping[str, str] = {"mypy": "--python-executable", "pyright": "--pythonpath"}
"""Options by which a type checker that runs from fixloop's own environment sees the project's packages."""


class ToolLookup:
    """Looks tools up in this order.

    The project's `.venv` or `venv`, its `node_modules/.bin` and Composer's `vendor/bin`, the same in the folders around
    it inside of the worktree, the active virtual environment, PATH, and for Python's tools the environment that fixloop
    runs in.
    """

    def __init__(self, root: Path, base_env: Mapping[str, str]) -> None:
        self._root = root
        active = base_env.get("VIRTUAL_ENV")
        self._active = [Path(active) / "bin"] if active else []
        self._path = [Path(part) for part in base_env.get("PATH", os.defpath).split(os.pathsep) if part]

    def resolve(self, command: Sequence[str], project: str) -> tuple[str, ...]:
        """Return the command with its program's absolute path; unchanged where none is found."""
        program, *rest = command
        if program == OWN_PROGRAM:
            return (sys.executable, "-P", "-m", "fixloop_bot", *rest)
        if program in {"sh", "bash"} and len(rest) == 2 and rest[0] == "-c":
            return (program, "-c", self._with_path(rest[1], project))
        if "/" in program:
            return tuple(command)
        if program in PYTHON_NAMES:
            return self._python(rest, project)
        found = _which(program, [*self._nearby(project), *self._path])
        if found:
            return (str(found), *rest)
        return self._own(program, rest, project) or tuple(command)

    def _python(self, rest: Sequence[str], project: str) -> tuple[str, ...]:
        """Return the project's interpreter; for `-m TOOL` the one that has the tool."""
        interpreter = self._interpreter(project)
        if rest[:1] != ["-m"] or len(rest) < 2 or rest[1] in sys.stdlib_module_names:
            return (interpreter, *rest)
        for place in [*self._nearby(project), *self._path]:
            beside = _which_any(INTERPRETERS, [place])
            if beside and _which(rest[1], [place]):
                return (str(beside), *rest)
        return self._own(rest[1], rest[2:], project) or (interpreter, *rest)

    def _interpreter(self, project: str) -> str:
        found = _which_any(INTERPRETERS, [*self._nearby(project), *self._path])
        return str(found or sys.executable)

    def _own(self, tool: str, rest: Sequence[str], project: str) -> tuple[str, ...] | None:
        if not tool.isidentifier() or importlib.util.find_spec(tool) is None:
            return None
        option = POINTS_TO_INTERPRETER.get(tool)
        more = (option, self._interpreter(project)) if option else ()
        return (sys.executable, "-m", tool, *more, *rest)

    def _with_path(self, line: str, project: str) -> str:
        """Return the shell line with the same places on its PATH, on one line so that sh's line numbers stay."""
        before = "".join(f"{shlex.quote(str(place))}:" for place in self._nearby(project))
        return f'PATH={before}"$PATH":{shlex.quote(str(OWN_BIN))}; export PATH; {line}'

    def _nearby(self, project: str) -> list[Path]:
        """Return the folders with programs in and around the project, then the active environment's."""
        inside = [place for folder in self._folders(project) for place in _places(folder)]
        return [place for place in [*inside, *self._active] if place.is_dir()]

    def _folders(self, project: str) -> Iterator[Path]:
        folder = self._root / project
        yield folder
        while folder != self._root:
            folder = folder.parent
            yield folder


def _places(folder: Path) -> tuple[Path, ...]:
    inside = (".venv/bin", "venv/bin", "node_modules/.bin", "vendor/bin")
    return tuple(folder / place for place in inside)


def _which(name: str, places: Sequence[Path]) -> Path | None:
    return next((place / name for place in places if _runs(place / name)), None)


def _which_any(names: Sequence[str], places: Sequence[Path]) -> Path | None:
    return next((place / name for place in places for name in names if _runs(place / name)), None)


def _runs(path: Path) -> bool:
    """Return whether the path is a program; PATH may name folders that this user cannot look into."""
    try:
        return path.is_file() and os.access(path, os.X_OK)
    except OSError:
        return False
