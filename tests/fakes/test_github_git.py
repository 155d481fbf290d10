"""git over HTTP: real clones, fetches and pushes, with GitHub's refusals."""

import base64
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.github import FakeGitHub, Repository
from tests.fakes.github.state.git_store import git_environment


@pytest.fixture
def github() -> Iterator[FakeGitHub]:
    with FakeGitHub() as fake:
        yield fake


@pytest.fixture
def shop(github: FakeGitHub) -> Repository:
    return github.repository("octo/shop", files={"app.py": "x = 1\n"})


class Clone:
    """A clone that talks to the fake with one credential, given as a header and never in an address."""

    def __init__(self, github: FakeGitHub, repository: Repository, folder: Path, token: str | None) -> None:
        self.folder = folder
        self.environment = git_environment()
        if token:
            basic = base64.b64encode(f"x-access-token:{token}".encode()).decode()
            self.environment |= {
                "GIT_CONFIG_COUNT": "2",
                "GIT_CONFIG_KEY_1": "http.extraHeader",
                "GIT_CONFIG_VALUE_1": f"Authorization: Basic {basic}",
            }
        self.environment["GIT_TERMINAL_PROMPT"] = "0"
        folder.mkdir()
        self.started = self.git("clone", "--quiet", github.clone_url(repository), ".")

    def git(self, *argv: str) -> subprocess.CompletedProcess[str]:
        """Run git in the clone; a failure is the test's to judge."""
        return subprocess.run(
            ["git", *argv], cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )

    def commit(self, files: dict[str, str]) -> None:
        """Commit files."""
        for path, text in files.items():
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / path).write_text(text)
        self.git("add", "-A")
        assert self.git("commit", "-qm", "a change").returncode == 0

    def push(self, *argv: str) -> tuple[bool, str]:
        """Push; return whether it went through, and what git said."""
        done = self.git("push", "origin", *argv)
        return done.returncode == 0, done.stderr


def test_a_push_starts_ci_unless_a_workflows_own_token_pushed(
    github: FakeGitHub, shop: Repository, tmp_path: Path
) -> None:
    shop.ci_workflow = ".github/workflows/ci.yml"
    installation = github.install(github.app("fixloop"), shop)
    tokens = {"app": github.installation_token(installation), "workflow": github.actions_token(shop)}
    for name, token in tokens.items():
        clone = Clone(github, shop, tmp_path / name, token)
        clone.commit({f"{name}.txt": name})
        done, said = clone.push(f"HEAD:refs/heads/{name}")
        assert done, said
    assert [(run.head_branch, run.status, run.actor.login) for run in shop.runs.values()] == [
        ("app", "queued", "fixloop[bot]")
    ]
    assert [push.update.ref for push in github.pushes] == ["refs/heads/app", "refs/heads/workflow"]
    assert [str(request) for request in github.writes] == [
        "POST /octo/shop.git/git-receive-pack as fixloop[bot]",
        "POST /octo/shop.git/git-receive-pack as github-actions[bot]",
    ]


def test_a_protected_branch_refuses_all_but_those_who_may_pass(
    github: FakeGitHub, shop: Repository, tmp_path: Path
) -> None:
    shop.protect("main", bypass=("root",))
    before = shop.head()
    github.user("root", "admin")
    clone = Clone(github, shop, tmp_path / "bot", github.actions_token(shop))
    clone.commit({"app.py": "x = 2\n"})
    done, said = clone.push("HEAD:main")
    assert not done
    assert "GH006: Protected branch update failed for refs/heads/main." in said
    assert "[remote rejected] HEAD -> main (protected branch hook declined)" in said
    assert (shop.head(), github.pushes) == (before, [])
    passing = Clone(github, shop, tmp_path / "root", github.user_token("root"))
    passing.commit({"app.py": "x = 3\n"})
    assert passing.push("HEAD:main")[0]


WORKFLOW = {".github/workflows/ci.yml": "on: push\n"}


