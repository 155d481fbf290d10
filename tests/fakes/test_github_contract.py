"""The fake holds both sides to GitHub's description, and fails the test that breaks it."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.fakes.github import ContractViolationError, FakeGitHub, Repository, contract
from tests.fakes.github.plain_client import Answer, ask
from tests.fakes.github.routes.table import ROUTES

SHOP = "/repos/octo/shop"


@pytest.fixture
def github() -> Iterator[FakeGitHub]:
    with FakeGitHub() as fake:
        yield fake


@pytest.fixture
def shop(github: FakeGitHub) -> Repository:
    return github.repository("octo/shop")


def send(github: FakeGitHub, method: str, path: str, body: Any = None) -> Answer:
    shop = github.repository("octo/shop")
    return ask(github.url + path, token=github.actions_token(shop), method=method, body=body)


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "complaint"),
    [
        pytest.param("GET", f"{SHOP}/no-such-thing", None, 404, "is not a listed operation", id="an unlisted path"),
        pytest.param("PUT", f"{SHOP}/issues/1", {}, 404, "is not a listed operation", id="an unlisted method"),
        pytest.param(
            "POST", f"{SHOP}/issues", {"title": "t", "colour": "red"}, 422, "colour", id="a property that is not listed"
        ),
        pytest.param("POST", f"{SHOP}/issues", {"body": "b"}, 422, '"title" is a required', id="a property is missing"),
        pytest.param(
            "POST", f"{SHOP}/issues", {"title": "t", "body": 5}, 422, "at body", id="a property of a wrong type"
        ),
        pytest.param(
            "GET", f"{SHOP}/issues?colour=red", None, 422, "'colour' is not listed", id="an unlisted parameter"
        ),
        pytest.param("GET", f"{SHOP}/issues?per_page=many", None, 422, "per_page", id="a parameter of a wrong type"),
        pytest.param("GET", f"{SHOP}/issues?state=lost", None, 422, "state", id="a parameter with an unknown word"),
        pytest.param("GET", f"{SHOP}/issues?since=today", None, 422, "since", id="a time in a form of one's own"),
        pytest.param("GET", f"{SHOP}/issues", {"a": 1}, 422, "takes no body", id="a body where none goes"),
        pytest.param("POST", f"{SHOP}/issues", None, 422, "needs a JSON body", id="no body where one goes"),
        pytest.param("POST", f"{SHOP}/issues", b"{", 400, "no JSON", id="a body that is no JSON"),
        pytest.param(
            "POST", f"{SHOP}/git/blobs", {"content": "x"}, 501, "does not serve", id="a path listed, not served"
        ),
    ],
)
def test_a_request_that_the_description_does_not_know_is_refused_and_kept(
    github: FakeGitHub, method: str, path: str, body: Any, status: int, complaint: str
) -> None:
    answer = send(github, method, path, body)
    assert answer.status == status
    assert github.forgive(complaint)
    assert not github.violations


CHECK = {"name": "fixloop", "status": "in_progress"}
ANNOTATION = {"path": "a", "start_line": 1, "end_line": 1, "annotation_level": "failure", "message": "m"}
ACTION = {"label": "Retry", "description": "Try again", "identifier": "retry"}


def output(**changed: Any) -> dict[str, Any]:
    return {"output": {"title": "t", "summary": "s", **changed}}


@pytest.mark.parametrize(
    ("part", "complaint"),
    [
        pytest.param(output(annotations=[ANNOTATION] * 51), "annotations", id="51 annotations"),
        pytest.param(output(summary="x" * 65_536), "summary", id="a summary of 65,536 characters"),
        pytest.param(output(text="x" * 65_536), "text", id="a text of 65,536 characters"),
        pytest.param(output(annotations=[{**ANNOTATION, "severity": 1}]), "severity", id="an unlisted field far down"),
        pytest.param({"actions": [ACTION] * 4}, "actions", id="four buttons"),
        pytest.param({"actions": [{**ACTION, "label": "x" * 21}]}, "label", id="a label of 21 characters"),
        pytest.param({"actions": [{**ACTION, "description": "x" * 41}]}, "description", id="a description of 41"),
        pytest.param({"actions": [{**ACTION, "identifier": "x" * 21}]}, "identifier", id="an identifier of 21"),
        pytest.param({"status": "completed"}, "conclusion", id="completed without a conclusion"),
        pytest.param({"conclusion": "splendid"}, "conclusion", id="a conclusion of one's own"),
        pytest.param({"colour": "red"}, "colour", id="an unlisted field"),
    ],
)
def test_a_check_run_over_githubs_limits_is_refused_when_made_and_when_changed(
    github: FakeGitHub, shop: Repository, part: dict[str, Any], complaint: str
) -> None:
    body = {**CHECK, "head_sha": shop.head()}
    made = send(github, "POST", f"{SHOP}/check-runs", body).body["id"]
    for method, path, sent in [
        ("POST", f"{SHOP}/check-runs", {**body, **part}),
        ("PATCH", f"{SHOP}/check-runs/{made}", {**CHECK, **part}),
    ]:
        assert send(github, method, path, sent).status == 422
        assert github.forgive(complaint)
    assert [run.conclusion for run in shop.check_runs.values()] == [None]


def test_exactly_at_the_limits_a_check_run_is_taken(github: FakeGitHub, shop: Repository) -> None:
    action = {"label": "x" * 20, "description": "x" * 40, "identifier": "x" * 20}
    full = output(annotations=[ANNOTATION] * 50, summary="x" * 65_535, text="x" * 65_535)
    body = {**CHECK, "head_sha": shop.head(), **full, "actions": [action] * 3}
    assert send(github, "POST", f"{SHOP}/check-runs", body).status == 201


def test_the_end_of_the_context_raises_every_violation() -> None:
    with pytest.raises(ContractViolationError, match="no-such-thing as nobody is not a listed"):  # noqa: SIM117
        with FakeGitHub() as github:
            ask(f"{github.url}/no-such-thing")


def test_a_test_that_fails_by_itself_keeps_its_own_error() -> None:
    github = FakeGitHub()
    github.violate("something")
    with pytest.raises(ZeroDivisionError), github:
        raise ZeroDivisionError


def test_forgiving_what_never_happened_is_an_error(github: FakeGitHub) -> None:
    with pytest.raises(AssertionError, match="no violation says"):
        github.forgive("anything")


@pytest.mark.parametrize(
    ("name", "status", "change"),
    [
        pytest.param("GET /user", 200, {"login": 5}, id="a wrong type"),
        pytest.param("GET /user", 200, {"created_at": "yesterday"}, id="a time that is none"),
        pytest.param("GET /user", 200, {"html_url": "not a url"}, id="an address that is none"),
        pytest.param("GET /user", 418, {"message": 5}, id="an error in another form"),
        pytest.param("GET /user", 202, {}, id="a status that is not listed"),
    ],
)
def test_an_answer_of_the_fakes_own_is_judged_too(
    github: FakeGitHub, name: str, status: int, change: dict[str, Any]
) -> None:
    good = ask(f"{github.url}/user", token=github.user_token("pat")).body
    operation, _ = contract.find(*name.split()) or pytest.fail(name)
    assert contract.response_faults(operation, 200, good) == []
    assert contract.response_faults(operation, status, {**good, **change})


def test_what_breaks_inside_the_fake_fails_the_test_and_answers_the_client(github: FakeGitHub) -> None:
    shop = github.repository("octo/shop")
    shop.statuses = None  # type: ignore[assignment]
    answer = ask(f"{github.url}{SHOP}/commits/main/status", token=github.user_token("pat"))
    assert answer.status == 500
    assert github.forgive("the fake broke on GET /repos/octo/shop/commits/main/status as pat")


def test_the_table_serves_only_what_is_listed() -> None:
    listed = {operation.name for operation in contract.operations()}
    assert set(ROUTES) <= listed
    unserved = {name for name in listed - set(ROUTES) - {"GET /rate_limit"} if not name.startswith("POST /repos")}
    assert unserved == {"GET /repos/{owner}/{repo}/git/trees/{tree_sha}"}


def test_the_description_is_what_its_readme_says() -> None:
    described = json.loads(contract.DESCRIPTION.read_text(encoding="utf-8"))
    readme = (contract.DESCRIPTION.parent / "README.md").read_text(encoding="utf-8")
    assert f"{len(described['paths'])} paths" in readme
    assert described["info"]["license"]["name"] == "MIT"
