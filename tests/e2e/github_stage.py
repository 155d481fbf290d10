"""A pull request on a GitHub of our own, and the Action's step run as the runner would run it."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.e2e.workspace import FAULTY_LINE, KEY, OFF_BY_ONE, RIGHT_LINE, Finished, finished, person_environment
from tests.fakes.github import CheckRun, FakeGitHub, PullRequest, Repository
from tests.fakes.github.actions_runner import read_outputs
from tests.fakes.model_server import ModelServer, edit, finish, turn
from tests.fakes.until import ended

REPAIR = turn(edit("app/pages.py", FAULTY_LINE, RIGHT_LINE), finish("done", hypothesis="off by one"))
GREEN = {**OFF_BY_ONE, "app/pages.py": OFF_BY_ONE["app/pages.py"].replace(FAULTY_LINE, RIGHT_LINE)}
BREAK = {"app/pages.py": OFF_BY_ONE["app/pages.py"]}


@dataclass
class Step:
    """What one step did."""

    done: Finished
    environment: Mapping[str, str]

    @property
    def outputs(self) -> dict[str, str]:
        return read_outputs(self.environment)

    @property
    def summary(self) -> str:
        return Path(self.environment["GITHUB_STEP_SUMMARY"]).read_text(encoding="utf-8")


@dataclass
class Hub:
    """GitHub with a shop that works, and a person who can write."""

    github: FakeGitHub
    shop: Repository
    folder: Path
    steps: int = 0

    def break_it(self, branch: str = "feature", files: Mapping[str, str] = BREAK) -> PullRequest:
        """Push a branch whose test fails, and open its pull request."""
        self.shop.branch(branch)
        self.shop.commit(branch, dict(files), author="pat")
        return self.shop.open_pull(branch, title="Count pages", author="pat")

    def fork_it(self, *, modifiable: bool = True, refuses_pushes: str | None = None) -> PullRequest:
        """Let Rita break the `main` of a fork of hers, and open its pull request onto our `main`."""
        fork = self.shop.fork("rita", refuses_pushes=refuses_pushes)
        fork.permit("pat", "read")
        sha = fork.commit("main", dict(BREAK), author="rita")
        self.shop.workflow_run(sha, [("test", "failure", "E   assert 2 == 3\n")], head_repository=fork.full_name)
        return self.shop.open_pull(
            "main", title="Count pages", author="rita", source=fork, maintainer_can_modify=modifiable
        )

    def environment(
        self,
        event: str,
        payload: Mapping[str, Any],
        *,
        model: ModelServer | None = None,
        token: str = "",
        watch_every: str = "",
        before: Callable[[Path], object] = str,
        **inputs: str,
    ) -> dict[str, str]:
        """Return the environment of the step; `before` gets the workspace that the step will find."""
        self.steps += 1
        given = {
            "github-token": token or self.github.actions_token(self.shop),
            "anthropic-api-key": KEY if model else "",
            "anthropic-base-url": model.url if model else "",
            **{name.replace("_", "-"): value for name, value in inputs.items()},
        }
        folder = self.folder / f"step {self.steps}"
        made = self.github.actions_environment(self.shop, event, payload, folder=folder, inputs=given)
        before(Path(made["GITHUB_WORKSPACE"]))
        # No real server asks for a second between changes: each run would sleep through several.
        made["FIXLOOP_WRITE_EVERY"] = "0"
        return person_environment() | made | ({"FIXLOOP_WATCH_EVERY": watch_every} if watch_every else {})

    def step(self, event: str, payload: Mapping[str, Any], **more: Any) -> Step:
        """Run the step to its end."""
        environment = self.environment(event, payload, **more)
        command = [sys.executable, "-m", "fixloop_bot.entrypoints.action"]
        return Step(finished(command, env=environment), environment)

    @contextmanager
    def running(self, pull: PullRequest, **more: Any) -> Iterator[tuple["subprocess.Popen[str]", Mapping[str, str]]]:
        """Start the step for the pull request's opening, and leave it running; it ends with the block at the latest."""
        environment = self.environment("pull_request", self.github.payloads.pull_request(pull), **more)
        command = [sys.executable, "-m", "fixloop_bot.entrypoints.action"]
        pipes: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
        with ended(subprocess.Popen(command, env=environment, text=True, cwd="/", **pipes)) as process:
            yield process, environment

    def on_pull(self, pull: PullRequest, **more: Any) -> Step:
        """Run the step for the pull request's opening."""
        return self.step("pull_request", self.github.payloads.pull_request(pull), **more)

    def on_comment(self, pull: PullRequest, body: str, *, author: str = "pat", **more: Any) -> Step:
        """Let somebody comment, and run the step for it."""
        self.github.advance(5)
        comment = self.shop.comment(pull.number, body, author=author)
        return self.step("issue_comment", self.github.payloads.issue_comment(self.shop, comment), **more)

    @property
    def check(self) -> CheckRun:
        """Return fixloop's newest check run."""
        return [run for run in self.shop.check_runs.values() if run.name == "fixloop"][-1]

    def report(self, pull: PullRequest) -> str:
        """Return fixloop's one report comment."""
        (comment,) = [one for one in self.shop.comments_on(pull.number) if one.body.startswith("<!-- fixloop:report")]
        return comment.body

    def subjects(self, branch: str, since: str) -> list[str]:
        """Return the subjects of a branch's commits after `since`, oldest first."""
        return [message.splitlines()[0] for message in reversed(self.shop.messages(branch, since))]
