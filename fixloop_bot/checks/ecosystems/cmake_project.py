"""A CMake project: configured and built outside of the worktree, tested with ctest."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from fixloop_bot.checks.ecosystems.found import Origin, check
from fixloop_bot.checks.ecosystems.snapshot import Snapshot, join
from fixloop_bot.checks.ecosystems.snapshot import table as table_of
from fixloop_bot.checks.text import objects
from fixloop_bot.model.command import SCRATCH, Check
from fixloop_bot.model.layer import Layer

LISTS = "CMakeLists.txt"
BUILD = '"${CMAKE_BUILD:-build}"'
"""The build folder: a temporary one for fixloop, `build` for a person who types the command."""
CORES = '"$(getconf _NPROCESSORS_ONLN)"'
TESTS = re.compile(
    r"^[ \t]*(?:add_test|\w{1,60}_discover_tests|\w{1,60}_add_tests)[ \t]*\(", re.IGNORECASE | re.MULTILINE
)
PROJECT = re.compile(r"^[ \t]*project[ \t\r\n]*\(", re.IGNORECASE | re.MULTILINE)
PRESET_NAME = re.compile(r"[\w.+-]{1,80}")
NOT_SIMPLE = ("condition", "toolchainFile", "inherits", "architecture", "toolset")
KEEP_GOING = {"": "-k", "Unix Makefiles": "-k", "Ninja": "-k 0", "Ninja Multi-Config": "-k 0"}
"""How each build program is told to go on after an error, so that all errors are seen."""
MAX_READ = 200


def is_project(snapshot: Snapshot, path: str) -> bool:
    """Return whether the folder's lists begin a project of their own."""
    return PROJECT.search(snapshot.text(join(path, LISTS))) is not None


def cmake_checks(snapshot: Snapshot, path: str, files: Sequence[str], *, export: bool) -> Iterator[Check]:
    """Yield the checks of a project with these files; `export` asks for the database that clang-tidy needs."""
    preset = _preset(snapshot, path)
    chosen = f" --preset {preset['name']}" if preset else ""
    configure = f"cmake{chosen} -S . -B {BUILD}{' -DCMAKE_EXPORT_COMPILE_COMMANDS=ON' if export else ''}"
    keep_going = KEEP_GOING.get(str(preset.get("generator", "")))
    build = f"cmake --build {BUILD} --parallel {CORES}{f' -- {keep_going}' if keep_going else ''}"
    origin = Origin(path, f"CMakePresets.json {preset['name']}" if preset else LISTS)
    yield build_check(Layer.COMPILE, configure, origin)
    yield replace(build_check(Layer.COMPILE, build, origin), after_success=True)
    if _has_tests(snapshot, path, files):
        line = f"{configure} && {build} && ctest --test-dir {BUILD} --output-on-failure"
        yield build_check(Layer.TEST, line, origin)


def build_check(layer: Layer, line: str, origin: Origin) -> Check:
    """Return a check that works in the project's build folder, outside of the worktree."""
    folder = re.sub(r"\W+", "-", origin.project).strip("-") or "top"
    found = check(layer, ("sh", "-c", line), origin)
    return replace(found, env={"CMAKE_BUILD": f"{SCRATCH}/build/{folder}"})


def _has_tests(snapshot: Snapshot, path: str, files: Sequence[str]) -> bool:
    lists = [name for name in files if name.endswith((LISTS, ".cmake"))][:MAX_READ]
    return any(TESTS.search(snapshot.text(join(path, name))) for name in lists)


def _preset(snapshot: Snapshot, path: str) -> Mapping[str, object]:
    """Return the one preset that a person would take, if it needs nothing of a certain machine; empty for none."""
    data = table_of(snapshot.json(join(path, "CMakePresets.json")))
    shown = [one for one in objects(data, "configurePresets") if one.get("hidden") is not True]
    named = [one for one in shown if one.get("name") == "default"] or shown
    if len(named) != 1 or any(key in named[0] for key in NOT_SIMPLE):
        return {}
    name = named[0].get("name")
    return named[0] if isinstance(name, str) and PRESET_NAME.fullmatch(name) else {}
