"""host/action.yml, run by `act` from a workflow on this machine as a runner would run it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.github_stage import GREEN, REPAIR, Hub
from tests.e2e.workspace import KEY, git, person_environment
from tests.fakes.github import FakeGitHub, PullRequest
from tests.fakes.model_server import ModelServer

ROOT = Path(__file__).parents[2]
ACT = Path(sys.executable).parent / "act"
WORKFLOW = """\
on: pull_request
jobs:
  repair:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v7
      - id: fixloop
        uses: ./host
        with:
          github-token: ${{ secrets.TOKEN }}
          anthropic-api-key: ${{ secrets.KEY }}
          anthropic-base-url: ${{ vars.MODEL }}
          max-retries: ${{ vars.RETRIES }}
      - run: echo 'outputs ${{ toJSON(steps.fixloop.outputs) }}' | tr -d '\\n'
"""


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    with FakeGitHub() as github:
        github.user("pat", permission="write")
        yield Hub(github, github.repository("octo/shop", files=GREEN), tmp_path)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A clone of this repository with a workflow that uses the Action from beside it."""
    root = tmp_path / "a checkout"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(root)], check=True, env=person_environment())
    for path in (root / ".github/workflows").iterdir():
        path.unlink()
    (root / ".github/workflows/fixloop.yml").write_text(WORKFLOW)
    git(root, "add", "-A")
    git(root, "-c", "user.name=Pat", "-c", "user.email=pat@example.org", "commit", "--quiet", "-m", "Use fixloop")
    return root


def act(checkout: Path, hub: Hub, pull: PullRequest, *, model: str, retries: str = "") -> tuple[int, str]:
    """Run the workflow for the pull request's opening; return its exit code and log."""
    event = checkout.parent / "event.json"
    event.write_text(json.dumps(hub.github.payloads.pull_request(pull)))
    step = {
        "GITHUB_API_URL": hub.github.url,
        "GITHUB_SERVER_URL": hub.github.site,
        "GITHUB_REPOSITORY": hub.shop.full_name,
    }
    given = [f"--env={name}={value}" for name, value in step.items()]
    secrets = [f"--secret=TOKEN={hub.github.actions_token(hub.shop)}", f"--secret=KEY={KEY}"]
    variables = [f"--var=MODEL={model}", f"--var=RETRIES={retries}"]
    command = [str(ACT), "pull_request", "--platform=ubuntu-latest=-self-hosted", f"--eventpath={event}"]
    path = f"{ACT.parent}{os.pathsep}{os.environ['PATH']}"  # the job's toolchain, with pytest in it
    env = person_environment() | {"HOME": str(checkout.parent / "home"), "PATH": path}
    done = subprocess.run(
        [*command, *given, *secrets, *variables],
        cwd=checkout, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=400, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def test_the_host_action_repairs_a_pull_request_and_hands_its_outputs_on(hub: Hub, checkout: Path) -> None:
    pull = hub.break_it()
    start = pull.head_sha
    with ModelServer([REPAIR]) as model:
        code, log = act(checkout, hub, pull, model=model.url)
    assert code == 0, log
    assert hub.subjects("feature", start) == ["fix-loop: test clean (iteration 1)"], log
    assert "DONE" in hub.report(pull)
    (line,) = [line for line in log.splitlines() if "| outputs {" in line]
    outputs = json.loads(line.partition("outputs ")[2])
    assert (outputs["status"], outputs["terminal-state"]) == ("DONE", "Succeeded")
    assert outputs["commits"] == hub.shop.head("feature")
    assert KEY not in log


def test_a_wrong_input_fails_the_step_and_says_which(hub: Hub, checkout: Path) -> None:
    pull = hub.break_it()
    with ModelServer([]) as model:
        code, log = act(checkout, hub, pull, model=model.url, retries="many")
    assert code == 1
    assert "max-retries" in log
    assert model.requests == []
