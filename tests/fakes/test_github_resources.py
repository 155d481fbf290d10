"""Pull requests, reviews, runs, logs, files, issues: what the fake does with each."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.fakes.github import FakeGitHub, Repository
from tests.fakes.github.plain_client import ask
from tests.fakes.github_stage import SHOP, opened, send, set_up


@pytest.fixture
def github() -> Iterator[FakeGitHub]:
    with FakeGitHub() as fake:
        yield fake


@pytest.fixture
def shop(github: FakeGitHub) -> Repository:
    return set_up(github)


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


def test_a_pull_request_closed_right_after_a_push_keeps_what_was_pushed(github: FakeGitHub, shop: Repository) -> None:
    pull = opened(shop)
    pushed = shop.commit("feature", {"app.py": "three\n"})
    shop.close(pull)
    shop.delete_branch("feature")
    assert send(github, f"{SHOP}/pulls/{pull.number}").body["head"]["sha"] == pushed


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


def test_graphql_tells_even_a_workflow_who_it_is(github: FakeGitHub, shop: Repository) -> None:
    asked = {"query": "query { viewer { login databaseId } }", "variables": {}}
    answer = send(github, github.urls.graphql, "POST", asked).body
    assert answer == {"data": {"viewer": {"login": "github-actions[bot]", "databaseId": 41898282}}}
    assert not github.requests[-1].is_write
    assert send(github, github.urls.graphql, "POST", {"query": "{ viewer { shoeSize } }"}).body["errors"]


def test_another_graphql_query_is_a_violation(github: FakeGitHub, shop: Repository) -> None:
    assert send(github, github.urls.graphql, "POST", {"query": "{ rateLimit { cost } }"}).body["errors"]
    assert github.forgive("rateLimit")
