"""A setup is not run again exactly where nothing that it reads or left has changed."""

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from fixloop_bot.adapters.setup_memory import FileSetupMemory

COMMANDS = ("npm ci", "cd api && python3 -m venv .venv && .venv/bin/pip install -r requirements.txt")


@dataclass
class Site:
    """A worktree with what two commands have installed."""

    root: Path
    marker: Path
    env: Mapping[str, str] = field(default_factory=lambda: {"PATH": "/usr/bin"})

    @property
    def memory(self) -> FileSetupMemory:
        return FileSetupMemory(str(self.root), self.marker, list_files=self.files, base_env=self.env)

    def files(self) -> list[str]:
        found = (path.relative_to(self.root).as_posix() for path in self.root.rglob("*") if path.is_file())
        return [path for path in found if "node_modules" not in path and ".venv" not in path]

    def write(self, path: str, text: str = "") -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)


@pytest.fixture
def site(tmp_path: Path) -> Site:
    site = Site(tmp_path / "a worktree", tmp_path / "state" / "setup" / "key.json")
    for path in ("package.json", "package-lock.json", "app.js", "api/requirements.txt"):
        site.write(path, "{}")
    for path in ("node_modules/left/index.js", "node_modules/.bin/left", "node_modules/.package-lock.json"):
        site.write(path)
    for path in ("pyvenv.cfg", "bin/python", "bin/pytest", "lib/python3.11/site-packages/pytest/__init__.py"):
        site.write(f"api/.venv/{path}")
    site.memory.remember(COMMANDS)
    return site


def test_nothing_has_changed(site: Site) -> None:
    assert site.memory.holds(COMMANDS)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda s: s.write("app.js", "changed"), id="a source file"),
        pytest.param(lambda s: s.write("node_modules/.cache/babel/x"), id="a cache that a check wrote"),
        pytest.param(lambda s: s.write("node_modules/left/node_modules/.vite/x"), id="a cache deeper down"),
        pytest.param(
            lambda s: s.write("api/.venv/lib/python3.11/site-packages/__pycache__/x.pyc"), id="compiled files"
        ),
    ],
)
def test_what_checks_and_people_do_every_day_changes_nothing(site: Site, change: Callable[[Site], None]) -> None:
    change(site)
    assert site.memory.holds(COMMANDS)


def without(path: str) -> Callable[[Site], None]:
    return lambda site: shutil.rmtree(site.root / path) if (site.root / path).is_dir() else (site.root / path).unlink()


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda s: s.write("package-lock.json", "[]"), id="a lock file"),
        pytest.param(lambda s: s.write("api/requirements.txt", "x"), id="a list of requirements"),
        pytest.param(lambda s: s.write("web/package.json", "{}"), id="a new manifest"),
        pytest.param(lambda s: s.write(".npmrc", ""), id="a new registry"),
        pytest.param(without("package.json"), id="a manifest is gone"),
        pytest.param(without("node_modules"), id="the installed folder is gone"),
        pytest.param(without("node_modules/left"), id="a package is gone"),
        pytest.param(lambda s: s.write("node_modules/right/x.js"), id="a package was added by hand"),
        pytest.param(without("node_modules/.bin/left"), id="a program is gone"),
        pytest.param(without("api/.venv/lib/python3.11/site-packages/pytest"), id="a Python package is gone"),
        pytest.param(without("api/.venv/bin/python"), id="the interpreter is gone"),
        pytest.param(lambda s: s.marker.write_text("{"), id="the note is broken"),
        pytest.param(lambda s: s.marker.write_text("null"), id="the note is empty"),
        pytest.param(lambda s: s.memory.forget(), id="a setup was begun and not finished"),
        pytest.param(
            lambda s: s.write("package.json", '{"scripts": {"postinstall": "make"}}'), id="an install that builds"
        ),
    ],
)
def test_what_may_matter_runs_it_again(site: Site, change: Callable[[Site], None]) -> None:
    change(site)
    assert not site.memory.holds(COMMANDS)


def test_other_commands_or_another_path_run(site: Site) -> None:
    assert not site.memory.holds(COMMANDS[:1])
    site.env = {"PATH": "/opt/node/bin:/usr/bin"}
    assert not site.memory.holds(COMMANDS)


@pytest.mark.parametrize("commands", [(), ("./setup.sh",), ("npm ci", "cargo fetch")])
def test_commands_of_unknown_effect_are_never_remembered(site: Site, commands: tuple[str, ...]) -> None:
    site.memory.forget()
    site.memory.remember(commands)
    assert not site.marker.exists()
    assert not site.memory.holds(commands)


def test_a_link_in_the_place_of_the_folder_is_not_followed(site: Site, tmp_path: Path) -> None:
    (site.root / "node_modules").rename(tmp_path / "elsewhere")
    (site.root / "node_modules").symlink_to(tmp_path / "elsewhere")
    assert not site.memory.holds(COMMANDS)
