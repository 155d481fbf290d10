"""Pages, caches, limits, faults, and people who act at the wrong moment."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.fakes.github import FakeGitHub, PullRequest, Repository, Request
from tests.fakes.github.plain_client import Answer, ask

SHOP = "/repos/octo/shop"


@pytest.fixture
def github() -> Iterator[FakeGitHub]:
    with FakeGitHub() as fake:
        yield fake


@pytest.fixture
def shop(github: FakeGitHub) -> Repository:
    made = github.repository("octo/shop", files={"app.py": "one\ntwo\nthree\n"})
    made.open_issue("Dashboard")
    return made


def send(github: FakeGitHub, path: str, method: str = "GET", body: Any = None, **headers: str) -> Answer:
    token = github.actions_token(github.repository("octo/shop"))
    url = path if path.startswith("http") else github.url + path
    return ask(url, token=token, method=method, body=body, headers=headers)


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


def opened(shop: Repository) -> PullRequest:
    shop.commit("feature", {"app.py": "one\n2\nthree\n"})
    return shop.open_pull("feature")


@pytest.mark.parametrize(
    ("part", "status"),
    [
        pytest.param({"line": 2}, 201, id="a changed line"),
        pytest.param({"line": 3, "start_line": 1}, 201, id="a range that the diff shows"),
        pytest.param({"line": 2, "side": "LEFT"}, 201, id="a line of the old file"),
        pytest.param({"line": 9}, 422, id="a line that the diff does not show"),
        pytest.param({"line": 2, "path": "other.py"}, 422, id="a file that did not change"),
        pytest.param({"line": 2, "commit_id": "0" * 40}, 422, id="a commit that is not there"),
    ],
)
def test_a_suggestion_stands_on_lines_of_the_diff(
    github: FakeGitHub, shop: Repository, part: dict[str, Any], status: int
) -> None:
    pull = opened(shop)
    suggestion = "```suggestion\ntwo\n```"
    body = {"body": suggestion, "path": "app.py", "commit_id": pull.head_sha, **part}
    assert send(github, f"{SHOP}/pulls/{pull.number}/comments", "POST", body).status == status
    assert [item.body for item in shop.review_comments.values()] == [suggestion] * (status == 201)


def test_a_review_with_one_bad_line_leaves_nothing(github: FakeGitHub, shop: Repository) -> None:
    path = f"{SHOP}/pulls/{opened(shop).number}/reviews"
    good, bad = ({"path": "app.py", "line": line, "body": "b"} for line in (2, 99))
    assert send(github, path, "POST", {"event": "COMMENT", "body": "r", "comments": [good, bad]}).status == 422
    assert (shop.reviews, shop.review_comments) == ({}, {})
    assert send(github, path, "POST", {"event": "COMMENT", "body": "r", "comments": [good]}).status == 200
    (comment,) = shop.review_comments.values()
    assert (comment.line, comment.hunk) == (2, "@@ -1,3 +1,3 @@\n one\n-two\n+2")


def test_a_pull_request_outlives_its_fork(github: FakeGitHub, shop: Repository) -> None:
    fork = shop.fork("eve")
    head = fork.commit("feature", {"app.py": "x\n"}, author="eve")
    number = shop.open_pull("feature", source=fork, author="eve").number
    fork.delete()
    pull = send(github, f"{SHOP}/pulls/{number}").body
    assert (pull["head"]["repo"], pull["head"]["sha"], pull["changed_files"]) == (None, head, 1)
    assert send(github, "/repos/eve/shop").status == 404


def test_a_closed_pull_request_keeps_its_head_and_a_merged_one_moves_the_base(
    github: FakeGitHub, shop: Repository
) -> None:
    pull = opened(shop)
    head = pull.head_sha
    merged = shop.merge(pull)
    shop.delete_branch("feature")
    shop.commit("feature", {"app.py": "another branch of that name\n"})
    answer = send(github, f"{SHOP}/pulls/{pull.number}").body
    assert (answer["state"], answer["merged"], answer["head"]["sha"]) == ("closed", True, head)
    assert (shop.head(), shop.association(pull.author)) == (merged, "CONTRIBUTOR")
    assert send(github, f"{SHOP}/pulls").body == []


@pytest.mark.parametrize(
    ("theirs", "clean"),
    [pytest.param("other.py", True, id="another file"), pytest.param("app.py", False, id="the same lines")],
)
def test_a_pull_request_tells_whether_it_can_be_merged(
    github: FakeGitHub, shop: Repository, theirs: str, *, clean: bool
) -> None:
    pull = opened(shop)
    shop.commit("main", {theirs: "theirs\n"})
    answer = send(github, f"{SHOP}/pulls/{pull.number}").body
    assert (answer["mergeable"], answer["mergeable_state"]) == (clean, "clean" if clean else "dirty")


def test_the_same_reaction_twice_is_one(github: FakeGitHub, shop: Repository) -> None:
    comment = shop.comment(1, "/fixloop")
    path = f"{SHOP}/issues/comments/{comment.id}/reactions"
    statuses = [send(github, path, "POST", {"content": "eyes"}).status for _ in range(2)]
    assert (statuses, len(comment.reactions)) == ([201, 200], 1)
    assert send(github, f"{path}/{comment.reactions[0].id}", "DELETE").status == 204
    assert comment.reactions == []


@pytest.mark.parametrize(
    ("base", "head", "message"),
    [
        pytest.param("main", "feature", "A pull request already exists for octo:feature.", id="a second one"),
        pytest.param("main", "same", "No commits between main and same", id="one without commits"),
        pytest.param("main", "nowhere", None, id="one from nowhere"),
        pytest.param("nowhere", "feature", None, id="one to nowhere"),
    ],
)
def test_a_pull_request_that_cannot_be_is_a_422(
    github: FakeGitHub, shop: Repository, base: str, head: str, message: str | None
) -> None:
    opened(shop)
    shop.branch("same")
    answer = send(github, f"{SHOP}/pulls", "POST", {"title": "t", "head": head, "base": base})
    assert answer.status == 422
    assert answer.body["errors"][0].get("message") == message


def test_the_logs_of_a_job_lie_elsewhere_and_take_no_credential(github: FakeGitHub, shop: Repository) -> None:
    run = shop.workflow_run(shop.head(), [("test", "failure", "E  boom\n")])
    sent = send(github, f"{SHOP}/actions/jobs/{run.jobs[0].id}/logs")
    assert sent.status == 302
    there = sent.headers["location"]
    assert send(github, there).status == 400
    assert ask(there.partition("?")[0]).status == 403
    assert ask(there).raw.endswith(b"E  boom\n")
    archive = send(github, f"{SHOP}/actions/runs/{run.id}/logs").headers["location"]
    assert ask(archive).raw.startswith(b"PK")


def test_a_run_and_its_suite_end_as_their_worst_job(github: FakeGitHub, shop: Repository) -> None:
    run = shop.workflow_run(shop.head(), [("lint", "success", ""), ("test", "failure", "")])
    suites = send(github, f"{SHOP}/commits/{run.head_sha}/check-suites").body["check_suites"]
    assert [(suite["conclusion"], suite["app"]["slug"]) for suite in suites] == [("failure", "github-actions")]
    jobs = send(github, f"{SHOP}/actions/runs/{run.id}/jobs").body["jobs"]
    assert [(job["name"], job["conclusion"]) for job in jobs] == [("lint", "success"), ("test", "failure")]
    checks = send(github, f"{SHOP}/commits/main/check-runs?check_name=test").body["check_runs"]
    assert [check["conclusion"] for check in checks] == ["failure"]


def test_a_workflow_is_started_by_its_file_name(github: FakeGitHub, shop: Repository) -> None:
    shop.commit("main", {".github/workflows/ci.yml": "on: workflow_dispatch\n"})
    token = github.actions_token(shop, permissions={"actions": "write"})
    start = f"{github.url}{SHOP}/actions/workflows/"
    assert ask(f"{start}ci.yml/dispatches", token=token, method="POST", body={"ref": "main"}).status == 204
    assert ask(f"{start}no.yml/dispatches", token=token, method="POST", body={"ref": "main"}).status == 404
    assert [(run.event, run.status) for run in shop.runs.values()] == [("workflow_dispatch", "queued")]


def test_two_branches_are_compared(github: FakeGitHub, shop: Repository) -> None:
    opened(shop)
    shop.commit("main", {"other.py": "x\n", "app.py": None})
    compared = send(github, f"{SHOP}/compare/main...feature").body
    assert (compared["status"], compared["ahead_by"], compared["behind_by"]) == ("diverged", 1, 1)
    assert [(file["filename"], file["status"], file["changes"]) for file in compared["files"]] == [
        ("app.py", "modified", 2)
    ]


@pytest.mark.parametrize(
    ("path", "kind"),
    [("app.py", "file"), ("folder", "list"), ("folder/link", "symlink"), ("", "list"), ("none", "missing")],
)
def test_the_content_of_a_path_is_read_from_git(github: FakeGitHub, shop: Repository, path: str, kind: str) -> None:
    shop.commit("main", {"folder/link": "../app.py", "folder/ü.txt": "ü"}, modes={"folder/link": "120000"})
    answer = send(github, f"{SHOP}/contents/{path}" if path else f"{SHOP}/contents/.")
    found = {404: "missing", 200: answer.body.get("type") if isinstance(answer.body, dict) else "list"}
    assert found[answer.status] == kind or path == ""


def test_an_issue_is_opened_changed_and_closed(github: FakeGitHub, shop: Repository) -> None:
    made = send(github, f"{SHOP}/issues", "POST", {"title": "fixloop dashboard", "body": "b", "labels": ["bot"]}).body
    path = f"{SHOP}/issues/{made['number']}"
    closed = send(github, path, "PATCH", {"state": "closed", "body": "done"}).body
    assert (closed["state_reason"], closed["closed_by"]["login"]) == ("completed", "github-actions[bot]")
    assert [issue["number"] for issue in send(github, f"{SHOP}/issues?labels=bot&state=all").body] == [made["number"]]
    assert [issue["number"] for issue in send(github, f"{SHOP}/issues").body] == [1]


@pytest.mark.parametrize(("name", "hidden"), [("minimizeComment", "OUTDATED"), ("unminimizeComment", None)])
def test_a_comment_is_hidden_and_shown_through_graphql(
    github: FakeGitHub, shop: Repository, name: str, hidden: str | None
) -> None:
    comment = shop.comment(1, "old news")
    comment.minimized = "SPAM"
    subject = send(github, f"{SHOP}/issues/comments/{comment.id}").body["node_id"]
    query = f"mutation($input: X!) {{ {name}(input: $input) {{ clientMutationId }} }}"
    body = {"query": query, "variables": {"input": {"subjectId": subject, "classifier": "OUTDATED"}}}
    assert "errors" not in send(github, github.urls.graphql, "POST", body).body
    assert comment.minimized == hidden


def test_another_graphql_query_is_a_violation(github: FakeGitHub, shop: Repository) -> None:
    assert send(github, github.urls.graphql, "POST", {"query": "{ viewer { login } }"}).body["errors"]
    assert github.forgive("viewer")
