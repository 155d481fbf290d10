"""A tool is found where a person who works on the project would have it."""

import sys
from pathlib import Path

import pytest

from fixloop_bot.adapters.process import ProcessRunner
from fixloop_bot.adapters.tool_lookup import ToolLookup
from fixloop_bot.model.command import CommandRequest


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "a worktree"
    (root / "packages" / "web").mkdir(parents=True)
    return root


def program(path: Path, says: str = "") -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho {says or path}\n")
    path.chmod(0o755)
    return str(path)


def lookup(root: Path, **env: str) -> ToolLookup:
    return ToolLookup(root, {"PATH": str(root.parent / "path")} | env)


def test_the_nearest_place_wins(root: Path) -> None:
    places = [
        root / "packages" / "web" / ".venv" / "bin",
        root / "packages" / "web" / "node_modules" / ".bin",
        root / "packages" / "web" / "vendor" / "bin",
        root / "packages" / "node_modules" / ".bin",
        root / "venv" / "bin",
        root.parent / "active" / "bin",
        root.parent / "path",
    ]
    tools = lookup(root, VIRTUAL_ENV=str(root.parent / "active"))
    for place in reversed(places):
        expected = program(place / "tool")
        assert tools.resolve(("tool", "-x"), "packages/web") == (expected, "-x")


def test_a_tool_outside_of_the_worktree_is_no_projects_tool(root: Path) -> None:
    program(root.parent / "node_modules" / ".bin" / "tool")
    assert lookup(root).resolve(("tool",), ".") == ("tool",)


def test_a_file_that_cannot_be_executed_is_no_tool(root: Path) -> None:
    Path(program(root / ".venv" / "bin" / "tool")).chmod(0o644)
    assert lookup(root).resolve(("tool",), ".") == ("tool",)


def test_a_path_stays_as_it_is(root: Path) -> None:
    assert lookup(root).resolve(("./scripts/check", "x"), ".") == ("./scripts/check", "x")


def test_python_is_the_projects_own(root: Path) -> None:
    own = program(root / ".venv" / "bin" / "python")
    assert lookup(root).resolve(("python", "-m", "compileall", "x"), ".") == (own, "-m", "compileall", "x")
    assert lookup(root).resolve(("python3", "x.py"), "packages/web") == (own, "x.py")


def test_python_without_any_is_fixloops(root: Path) -> None:
    assert lookup(root).resolve(("python", "x.py"), ".") == (sys.executable, "x.py")


def test_a_module_runs_under_the_interpreter_that_has_it(root: Path) -> None:
    program(root / ".venv" / "bin" / "python")
    other = program(root.parent / "path" / "python3")
    program(root.parent / "path" / "pytest")
    assert lookup(root).resolve(("python", "-m", "pytest", "-q"), ".") == (other, "-m", "pytest", "-q")


def test_fixloops_own_environment_comes_last(root: Path) -> None:
    assert lookup(root).resolve(("ruff", "check"), ".") == (sys.executable, "-m", "ruff", "check")
    assert lookup(root).resolve(("python", "-m", "pytest"), ".") == (sys.executable, "-m", "pytest")
    assert lookup(root).resolve(("eslint",), ".") == ("eslint",)


def test_a_type_checker_of_fixloops_own_sees_the_projects_packages(root: Path) -> None:
    own = program(root / ".venv" / "bin" / "python")
    expected = (sys.executable, "-m", "mypy", "--python-executable", own, ".")
    assert lookup(root).resolve(("mypy", "."), ".") == expected


def test_a_shell_line_finds_the_projects_tools_first(root: Path, tmp_path: Path) -> None:
    program(root / "packages" / "web" / "node_modules" / ".bin" / "tool", "nearest")
    program(root / ".venv" / "bin" / "tool", "farther")
    argv = lookup(root).resolve(("sh", "-c", "tool; ls -d . && no-such-tool"), "packages/web")
    runner = ProcessRunner({"PATH": "/usr/bin:/bin"}, tmp_path / "scratch")
    output = runner.run(CommandRequest(argv=argv, cwd=str(root)))
    assert output.text.startswith("nearest\n.\nsh: ")
    assert output.text.endswith("no-such-tool: not found\n") or "command not found" in output.text
    assert output.exit_code == 127


def test_a_folder_of_path_that_cannot_be_looked_into_is_passed_over(root: Path) -> None:
    closed = root.parent / "closed"
    closed.mkdir(mode=0o000)
    there = program(root.parent / "path" / "ruff")
    path = f"{closed}:/{'x' * 5_000}:{root.parent / 'path'}"
    assert ToolLookup(root, {"PATH": path}).resolve(("ruff", "check"), ".") == (there, "check")
    closed.chmod(0o700)
