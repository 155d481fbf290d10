"""A repository on a fake GitHub, and a workflow's token that asks it things."""

from typing import Any

from tests.fakes.github import FakeGitHub, PullRequest, Repository
from tests.fakes.github.plain_client import Answer, ask

SHOP = "/repos/octo/shop"


def set_up(github: FakeGitHub) -> Repository:
    """Return a repository with one file of three lines and issue 1."""
    made = github.repository("octo/shop", files={"app.py": "one\ntwo\nthree\n"})
    made.open_issue("Dashboard")
    return made


def send(github: FakeGitHub, path: str, method: str = "GET", body: Any = None, **headers: str) -> Answer:
    """Send one request with a fresh token of a workflow; `path` may be a whole address."""
    token = github.actions_token(github.repository("octo/shop"))
    url = path if path.startswith("http") else github.url + path
    return ask(url, token=token, method=method, body=body, headers=headers)


def opened(shop: Repository) -> PullRequest:
    """Return a pull request that changes the second line."""
    shop.commit("feature", {"app.py": "one\n2\nthree\n"})
    return shop.open_pull("feature")
