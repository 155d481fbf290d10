"""The environment of an Actions step, as a runner sets it up."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.github import FakeGitHub, Repository, read_outputs
from tests.fakes.github.state.git_store import git_environment


@pytest.fixture
def github() -> Iterator[FakeGitHub]:
    with FakeGitHub(enterprise=True) as fake:
        yield fake


@pytest.fixture
def shop(github: FakeGitHub) -> Repository:
    shop = github.repository("octo/shop", files={"app.py": "x = 1\n"})
    shop.commit("feature", {"app.py": "x = \n"}, author="pat")
    shop.open_pull("feature", author="pat")
    return shop


def test_a_step_finds_its_event_and_its_files(github: FakeGitHub, shop: Repository, tmp_path: Path) -> None:
    payload = github.payloads.pull_request(shop.pulls[1])
    environment = github.actions_environment(shop, "pull_request", payload, folder=tmp_path / "with a space")
    assert json.loads(Path(environment["GITHUB_EVENT_PATH"]).read_text()) == payload
    for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_STATE", "GITHUB_ENV", "GITHUB_PATH"):
        assert Path(environment[name]).read_bytes() == b""
    assert Path(environment["GITHUB_WORKSPACE"]).is_dir()
    assert not Path(environment["RUNNER_TEMP"]).exists()
    assert environment["GITHUB_API_URL"].endswith("/api/v3")
    assert environment["GITHUB_GRAPHQL_URL"] == f"{environment['GITHUB_SERVER_URL']}/api/graphql"
    assert (environment["GITHUB_ACTOR"], environment["GITHUB_REPOSITORY"]) == ("pat", "octo/shop")
    assert environment["GITHUB_ACTOR_ID"] == str(github.accounts["pat"].id)
    assert "GITHUB_TOKEN" not in environment
    assert all(isinstance(value, str) for value in environment.values())


def test_inputs_keep_their_hyphens_and_arrive_empty_when_unset(
    github: FakeGitHub, shop: Repository, tmp_path: Path
) -> None:
    given = {"github-token": "t", "max-retries": "5"}
    environment = github.actions_environment(
        shop, "schedule", github.payloads.schedule(shop), folder=tmp_path, inputs=given
    )
    assert environment["INPUT_MAX-RETRIES"] == "5"
    assert environment["INPUT_ANTHROPIC-API-KEY"] == ""
    assert environment["GITHUB_ACTOR"] == "octo"


@pytest.mark.parametrize(
    ("event", "ref", "branch"),
    [
        pytest.param("pull_request", "refs/pull/1/merge", None, id="a pull request runs on its test merge"),
        pytest.param("push", "refs/heads/feature", "feature", id="a push on its branch"),
        pytest.param("workflow_dispatch", "refs/heads/feature", "feature", id="a dispatch on the branch asked for"),
        pytest.param("issue_comment", "refs/heads/main", "main", id="a comment on the default branch"),
        pytest.param("workflow_run", "refs/heads/main", "main", id="a finished run on the default branch"),
        pytest.param("schedule", "refs/heads/main", "main", id="a schedule on the default branch"),
    ],
)
def test_a_workflow_runs_on_the_ref_that_github_chooses(
    github: FakeGitHub, shop: Repository, tmp_path: Path, event: str, ref: str, branch: str | None
) -> None:
    hooks = github.payloads
    payloads = {
        "pull_request": lambda: hooks.pull_request(shop.pulls[1]),
        "push": lambda: hooks.push(shop, "feature"),
        "workflow_dispatch": lambda: hooks.workflow_dispatch(shop, branch="feature"),
        "issue_comment": lambda: hooks.issue_comment(shop, shop.comment(1, "/fixloop")),
        "workflow_run": lambda: hooks.workflow_run(shop, shop.workflow_run(shop.head("feature"))),
        "schedule": lambda: hooks.schedule(shop),
    }
    environment = github.actions_environment(shop, event, payloads[event](), folder=tmp_path)
    assert environment["GITHUB_REF"] == ref
    if branch:
        assert environment["GITHUB_SHA"] == shop.head(branch)
    else:
        merge = shop.git.commit(environment["GITHUB_SHA"])
        assert merge.parents == (shop.head("main"), shop.head("feature"))
        assert (environment["GITHUB_HEAD_REF"], environment["GITHUB_BASE_REF"]) == ("feature", "main")


@pytest.mark.parametrize(
    ("event", "branch"),
    [
        pytest.param("pull_request", "HEAD", id="a pull request's is detached"),
        pytest.param("workflow_dispatch", "feature", id="a branch's is not"),
    ],
)
def test_the_workspace_is_what_checkout_leaves_there(
    github: FakeGitHub, shop: Repository, tmp_path: Path, event: str, branch: str
) -> None:
    payloads = {
        "pull_request": github.payloads.pull_request(shop.pulls[1]),
        "workflow_dispatch": github.payloads.workflow_dispatch(shop, branch="feature"),
    }
    environment = github.actions_environment(shop, event, payloads[event], folder=tmp_path / "with a space")
    token = github.actions_token(shop)
    workspace = github.check_out(shop, environment, token)
    assert (workspace / "app.py").read_text() == "x = \n"
    said = [ask_git(workspace, *argv) for argv in (["rev-parse", "HEAD"], ["rev-parse", "--abbrev-ref", "HEAD"])]
    assert said == [environment["GITHUB_SHA"], branch]
    assert ask_git(workspace, "rev-parse", "--is-shallow-repository") == "true"
    assert "AUTHORIZATION: basic" in (workspace / ".git" / "config").read_text()


def ask_git(folder: Path, *argv: str) -> str:
    return subprocess.run(
        ["git", *argv], cwd=folder, env=git_environment(), check=True, capture_output=True, text=True
    ).stdout.strip()


def test_the_outputs_of_a_step_are_read_as_a_runner_reads_them(tmp_path: Path) -> None:
    path = tmp_path / "output"
    path.write_text("status=DONE\nreport<<EOF_1\na = b\n\nc << d\nEOF_1\nempty=\npair=a=b<<c\n")
    assert read_outputs({"GITHUB_OUTPUT": str(path)}) == {
        "status": "DONE",
        "report": "a = b\n\nc << d",
        "empty": "",
        "pair": "a=b<<c",
    }


def test_an_output_that_a_runner_would_refuse_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "output"
    path.write_text("just words\n")
    with pytest.raises(ValueError, match="invalid format"):
        read_outputs({"GITHUB_OUTPUT": str(path)})
