"""Two clients that know nothing of each other tell the fake the same story and must be understood."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from github import (
    Auth,
    BadCredentialsException,
    Github,
    GithubException,
    GithubRetry,
    RateLimitExceededException,
    UnknownObjectException,
)

from tests.fakes.github import FakeGitHub, Installation, Repository
from tests.fakes.github.plain_client import ask
from tests.fakes.github_stories import Github3Teller, PyGithubTeller, Teller, push

MakeTeller = Callable[[FakeGitHub, Repository, Installation], Teller]


@pytest.fixture(params=[False, True], ids=["on github.com", "on GitHub Enterprise Server"])
def github(request: pytest.FixtureRequest) -> Iterator[FakeGitHub]:
    with FakeGitHub(enterprise=request.param) as fake:
        yield fake


@pytest.mark.parametrize("kind", [PyGithubTeller, Github3Teller], ids=["told by PyGithub", "told by github3.py"])
def test_a_bot_tells_the_whole_story_of_a_pull_request(github: FakeGitHub, kind: MakeTeller, tmp_path: Path) -> None:
    shop = github.repository("octo/shop", files={"app.py": "x = 1\n" * 60})
    github.user("pat", permission="maintain")
    shop.protect("main")
    sha = shop.commit("feature", {"app.py": "x = \n" * 60}, author="pat")
    log = "2026-11-30T12:00:00Z E   SyntaxError: ünexpected\n"
    shop.workflow_run(sha, [("test", "failure", log)], branch="feature")
    installation = github.install(github.app("fixloop"), shop)
    teller = kind(github, shop, installation)

    number, head = teller.open_pull("feature")
    pull = shop.pulls[number]
    assert (head, pull.author.login, pull.body) == (sha, "fixloop[bot]", "on purpose")

    comment = shop.comments[teller.comment_and_edit(number, "working", "done")]
    assert list(comment.bodies) == ["working", "done"]
    assert (comment.author.login, comment.app) == ("fixloop[bot]", installation.app)

    for count in range(249):
        shop.comment(number, f"comment {count}")
    assert teller.comments(number) == ["done", *(f"comment {count}" for count in range(249))]

    conclusion, annotations = teller.check(sha)
    assert (conclusion, len(annotations)) == ("failure", 100)
    (check,) = [run for run in shop.check_runs.values() if run.name == "fixloop"]
    assert (check.status, check.title, check.suite.conclusion) == ("completed", "Broken", "failure")

    assert (teller.protected("main"), teller.protected("feature")) == (True, False)
    assert teller.file("app.py", "feature") == b"x = \n" * 60

    if isinstance(teller, PyGithubTeller):  # the other has no such calls
        assert teller.react(number, comment.id, "eyes") == ["eyes"]
        assert [(reaction.content, reaction.account.login) for reaction in comment.reactions] == [
            ("eyes", "fixloop[bot]")
        ]
        assert teller.permission("pat") == "maintain"
        assert teller.job_log(sha).decode("utf-8-sig") == log

    token = github.installation_token(installation)
    pushed = push(github.clone_url(shop), token, tmp_path / "clone", "feature", {"app.py": "x = 2\n"})
    assert pushed.returncode == 0, pushed.stderr
    assert shop.read("app.py", "feature") == "x = 2\n"
    assert pull.head_sha == shop.head("feature") != sha
    assert shop.git.refs("refs/pull/")[f"refs/pull/{number}/head"] == pull.head_sha
    (event,) = github.pushes
    assert (event.actor.login, event.update.old, event.update.new) == ("fixloop[bot]", sha, pull.head_sha)


def test_every_address_in_an_answer_leads_back_to_the_same_server(github: FakeGitHub) -> None:
    shop = github.repository("octo/shop")
    shop.commit("feature/a#b", {"a.txt": "a"})
    installation = github.install(github.app("fixloop"), shop)
    teller = PyGithubTeller(github, shop, installation)
    number, _ = teller.open_pull("feature/a#b")
    raw = teller.repo.get_pull(number).raw_data
    addresses = [text for text in _texts(raw) if text.startswith("http")]
    assert len(addresses) > 100
    assert {address.startswith(github.site) for address in addresses} == {True}
    assert raw["url"].startswith(github.url)


def _texts(item: object) -> Iterator[str]:
    if isinstance(item, str):
        yield item
    elif isinstance(item, dict | list):
        for value in item.values() if isinstance(item, dict) else item:
            yield from _texts(value)


@pytest.mark.parametrize(
    ("situation", "error"),
    [
        pytest.param("unknown token", BadCredentialsException, id="an unknown token"),
        pytest.param("missing", UnknownObjectException, id="something that is not there"),
        pytest.param("no requests left", RateLimitExceededException, id="the hour used up"),
        pytest.param("too fast", RateLimitExceededException, id="the secondary limit"),
        pytest.param("not permitted", GithubException, id="a missing permission"),
    ],
)
def test_pygithub_takes_each_refusal_for_what_it_is(
    github: FakeGitHub, situation: str, error: type[GithubException]
) -> None:
    shop = github.repository("octo/shop")
    token = github.actions_token(shop, permissions={"issues": "read"})
    client = Github(
        base_url=github.url,
        auth=Auth.Token("ghs_unknown" if situation == "unknown token" else token),
        retry=None,
        seconds_between_requests=0,
        seconds_between_writes=0,
    )
    if situation == "no requests left":
        github.exhaust_rate()
    if situation == "too fast":
        github.conditions.limit_writes()
    repository = "octo/nothing" if situation == "missing" else "octo/shop"
    with pytest.raises(error) as caught:
        client.get_repo(repository).create_issue("Dashboard")
    assert type(caught.value) is error
    assert shop.issues == {}


def test_pygithub_tries_again_when_told_to_wait_and_comments_once(github: FakeGitHub) -> None:
    shop = github.repository("octo/shop")
    shop.open_issue("Dashboard")
    github.conditions.limit_writes(retry_after=0)
    github.conditions.fail(status=502, method="POST")
    auth = Auth.Token(github.actions_token(shop))
    retry = GithubRetry(total=3, backoff_factor=0, secondary_rate_wait=0)
    client = Github(base_url=github.url, auth=auth, retry=retry, seconds_between_writes=0, seconds_between_requests=0)
    client.get_repo("octo/shop").get_issue(1).create_comment("hello")
    assert [comment.body for comment in shop.comments_on(1)] == ["hello"]
    assert [request.method for request in github.writes] == ["POST"] * 3


def test_many_clients_at_once_are_each_heard(github: FakeGitHub) -> None:
    shop = github.repository("octo/shop")
    shop.open_issue("Dashboard")
    token = github.actions_token(shop)

    def comment(number: int) -> int:
        url = f"{github.url}/repos/octo/shop/issues/1/comments"
        return ask(url, token=token, method="POST", body={"body": str(number)}).status

    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(comment, range(60)))
    assert statuses == [201] * 60
    assert sorted(int(item.body) for item in shop.comments_on(1)) == list(range(60))
    assert len(shop.comments) == len(github.requests) == 60
