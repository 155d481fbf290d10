"""What validates a C or C++ repository."""

import json

import pytest

from fixloop_bot.model.command import Check
from fixloop_bot.model.layer import Layer
from tests.checks.ecosystems.repository import fixers, plan, told_of

LISTS = "cmake_minimum_required(VERSION 3.10)\nproject(shop C)\nadd_executable(shop src/shop.c)\n"
CMAKE = {"CMakeLists.txt": LISTS, "src/shop.c": "", "src/shop.h": ""}
MAKE = {"Makefile": "CC ?= cc\nshop: shop.o\n\t$(CC) -o $@ $^\n", "shop.c": ""}
BUILD = '"${CMAKE_BUILD:-build}"'
CONFIGURE = f"cmake -S . -B {BUILD}"
PRESET = f"cmake --preset dev -S . -B {BUILD}"
COMPILE = f'cmake --build {BUILD} --parallel "$(getconf _NPROCESSORS_ONLN)" -- -k'
HOOK = {".pre-commit-config.yaml": "- repo: x\n  hooks:\n  - id: clang-format\n"}


def lines(files: dict[str, str], layer: Layer) -> list[str]:
    """Return the shell lines of a layer's checks."""
    return [one.command[-1] for one in plan(files).checks if one.layer is layer]


def one(files: dict[str, str], layer: Layer) -> Check:
    (check,) = (one for one in plan(files).checks if one.layer is layer)
    return check


def test_a_cmake_project_is_configured_and_built_outside_of_the_worktree() -> None:
    found = plan(CMAKE)
    assert found.project_type == "c"
    assert [check.command for check in found.checks] == [("sh", "-c", CONFIGURE), ("sh", "-c", COMPILE)]
    assert [check.tool for check in found.checks] == ["cmake", "cmake"]
    assert [check.after_success for check in found.checks] == [False, True]
    assert all(check.composed and check.env == {"CMAKE_BUILD": "{scratch}/build/top"} for check in found.checks)


@pytest.mark.parametrize(
    ("more", "tested"),
    [
        pytest.param({"tests/CMakeLists.txt": "add_test(NAME adds COMMAND shop)\n"}, True, id="add_test below"),
        pytest.param({"CMakeLists.txt": f"{LISTS}gtest_discover_tests(shop)\n"}, True, id="tests that are discovered"),
        pytest.param({"CMakeLists.txt": f"{LISTS}# add_test(NAME adds COMMAND shop)\n"}, False, id="only a comment"),
        pytest.param({}, False, id="none"),
    ],
)
def test_ctest_runs_where_a_test_is_added(more: dict[str, str], tested: bool) -> None:
    line = f"{CONFIGURE} && {COMPILE} && ctest --test-dir {BUILD} --output-on-failure"
    assert lines(CMAKE | more, Layer.TEST) == ([line] if tested else [])


def test_two_projects_have_a_build_folder_each() -> None:
    files = {f"{top}/{name}": text for top in ("api", "tools/gen") for name, text in CMAKE.items()}
    folders = {check.project: check.env["CMAKE_BUILD"] for check in plan(files).checks}
    assert folders == {"api": "{scratch}/build/api", "tools/gen": "{scratch}/build/tools-gen"}


def test_a_list_that_another_takes_in_is_no_project() -> None:
    files = CMAKE | {"lib/CMakeLists.txt": "project(lib C)\n", "lib/a.c": "", "lib/Makefile": MAKE["Makefile"]}
    assert {check.project for check in plan(files).checks} == {"."}


@pytest.mark.parametrize(
    ("preset", "configure", "keep_going"),
    [
        pytest.param({"name": "dev"}, PRESET, " -- -k", id="the only one"),
        pytest.param({"name": "dev", "generator": "Ninja"}, PRESET, " -- -k 0", id="Ninja"),
        pytest.param({"name": "dev", "generator": "Xcode"}, PRESET, "", id="another build program"),
        pytest.param({"name": "dev", "toolchainFile": "x"}, CONFIGURE, " -- -k", id="for some machine only"),
        pytest.param({"name": "dev", "hidden": True}, CONFIGURE, " -- -k", id="hidden"),
        pytest.param({"name": "a; rm -rf /"}, CONFIGURE, " -- -k", id="no name at all"),
    ],
)  # fmt: skip
def test_a_simple_preset_is_respected(preset: dict[str, object], configure: str, keep_going: str) -> None:
    files = CMAKE | {"CMakePresets.json": json.dumps({"version": 3, "configurePresets": [preset]})}
    assert lines(files, Layer.COMPILE) == [configure, COMPILE.replace(" -- -k", keep_going)]


