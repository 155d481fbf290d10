"""`fixloop sweep` on a GitHub of our own: branches whose checks fail, and the command with its environment."""

import sys
import threading
from collections.abc import Mapping, Sequence

from tests.e2e.github_stage import BREAK, Hub
from tests.e2e.workspace import KEY, person_environment
from tests.fakes.github import PullRequest
from tests.fakes.model_script import Scripted
from tests.fakes.model_server import ModelServer, RecordedRequest
from tests.fakes.until import LONGEST_S


def failing(hub: Hub, branch: str, files: Mapping[str, str] = BREAK) -> PullRequest:
    """Return a pull request whose test fails, and whose checks say so."""
    pull = hub.break_it(branch, files)
    hub.shop.workflow_run(pull.head_sha, jobs=[("test", "failure", "E   assert 2 == 3\n")])
    return pull


def sweep_environment(hub: Hub, *, model: ModelServer | None = None, token: str = "") -> dict[str, str]:
    """Return the environment of the command."""
    return person_environment() | {
        "HOME": str(hub.folder),
        "GITHUB_API_URL": hub.github.url,
        "GITHUB_SERVER_URL": hub.github.site,
        "GH_TOKEN": token or hub.github.actions_token(hub.shop),
        "ANTHROPIC_API_KEY": KEY if model else "",
        "ANTHROPIC_BASE_URL": model.url if model else "",
        "FIXLOOP_WRITE_EVERY": "0",
    }


def sweep_command(hub: Hub, *more: str) -> list[str]:
    """Return the command; its state lies in `the state` of the hub's folder."""
    state = ["--state-dir", str(hub.folder / "the state")]
    return [sys.executable, "-m", "fixloop_bot", "sweep", "--repository", "octo/shop", *state, *more]


class TogetherServer(ModelServer):
    """A model that answers nobody before `callers` wait for it: who asks one after the other never hears of it."""

    def __init__(self, replies: Sequence[Scripted], *, callers: int) -> None:
        super().__init__(replies)
        self._all_here = threading.Barrier(callers)
        self._callers, self._lock_callers = callers, threading.Lock()

    def next_reply(self, request: RecordedRequest) -> Scripted:
        with self._lock_callers:
            self._callers -= 1
            is_first = self._callers >= 0
        if is_first:
            self._all_here.wait(LONGEST_S)
        return super().next_reply(request)
