"""Which GitHub a shell speaks to: what `origin` says may name a repository, never the place that a token goes to."""

from pathlib import Path

import pytest

from fixloop_bot.entrypoints.settings import SettingsError
from fixloop_bot.entrypoints.shell_github import read_shell
from tests.e2e.workspace import git

PUBLIC = ("octo/shop", "https://api.github.com", "https://github.com")
ENTERPRISE = "https://git.example/api/v3"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A repository without a remote."""
    folder = tmp_path / "a clone"
    folder.mkdir()
    git(folder, "init", "--quiet")
    return folder


@pytest.mark.parametrize(
    ("origin", "env", "repository", "expected"),
    [
        (None, {}, "octo/shop", PUBLIC),
        ("git@github.com:octo/shop.git", {}, None, PUBLIC),
        ("ssh://git@ssh.github.com:443/octo/shop", {}, None, PUBLIC),
        ("https://evil.example/octo/x", {}, "octo/shop", PUBLIC),
        (None, {"GITHUB_API_URL": ENTERPRISE}, "octo/shop", ("octo/shop", ENTERPRISE, "https://git.example")),
        (
            "https://evil.example/octo/shop",
            {"GITHUB_API_URL": ENTERPRISE},
            None,
            ("octo/shop", ENTERPRISE, "https://git.example"),
        ),
        (
            None,
            {"GITHUB_API_URL": "http://127.0.0.1:1/x", "GITHUB_SERVER_URL": "http://127.0.0.1:2/"},
            "octo/shop",
            ("octo/shop", "http://127.0.0.1:1/x", "http://127.0.0.1:2"),
        ),
    ],
    ids=[
        "named",
        "by origin",
        "by origin over port 443",
        "named, elsewhere",
        "a server of one's own",
        "origin is elsewhere",
        "both addresses",
    ],
)
def test_the_addresses(
    clone: Path, origin: str | None, env: dict[str, str], repository: str | None, expected: tuple[str, str, str]
) -> None:
    if origin:
        git(clone, "remote", "add", "origin", origin)
    found = read_shell(env, repository, clone)
    assert (found.full_name, found.api_url, found.server_url) == expected
    assert found.root == clone


@pytest.mark.parametrize(
    ("env", "token"),
    [({}, ""), ({"GH_TOKEN": " b "}, "b"), ({"GITHUB_TOKEN": "a", "GH_TOKEN": "b"}, "a"), ({"GITHUB_TOKEN": " "}, "")],
    ids=["none", "the second name", "the first name goes before", "a blank one"],
)
def test_the_token(clone: Path, env: dict[str, str], token: str) -> None:
    found = read_shell(env, "octo/shop", clone)
    assert found.token == token
    assert "token=" not in repr(found)


@pytest.mark.parametrize(
    ("origin", "env", "words"),
    [
        (None, {}, "--repository"),
        ("/srv/shop.git", {}, "--repository"),
        ("https://evil.example/octo/shop", {}, "evil.example"),
        ("https://github.com.evil.example/octo/shop", {}, "github.com.evil.example"),
        ("https://github.com/octo/shop", {"GH_TOKEN": "a\nb"}, "GH_TOKEN"),
    ],
    ids=["no remote", "a local remote", "another host", "a host that looks alike", "a token of two lines"],
)
def test_what_cannot_be_used_is_said(clone: Path, origin: str | None, env: dict[str, str], words: str) -> None:
    if origin:
        git(clone, "remote", "add", "origin", origin)
    with pytest.raises(SettingsError, match=words):
        read_shell(env, None, clone)


def test_without_a_token_there_is_no_access_and_the_advice_names_both_variables(clone: Path) -> None:
    with pytest.raises(SettingsError, match="GITHUB_TOKEN or GH_TOKEN"):
        str(read_shell({}, "octo/shop", clone).access)


def test_outside_a_repository_there_is_no_worktree(tmp_path: Path) -> None:
    assert read_shell({}, "octo/shop", tmp_path).root is None