@pytest.mark.parametrize(
    ("makefile", "commands"),
    [
        pytest.param("all: a\na: a.o\n\t$(CC) a.o\n", ["make -B -k [generic]"], id="the default target builds"),
        pytest.param("help:\n\t@echo\nbuild:\n\tgcc a.c\n", ["make -B -k build [generic]"], id="another target builds"),
        pytest.param(".PHONY: test\ntest: a.o\n\t./a\n", [], id="the default target tests"),
        pytest.param(".DEFAULT_GOAL := a\nhelp:\na: a.o\n", ["make -B -k [generic]"], id="a declared default"),
        pytest.param("all:\n\tpython setup.py build\n", [], id="it compiles no C"),
    ],
)
def test_a_makefile_is_built_by_the_target_that_builds(makefile: str, commands: list[str]) -> None:
    found = [line.replace("[make]", "[generic]") for line in told_of({"Makefile": makefile, "a.c": ""}, Layer.COMPILE)]
    assert found == commands


def test_what_a_makefile_declares_runs_under_its_own_folder() -> None:
    files = {"fw/Makefile": f"{MAKE['Makefile']}lint:\n\tcppcheck .\ncheck: shop\n\t./run\n", "fw/shop.c": ""}
    assert told_of(files, Layer.COMPILE) == ["fw: make -B -k [make]"]
    assert told_of(files, Layer.LINT) == ["fw: make lint [generic]"]
    assert told_of(files, Layer.TEST) == ["fw: make check [generic]"]


def test_beside_another_manifest_a_target_belongs_to_that() -> None:
    files = {
        "Makefile": f"{MAKE['Makefile']}test:\n\tpytest\n",
        "shop.c": "",
        "setup.py": "",
        "test_a.py": "import pytest",
    }
    assert told_of(files, Layer.TEST) == ["python -m pytest [pytest]"]


def test_a_makefile_without_c_sources_is_no_c_project() -> None:
    assert plan({"Makefile": MAKE["Makefile"]}).project_type == "unknown"


def test_sources_are_kept_formatted_where_a_hook_does_it() -> None:
    style = {".clang-format": "BasedOnStyle: LLVM\n"}
    assert lines(CMAKE | style, Layer.LINT) == []
    assert fixers(CMAKE | style) == []
    assert told_of(CMAKE | style | HOOK, Layer.LINT) == [
        "clang-format --dry-run --Werror src/shop.c src/shop.h [clang-tidy]"
    ]
    assert fixers(CMAKE | style | HOOK) == ["clang-format -i src/shop.c src/shop.h"]


def test_clang_tidy_reads_the_build_s_own_commands() -> None:
    files = CMAKE | {".clang-tidy": "Checks: '*'\n", ".github/workflows/ci.yml": "run: clang-tidy src/*.c\n"}
    assert lines(files, Layer.COMPILE)[0] == f"{CONFIGURE} -DCMAKE_EXPORT_COMPILE_COMMANDS=ON"
    assert lines(files, Layer.LINT) == [f"clang-tidy --quiet -p {BUILD} 'src/shop.c'"]


def test_cppcheck_runs_where_ci_runs_it() -> None:
    files = MAKE | {".github/workflows/ci.yml": "# cppcheck\nrun: cppcheck --error-exitcode=1 .\n"}
    assert told_of(files, Layer.LINT) == ["cppcheck --quiet --error-exitcode=1 shop.c [cppcheck]"]
    assert told_of(MAKE | {".github/workflows/ci.yml": "# cppcheck\n"}, Layer.LINT) == []
