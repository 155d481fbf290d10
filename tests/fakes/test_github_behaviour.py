"""Pages, caches, limits, faults, and people who act at the wrong moment."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.fakes.github import FakeGitHub, Repository, Request
from tests.fakes.github.plain_client import Answer, ask
from tests.fakes.github_stage import SHOP, send, set_up


@pytest.fixture
def github() -> Iterator[FakeGitHub]:
    with FakeGitHub() as fake:
        yield fake


@pytest.fixture
def shop(github: FakeGitHub) -> Repository:
    return set_up(github)


def relations(answer: Answer) -> dict[str, str]:
    parts = [part.partition("; rel=") for part in answer.headers.get("link", "").split(", ") if part]
    return {name.strip('"'): address.strip("<>") for address, _, name in parts}


def test_a_list_comes_in_pages_that_link_to_each_other(github: FakeGitHub, shop: Repository) -> None:
    for number in range(65):
        shop.comment(1, str(number))
    page = send(github, f"{SHOP}/issues/1/comments?since=2020-01-01T00:00:00Z")
    sizes = [len(page.body)]
    assert set(relations(page)) == {"next", "last"}
    while following := relations(page).get("next"):
        page = send(github, following)
        sizes.append(len(page.body))
    assert sizes == [30, 30, 5]
    assert set(relations(page)) == {"prev", "first"}
    assert "since=2020" in relations(page)["first"]


@pytest.mark.parametrize(
    ("query", "size"),
    [
        pytest.param("?per_page=1000", 100, id="a page holds a hundred at most"),
        pytest.param("?per_page=7", 7, id="or as many as asked for"),
        pytest.param("?page=99", 0, id="and is empty after the end"),
    ],
)
def test_a_page_has_its_size(github: FakeGitHub, shop: Repository, query: str, size: int) -> None:
    for number in range(120):
        shop.comment(1, str(number))
    assert len(send(github, f"{SHOP}/issues/1/comments{query}").body) == size


def test_a_client_that_has_the_answer_already_gets_none(github: FakeGitHub, shop: Repository) -> None:
    first = send(github, f"{SHOP}/issues/1")
    again = send(github, f"{SHOP}/issues/1", **{"If-None-Match": first.headers["etag"]})
    assert (again.status, again.raw) == (304, b"")
    shop.comment(1, "news")
    changed = send(github, f"{SHOP}/issues/1", **{"If-None-Match": first.headers["etag"]})
    assert (changed.status, changed.body["comments"]) == (200, 1)


def test_every_answer_tells_how_many_requests_are_left(github: FakeGitHub, shop: Repository) -> None:
    left = [int(send(github, SHOP).headers["x-ratelimit-remaining"]) for _ in range(3)]
    assert left == [4999, 4998, 4997]
    overview = send(github, "/rate_limit")
    assert overview.body["resources"]["core"]["remaining"] == 4997


@pytest.mark.parametrize("status", [403, 429])
def test_nothing_is_answered_when_the_hour_is_used_up(github: FakeGitHub, shop: Repository, status: int) -> None:
    github.exhaust_rate(seconds=60, status=status)
    refused = send(github, f"{SHOP}/issues/1/comments", "POST", {"body": "hello"})
    assert (refused.status, refused.headers["x-ratelimit-remaining"]) == (status, "0")
    assert refused.message.startswith("API rate limit exceeded")
    assert shop.comments_on(1) == []
    github.advance(60)
    assert send(github, SHOP).status == 200


def test_the_third_write_meets_the_secondary_limit(github: FakeGitHub, shop: Repository) -> None:
    github.conditions.limit_writes(after=2, retry_after=7)
    answers = []
    for number in range(4):
        answers.append(send(github, f"{SHOP}/issues/1/comments", "POST", {"body": str(number)}))
        assert send(github, f"{SHOP}/issues/1").status == 200
    assert [answer.status for answer in answers] == [201, 201, 403, 201]
    assert answers[2].headers["retry-after"] == "7"
    assert "secondary rate limit" in answers[2].message
    assert [comment.body for comment in shop.comments_on(1)] == ["0", "1", "3"]


def test_a_fault_befalls_the_requests_that_it_was_ordered_for(github: FakeGitHub, shop: Repository) -> None:
    github.conditions.fail(status=502, method="PATCH", path="*/issues/*", times=2, skip=1)
    body = {"title": "New"}
    statuses = [send(github, f"{SHOP}/issues/1", "PATCH", body).status for _ in range(4)]
    assert statuses == [200, 502, 502, 200]
    assert send(github, f"{SHOP}/issues/1").status == 200
    assert len(github.writes) == 4


def test_an_answer_comes_late_when_ordered(github: FakeGitHub, shop: Repository) -> None:
    github.conditions.slow(600, path="*/issues/1")
    token = github.actions_token(shop)
    with pytest.raises(TimeoutError):
        ask(f"{github.url}{SHOP}/issues/1", token=token, timeout=0.2)
    assert ask(f"{github.url}{SHOP}/issues/1", token=token).status == 200


def test_a_person_is_quicker_than_the_bot(github: FakeGitHub, shop: Repository) -> None:
    seen = []

    def push(request: Request) -> None:
        seen.append(str(request))
        shop.commit("main", {"app.py": "theirs\n"}, author="pat")

    base = shop.head()
    mine = shop.commit("mine", {"app.py": "mine\n"})
    github.conditions.before("PATCH", "*/git/refs/heads/main", push)
    refused = send(github, f"{SHOP}/git/refs/heads/main", "PATCH", {"sha": mine})
    assert (refused.status, refused.message) == (422, "Update is not a fast forward")
    assert seen == ["PATCH /repos/octo/shop/git/refs/heads/main as github-actions[bot]"]
    assert shop.read("app.py") == "theirs\n"
    assert shop.messages("main", since=base) == ["Change"]


def test_a_person_answers_at_once(github: FakeGitHub, shop: Repository) -> None:
    github.conditions.after("POST", "*/comments", lambda _: shop.comment(1, "/fixloop stop", author="pat"))
    made = send(github, f"{SHOP}/issues/1/comments", "POST", {"body": "working"})
    assert made.status == 201
    assert [comment.body for comment in shop.comments_on(1)] == ["working", "/fixloop stop"]


@pytest.mark.parametrize(
    ("length", "status"),
    [pytest.param(65_536, 201, id="a body at the limit"), pytest.param(65_537, 422, id="a body over it")],
)
def test_a_comment_has_a_limit_in_characters(github: FakeGitHub, shop: Repository, length: int, status: int) -> None:
    answer = send(github, f"{SHOP}/issues/1/comments", "POST", {"body": "ü" * length})
    assert answer.status == status
    if status == 422:
        assert answer.body["errors"][0]["message"] == "Body is too long (maximum is 65536 characters)"


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        pytest.param("POST", "check-runs", {"name": "x", "head_sha": "0" * 40}, id="a check run"),
        pytest.param("POST", f"statuses/{'0' * 40}", {"state": "success"}, id="a status"),
        pytest.param("GET", f"commits/{'0' * 40}", None, id="a commit"),
        pytest.param("GET", f"commits/{'0' * 40}/check-runs", None, id="check runs"),
        pytest.param("GET", f"commits/{'0' * 40}/pulls", None, id="pull requests"),
        pytest.param("POST", "git/refs", {"ref": "refs/heads/new", "sha": "0" * 40}, id="a ref"),
    ],
)
def test_a_commit_that_is_not_there_is_a_422(
    github: FakeGitHub, shop: Repository, method: str, path: str, body: Any
) -> None:
    assert send(github, f"{SHOP}/{path}", method, body).status == 422
