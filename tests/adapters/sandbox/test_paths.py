"""What commands may read: the system and toolchains, wherever those are; no home, no credentials, no state."""

from pathlib import Path

import pytest

from fixloop_bot.adapters.sandbox.paths import Grounds, everybodys, first_unreachable, readable, writable


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with toolchains, keys and projects."""
    home = tmp_path / "home" / "pat"
    for name in (
        ".cargo/bin/cargo", ".cargo/registry/crate", ".cargo/credentials.toml", ".local/bin/mine",
        ".local/share/uv/tools/ruff/bin/ruff", ".local/state/fixloop/run-state.db", ".local/share/keyrings/login",
        ".local/lib/python3/site-packages/x.py", ".ssh/id_ed25519", "bin/own", "project/file", "other/secret",
        ".pyenv/shims/python", ".pyenv/versions/3.13/bin/python3", "jdk/lib/modules",
    ):  # fmt: skip
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(name)
    (home / ".local/bin/ruff").symlink_to(home / ".local/share/uv/tools/ruff/bin/ruff")
    return home


def may_read(home: Path, path: str, **env: str) -> bool:
    """Return whether a rule covers the path below the home."""
    grounds = Grounds(
        root=home / "project", scratch=home.parent / "scratch", closed=[home / ".local" / "state" / "fixloop"]
    )
    base = {"HOME": str(home), "PATH": ":".join(str(home / part) for part in BINS)}
    rules = [Path(rule).resolve() for rule in readable(grounds, base | env, as_root=False)]
    return any((home / path).resolve().is_relative_to(rule) for rule in rules)


BINS = (".cargo/bin", ".local/bin", "bin", ".pyenv/shims")


@pytest.mark.parametrize(
    "path",
    [
        ".cargo/bin/cargo",
        ".cargo/registry/crate",
        ".local/bin/mine",
        ".local/bin/ruff",
        ".local/lib/python3/site-packages/x.py",
        "bin/own",
        ".pyenv/versions/3.13/bin/python3",
    ],
)
def test_toolchains_on_the_path_are_whole(home: Path, path: str) -> None:
    assert may_read(home, path)


@pytest.mark.parametrize(
    "path",
    [
        ".cargo/credentials.toml",
        ".local/state/fixloop/run-state.db",
        ".local/share/keyrings/login",
        ".ssh/id_ed25519",
        "other/secret",
        "jdk/lib/modules",
    ],
)
def test_the_rest_of_a_home_is_closed(home: Path, path: str) -> None:
    assert not may_read(home, path)


def test_a_toolchain_that_a_variable_names_is_open(home: Path) -> None:
    assert may_read(home, "jdk/lib/modules", JAVA_HOME=str(home / "jdk"))
    assert not may_read(home, "other/secret", JAVA_HOME=str(home))


def test_the_runners_own_files_stay_closed_where_its_folder_is_a_tools(home: Path) -> None:
    env = {"GITHUB_EVENT_PATH": str(home / "jdk" / "workflow" / "event.json")}
    (home / "jdk" / "workflow").mkdir()
    (home / "jdk" / "workflow" / "event.json").write_text("{}")
    assert not may_read(home, "jdk/workflow/event.json", JAVA_HOME=str(home / "jdk"), **env)
    assert may_read(home, "jdk/lib/modules", JAVA_HOME=str(home / "jdk"), **env)


def test_the_interpreter_of_the_projects_environment_is_open(home: Path) -> None:
    (home / "project/.venv/bin").mkdir(parents=True)
    (home / "other/python/bin").mkdir(parents=True)
    (home / "other/python/bin/python3").write_text("")
    (home / "other/python/bin/python3").chmod(0o755)
    (home / "project/.venv/bin/python").symlink_to(home / "other/python/bin/python3")
    assert may_read(home, "other/python/bin/python3")
    assert not may_read(home, "other/secret")


def test_a_link_in_it_to_anything_else_opens_nothing(home: Path) -> None:
    (home / "project/.venv/bin").mkdir(parents=True)
    (home / "project/.venv/bin/python").symlink_to(home / "other/secret")
    assert not may_read(home, "other/secret")


def test_a_project_in_a_repository_sees_the_repository(home: Path) -> None:
    (home / "mono" / ".git").mkdir(parents=True)
    (home / "mono" / "part").mkdir()
    grounds = Grounds(root=home / "mono" / "part", scratch=home / "scratch")
    assert str(home / "mono") in readable(grounds, {"HOME": str(home), "PATH": "/usr/bin"}, as_root=False)


def test_nothing_but_worktree_work_folders_and_plain_devices_is_written(home: Path) -> None:
    grounds = Grounds(root=home / "project", scratch=home / "scratch")
    places = [path for path in writable(grounds) if not path.startswith("/dev/")]
    assert places == [str(home / part) for part in ("project", *(f"scratch/{n}" for n in WORK))]
    assert "/dev" not in writable(grounds)


WORK = ("home", "tmp", "reports", "cache")


def test_of_settings_that_root_could_read_only_everybodys_are_open(tmp_path: Path) -> None:
    for name, mode in (
        ("hosts", 0o644),
        ("shadow", 0o640),
        ("ssl/certs/ca.pem", 0o644),
        ("ssl/private/key.pem", 0o600),
    ):
        (tmp_path / "etc" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "etc" / name).write_text("x")
        (tmp_path / "etc" / name).chmod(mode)
    found = {str(path.relative_to(tmp_path / "etc")) for path in everybodys(tmp_path / "etc")}
    assert found == {"hosts", "ssl/certs"}


def test_what_bars_another_user_is_named(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir(mode=0o700)
    (tmp_path / "home" / "tool").write_text("x")
    open_ = list(tmp_path.parents)
    barred = first_unreachable([tmp_path / "home" / "tool"], opened=[*open_, tmp_path])
    assert barred == (tmp_path / "home" / "tool", tmp_path / "home")
    assert first_unreachable([tmp_path / "home" / "tool"], opened=[*open_, tmp_path, tmp_path / "home"]) is None
    assert first_unreachable([Path("/usr/bin/env"), Path("/no/such/place")]) is None