@pytest.mark.parametrize(
    ("who", "granted", "reason"),
    [
        pytest.param("workflow", {"contents": "write"}, "a GitHub App", id="a workflow's token"),
        pytest.param("app", {"contents": "write"}, "a GitHub App", id="an App without the permission"),
        pytest.param("app", {"contents": "write", "workflows": "write"}, None, id="an App with it"),
        pytest.param("repo", {}, "an OAuth App", id="a person's token without the scope"),
        pytest.param("repo workflow", {}, None, id="a person's token with it"),
    ],
)
def test_a_workflow_file_takes_a_permission_of_its_own(
    github: FakeGitHub, shop: Repository, tmp_path: Path, who: str, granted: dict[str, str], reason: str | None
) -> None:
    github.user("pat", "write")
    match who:
        case "workflow":
            token = github.actions_token(shop, permissions=granted)
        case "app":
            token = github.installation_token(github.install(github.app("fixloop", permissions=granted), shop))
        case scopes:
            token = github.user_token("pat", scopes=scopes.split())
    clone = Clone(github, shop, tmp_path / "clone", token)
    clone.commit({"app.py": "x = 2\n"})
    clone.commit(WORKFLOW)
    done, said = clone.push("HEAD:refs/heads/feature")
    assert done is (reason is None)
    if reason:
        assert f"refusing to allow {reason} to create or update workflow `.github/workflows/ci.yml`" in said
        assert "refs/heads/feature" not in shop.git.refs()
        clone.git("reset", "--hard", "HEAD~1")
        assert clone.push("HEAD:refs/heads/feature")[0]


def test_a_branch_whose_workflows_the_repository_has_already_may_be_pushed(
    github: FakeGitHub, shop: Repository, tmp_path: Path
) -> None:
    shop.commit("main", WORKFLOW)
    clone = Clone(github, shop, tmp_path / "clone", github.actions_token(shop))
    clone.commit({"app.py": "x = 2\n"})
    assert clone.push("HEAD:refs/heads/feature")[0]


def test_a_fork_that_an_organisation_owns_takes_no_push(github: FakeGitHub, shop: Repository, tmp_path: Path) -> None:
    fork = shop.fork(github.organization("acme"), refuses_pushes="Maintainers cannot push to this fork.")
    fork.commit("feature", {"app.py": "x = 2\n"}, author="eve")
    shop.open_pull("feature", source=fork, maintainer_can_modify=True)
    github.user("pat", "write")
    clone = Clone(github, fork, tmp_path / "clone", github.user_token("pat"))
    clone.commit({"app.py": "x = 3\n"})
    done, said = clone.push("HEAD:feature")
    assert not done
    assert "Maintainers cannot push to this fork." in said


@pytest.mark.parametrize("allowed", [True, False], ids=["edits allowed", "edits not allowed"])
def test_a_maintainer_pushes_to_a_fork_whose_author_allows_it(
    github: FakeGitHub, shop: Repository, tmp_path: Path, *, allowed: bool
) -> None:
    fork = shop.fork("eve")
    fork.commit("feature", {"app.py": "x = 2\n"}, author="eve")
    pull = shop.open_pull("feature", source=fork, author="eve", maintainer_can_modify=allowed)
    github.user("pat")
    shop.permit("pat", "write")
    clone = Clone(github, fork, tmp_path / "clone", github.user_token("pat"))
    clone.git("checkout", "-q", "feature")
    clone.commit({"app.py": "x = 3\n"})
    done, said = clone.push("HEAD:feature")
    assert done is allowed
    if allowed:
        assert shop.git.read(pull.head_sha, "app.py") == b"x = 3\n"
    else:
        assert "Permission to eve/shop.git denied to pat." in said


def test_a_workflows_token_reaches_no_fork(github: FakeGitHub, shop: Repository, tmp_path: Path) -> None:
    fork = shop.fork("eve")
    clone = Clone(github, fork, tmp_path / "clone", github.actions_token(shop))
    clone.commit({"app.py": "x = 3\n"})
    done, said = clone.push("HEAD:main")
    assert not done
    assert "Permission to eve/shop.git denied to github-actions[bot]." in said


