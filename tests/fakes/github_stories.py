"""The same story told to the fake GitHub by two clients that know nothing of each other."""

import subprocess
from pathlib import Path
from typing import Any, Protocol

import github3
from github import Auth, Github

from tests.fakes.github import FakeGitHub, Installation, Repository
from tests.fakes.github.plain_client import ask
from tests.fakes.github.state.git_store import git_environment

ANNOTATIONS = [
    {"path": "app.py", "start_line": line, "end_line": line, "annotation_level": "failure", "message": f"E{line}"}
    for line in range(1, 51)
]
OUTPUT: dict[str, Any] = {"title": "Broken", "summary": "Does not compile.", "annotations": ANNOTATIONS}


class Teller(Protocol):
    """What both clients can do."""

    def open_pull(self, head: str) -> tuple[int, str]:
        """Open a pull request; return its number and head commit."""

    def comment_and_edit(self, number: int, first: str, second: str) -> int:
        """Comment, edit the comment, return its id."""

    def comments(self, number: int) -> list[str]:
        """Return the bodies of all comments, over all pages."""

    def check(self, sha: str) -> tuple[str, list[str]]:
        """Create a check run with annotations, complete it; return its conclusion and its annotations."""

    def protected(self, branch: str) -> bool:
        """Tell whether a branch is protected."""

    def file(self, path: str, ref: str) -> bytes:
        """Return a file at a ref."""


class PyGithubTeller:
    """PyGithub, as fixloop uses it."""

    def __init__(self, github: FakeGitHub, repository: Repository, installation: Installation) -> None:
        app = Auth.AppAuth(installation.app.id, installation.app.private_key)
        auth = app.get_installation_auth(installation.id, None)
        self.client = Github(
            base_url=github.url, auth=auth, per_page=100, seconds_between_requests=0, seconds_between_writes=0
        )
        self.repo = self.client.get_repo(repository.full_name)

    def open_pull(self, head: str) -> tuple[int, str]:
        pull = self.repo.create_pull(base="main", head=head, title="Break it", body="on purpose")
        return pull.number, pull.head.sha

    def comment_and_edit(self, number: int, first: str, second: str) -> int:
        comment = self.repo.get_pull(number).create_issue_comment(first)
        comment.edit(second)
        return comment.id

    def comments(self, number: int) -> list[str]:
        return [comment.body for comment in self.repo.get_pull(number).get_issue_comments()]

    def react(self, number: int, comment_id: int, content: str) -> list[str]:
        comment = self.repo.get_pull(number).get_issue_comment(comment_id)
        comment.create_reaction(content)
        return [reaction.content for reaction in comment.get_reactions()]

    def check(self, sha: str) -> tuple[str, list[str]]:
        run = self.repo.create_check_run("fixloop", sha, status="in_progress", output=OUTPUT)
        run.edit(status="completed", conclusion="failure", output=OUTPUT)
        return run.conclusion, [annotation.message for annotation in run.get_annotations()]

    def permission(self, login: str) -> str:
        return self.repo.get_collaborator_role_name(login)

    def protected(self, branch: str) -> bool:
        return self.repo.get_branch(branch).protected

    def job_log(self, sha: str) -> bytes:
        (run,) = self.repo.get_workflow_runs(head_sha=sha)
        (job,) = run.jobs()
        return ask(job.logs_url()).raw

    def file(self, path: str, ref: str) -> bytes:
        found = self.repo.get_contents(path, ref=ref)
        assert not isinstance(found, list)
        return found.decoded_content


class Github3Teller:
    """github3.py, which parses strictly; version 4 knows no reactions, roles or workflow runs."""

    def __init__(self, github: FakeGitHub, repository: Repository, installation: Installation) -> None:
        self.client: Any = github3.GitHub()
        self.client.session.base_url = github.url
        key = installation.app.private_key.encode()
        self.client.login_as_app_installation(key, str(installation.app.id), installation.id)
        self.repo: Any = self.client.repository(repository.owner.login, repository.name)

    def open_pull(self, head: str) -> tuple[int, str]:
        pull = self.repo.create_pull("Break it", "main", head, body="on purpose")
        return pull.number, pull.head.sha

    def comment_and_edit(self, number: int, first: str, second: str) -> int:
        comment = self.repo.pull_request(number).create_comment(first)
        assert comment.edit(second)
        return int(comment.id)

    def comments(self, number: int) -> list[str]:
        return [comment.body for comment in self.repo.pull_request(number).issue_comments()]

    def check(self, sha: str) -> tuple[str, list[str]]:
        run = self.repo.create_check_run("fixloop", sha, status="in_progress", output=OUTPUT)
        run.update(status="completed", conclusion="failure", completed_at="2026-11-30T12:00:00Z", output=OUTPUT)
        return run.conclusion, [annotation.message for annotation in run.output.annotations()]

    def protected(self, branch: str) -> bool:
        return bool(self.repo.branch(branch).protected)

    def file(self, path: str, ref: str) -> bytes:
        return bytes(self.repo.file_contents(path, ref).decoded)


def push(url: str, token: str, folder: Path, branch: str, files: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Clone with git, commit files onto a branch and push it; return how the push went."""
    address = url.replace("http://", f"http://x-access-token:{token}@")
    environment = git_environment()
    subprocess.run(["git", "clone", "-q", address, folder], env=environment, check=True, capture_output=True)
    commands = [["checkout", "-q", "-B", branch, f"origin/{branch}"], ["add", "-A"], ["commit", "-qm", "push"]]
    for command in commands:
        if command[0] == "add":
            for path, text in files.items():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_text(text)
        subprocess.run(["git", *command], cwd=folder, env=environment, check=True, capture_output=True)
    return subprocess.run(
        ["git", "push", "origin", f"HEAD:{branch}"],
        cwd=folder,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
    )
