"""No secret of fixloop's own reaches a command, and what toolchains need does."""

import re
from pathlib import Path

import pytest

from fixloop_bot.adapters.environment import allowed_environment, moved_environment, without_secrets
from fixloop_bot.adapters.process import ProcessRunner
from fixloop_bot.adapters.sandbox.box import Box
from fixloop_bot.model.command import CommandRequest

SECRETS = {
    "ANTHROPIC_API_KEY": "value-1",
    "GITHUB_TOKEN": "value-2",
    "INPUT_ANTHROPIC-API-KEY": "value-3",
    "ACTIONS_RUNTIME_URL": "value-4",
    "RUNNER_TEMP": "value-5",
    "FIXLOOP_STATE": "value-6",
    "NPM_CONFIG__AUTHTOKEN": "value-7",
    "DATABASE_PASSWORD": "value-8",
    "SOMETHING_UNKNOWN": "value-9",
    "PIP_INDEX_URL": "https://user:value-10@mirror.example/simple",
    "LC_SECRET": "value-11",
    "AWS_ACCESS_KEY_ID": "value-12",
    "AWS_SECRET_ACCESS_KEY": "value-13",
    "AWS_SESSION_TOKEN": "value-14",
    "AWS_BEARER_TOKEN_BEDROCK": "value-15",
    "AWS_PROFILE": "value-16",
    "AWS_WEB_IDENTITY_TOKEN_FILE": "value-17",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI": "value-18",
    "GOOGLE_APPLICATION_CREDENTIALS": "value-19",
    "GOOGLE_CLOUD_PROJECT": "value-20",
    "CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE": "value-21",
    "ANTHROPIC_VERTEX_PROJECT_ID": "value-22",
}


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_stays_outside(name: str) -> None:
    assert name not in allowed_environment(SECRETS, Path("/scratch"))


@pytest.mark.parametrize(
    "name", ["PATH", "LC_ALL", "TZ", "VIRTUAL_ENV", "JAVA_HOME", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "https_proxy"]
)
def test_what_toolchains_need_passes(name: str) -> None:
    assert allowed_environment({name: "kept"}, Path("/scratch"))[name] == "kept"


def test_home_and_temporary_files_are_the_runs_own() -> None:
    env = allowed_environment({"HOME": "/root", "TMPDIR": "/tmp"}, Path("/scratch"))
    assert (env["HOME"], env["TMPDIR"], env["CI"], env["TERM"]) == ("/scratch/home", "/scratch/tmp", "1", "dumb")
    assert env["PYTHONUSERBASE"] == "/root/.local"


def test_rustup_finds_the_toolchains_in_a_persons_home(tmp_path: Path) -> None:
    assert "RUSTUP_HOME" not in allowed_environment({"HOME": str(tmp_path)}, Path("/scratch"))
    (tmp_path / ".rustup").mkdir()
    assert allowed_environment({"HOME": str(tmp_path)}, Path("/scratch"))["RUSTUP_HOME"] == str(tmp_path / ".rustup")
    chosen = {"HOME": str(tmp_path), "RUSTUP_HOME": "/opt/rustup"}
    assert allowed_environment(chosen, Path("/scratch"))["RUSTUP_HOME"] == "/opt/rustup"


def test_what_go_downloads_can_be_removed_after_the_run() -> None:
    assert allowed_environment({}, Path("/scratch"))["GOFLAGS"] == "-modcacherw"
    assert allowed_environment({"GOFLAGS": "-tags=x"}, Path("/scratch"))["GOFLAGS"] == "-tags=x -modcacherw"


def test_a_checks_own_variables_pass_but_for_the_forges() -> None:
    assert without_secrets({"API_KEY": "test", "GITHUB_ENV": "x", "FIXLOOP_X": "y"}) == {"API_KEY": "test"}


def test_a_real_command_sees_no_secret(tmp_path: Path) -> None:
    runner = ProcessRunner(SECRETS | {"PATH": "/usr/bin:/bin"}, tmp_path)
    line = "env; tr '\\0' '\\n' </proc/$PPID/environ; tr '\\0' '\\n' </proc/$PPID/cmdline"
    output = runner.run(CommandRequest(argv=("sh", "-c", line), cwd=str(tmp_path), env={"MINE": "value of mine"}))
    assert re.findall(r"value-\d+", output.text) == []
    assert "MINE=value of mine" in output.text


def test_a_java_machine_of_another_user_has_its_home_where_every_command_has(tmp_path: Path) -> None:
    scratch = tmp_path / "a scratch"
    made = allowed_environment({"PATH": "/bin"}, scratch, Box(uid=10_001))
    assert made["JDK_JAVA_OPTIONS"] == f'-Duser.home="{scratch}/home"'
    assert made["GRADLE_USER_HOME"] == f"{scratch}/home/.gradle"
    assert "JDK_JAVA_OPTIONS" not in allowed_environment({"PATH": "/bin"}, scratch)


def test_an_environment_that_is_active_in_the_worktree_is_left_with_it() -> None:
    base = {"PATH": "/work/a b/.venv/bin:/usr/bin", "VIRTUAL_ENV": "/work/a b/.venv", "HOME": "/work/a b", "LANG": "C"}
    assert moved_environment(base, "/work/a b", "/new") == {
        "PATH": "/new/.venv/bin:/usr/bin",
        "VIRTUAL_ENV": "/new/.venv",
        "HOME": "/new",
        "LANG": "C",
    }
    beside = {"PATH": "/work/a bc/bin", "http_proxy": "http://proxy:3128"}
    assert moved_environment(beside, "/work/a b", "/new") == beside