def test_the_head_of_a_forks_pull_request_is_fetched_from_the_base(
    github: FakeGitHub, shop: Repository, tmp_path: Path
) -> None:
    fork = shop.fork("eve")
    fork.commit("main", {"app.py": "x = 2\n"}, author="eve")
    pull = shop.open_pull("main", source=fork, author="eve")
    clone = Clone(github, shop, tmp_path / "clone", github.actions_token(shop))
    later = fork.commit("main", {"app.py": "x = 3\n"}, author="eve")
    fetched = clone.git("fetch", "--quiet", "origin", f"refs/pull/{pull.number}/head:refs/fixloop/head")
    assert fetched.returncode == 0, fetched.stderr
    assert clone.git("rev-parse", "refs/fixloop/head").stdout.strip() == later == pull.head_sha
    done, said = clone.push(f"+HEAD:refs/pull/{pull.number}/head")
    assert not done
    assert "deny updating a hidden ref" in said


def test_a_person_who_pushes_during_the_push_is_not_overwritten(
    github: FakeGitHub, shop: Repository, tmp_path: Path
) -> None:
    shop.commit("feature", {"app.py": "x = 2\n"})
    clone = Clone(github, shop, tmp_path / "clone", github.actions_token(shop))
    clone.git("checkout", "-q", "feature")
    clone.commit({"app.py": "x = 3\n"})
    github.conditions.before(
        "POST", "*/git-receive-pack", lambda _: shop.commit("feature", {"app.py": "theirs\n"}, author="pat")
    )
    done, said = clone.push("HEAD:feature")
    assert not done
    assert "cannot lock ref" in said or "failed to update ref" in said
    assert shop.read("app.py", "feature") == "theirs\n"
    assert github.pushes == []


def test_a_branch_is_deleted_and_the_default_branch_is_not(
    github: FakeGitHub, shop: Repository, tmp_path: Path
) -> None:
    shop.branch("old")
    clone = Clone(github, shop, tmp_path / "clone", github.actions_token(shop))
    assert clone.push("--delete", "old")[0]
    assert not clone.push("--delete", "main")[0]
    assert set(shop.git.refs()) == {"refs/heads/main"}


def test_a_private_repository_asks_who_is_there(github: FakeGitHub, tmp_path: Path) -> None:
    secret = github.repository("octo/secret", private=True)
    other = github.repository("octo/other")
    anonymous = Clone(github, secret, tmp_path / "anonymous", None)
    assert anonymous.started.returncode == 128
    foreign = Clone(github, secret, tmp_path / "foreign", github.actions_token(other))
    assert "not found" in foreign.started.stderr
    assert Clone(github, secret, tmp_path / "own", github.actions_token(secret)).started.returncode == 0


def test_anybody_clones_a_public_repository_and_nobody_pushes_without_a_name(
    github: FakeGitHub, shop: Repository, tmp_path: Path
) -> None:
    clone = Clone(github, shop, tmp_path / "clone", None)
    clone.commit({"app.py": "x = 2\n"})
    assert not clone.push("HEAD:main")[0]
    assert github.requests[-1].actor is None


def test_a_large_push_comes_in_pieces(github: FakeGitHub, shop: Repository, tmp_path: Path) -> None:
    clone = Clone(github, shop, tmp_path / "clone", github.actions_token(shop))
    clone.commit({f"{number}.txt": f"{number * 7919:x}" * 20 for number in range(300)})
    clone.git("config", "http.postBuffer", "1000")
    done, said = clone.push("HEAD:refs/heads/large")
    assert done, said
    assert github.requests[-1].headers["transfer-encoding"] == "chunked"
    assert len(shop.git.paths(shop.head("large"))) == 301


def test_what_a_person_commits_keeps_modes_links_and_names(shop: Repository) -> None:
    names = {'a "quoted" name.txt': "1", "ünï/cödé.txt": "2", "run.sh": "#!/bin/sh\n", "link": "run.sh"}
    shop.commit("odd", names, modes={"run.sh": "100755", "link": "120000"}, message="Odd «names»\n\nand a body")
    shop.commit("odd", {"app.py": None})
    listing = shop.git.run("ls-tree", "-r", "-z", shop.head("odd")).split("\0")
    assert {entry.partition("\t")[2]: entry[:6] for entry in listing if entry} == {
        'a "quoted" name.txt': "100644",
        "ünï/cödé.txt": "100644",
        "run.sh": "100755",
        "link": "120000",
    }
    assert shop.messages("odd", since=shop.head()) == ["Odd «names»\n\nand a body", "Change"]
