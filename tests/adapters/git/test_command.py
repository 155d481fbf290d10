"""The gateway: errors tell everything, time limits end all, the environment is closed."""

import os
import subprocess
from pathlib import Path

import pytest

from fixloop_bot.adapters.git.command import Git, GitError
from tests.adapters.git.person import start


def test_an_error_shows_command_code_and_both_streams(tmp_path: Path) -> None:
    with pytest.raises(GitError) as caught:
        Git(cwd=str(tmp_path)).run("rev-parse", "HEAD", env={"GIT_DIR": str(tmp_path / "none")})

    assert str(caught.value).startswith("git rev-parse HEAD\nexit code: 128\nstdout: \nstderr: fatal: not a git repo")


def test_a_long_error_is_shortened(tmp_path: Path) -> None:
    error = GitError(("git",), 1, b"x" * 1_000_000, b"\xff" * 1_000_000)
    assert len(str(error)) < 5_000


def test_a_folder_that_is_gone_is_an_error_too(tmp_path: Path) -> None:
    with pytest.raises(GitError, match="No such file"):
        Git(cwd=str(tmp_path / "gone")).run("version")


def test_at_the_time_limit_the_whole_group_ends(tmp_path: Path) -> None:
    person = start(tmp_path)
    mark = tmp_path / "pid"
    alias = f"alias.hang=!echo $$ > '{mark}'; sleep 987"
    with pytest.raises(GitError, match="no end after 1 s"):
        Git(cwd=str(person.root), timeout_s=1.0).run("-c", alias, "hang")

    listed = subprocess.run(["ps", "-o", "stat=", "-g", mark.read_text().strip()], capture_output=True, check=False)
    assert all(line.startswith("Z") for line in listed.stdout.decode().split())


def test_nothing_of_the_process_environment_reaches_git(tmp_path: Path) -> None:
    person = start(tmp_path)
    printed = Git(cwd=str(person.root)).text("-c", "alias.env=!env", "env")
    names = {line.partition("=")[0] for line in printed.splitlines()}
    assert names.isdisjoint(set(os.environ) - {"PATH", "PWD", "LC_ALL", "_", "SHLVL", "OLDPWD"} - {"GIT_PREFIX"})
