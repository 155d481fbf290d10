"""Who may do what: the fake refuses what GitHub refuses, in GitHub's words."""

import time
from collections.abc import Iterator, Mapping
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.fakes.github import App, FakeGitHub, Repository
from tests.fakes.github.plain_client import Answer, ask

SHOP = "/repos/octo/shop"
INTEGRATION = "Resource not accessible by integration"


class Stage:
    """A fake with one repository and one issue."""

    def __init__(self) -> None:
        self.github = FakeGitHub()
        self.shop: Repository = self.github.repository("octo/shop")
        self.shop.open_issue("Dashboard")

    def ask(self, path: str, token: str | None, *, method: str = "GET", body: Any = None) -> Answer:
        """Send one request."""
        return ask(self.github.url + path, token=token, method=method, body=body)


@pytest.fixture
def stage() -> Iterator[Stage]:
    made = Stage()
    with made.github:
        yield made


COMMENT = ("POST", f"{SHOP}/issues/1/comments", {"body": "hello"})
REF = ("PATCH", f"{SHOP}/git/refs/heads/main", {"sha": "", "force": True})
CHECK = ("POST", f"{SHOP}/check-runs", {"name": "fixloop", "head_sha": ""})
READ = ("GET", f"{SHOP}/contents/README.md", None)
PROTECTION = ("GET", f"{SHOP}/branches/main/protection", None)


def send(stage: Stage, wanted: tuple[str, str, Any], token: str | None) -> Answer:
    method, path, body = wanted
    if body:
        body = {name: stage.shop.head() if value == "" else value for name, value in body.items()}
    return stage.ask(path, token, method=method, body=body)


@pytest.mark.parametrize(
    ("granted", "wanted", "status"),
    [
        pytest.param({"issues": "write"}, COMMENT, 201, id="issues:write comments"),
        pytest.param({"issues": "read"}, COMMENT, 403, id="issues:read does not comment"),
        pytest.param({"pull_requests": "write"}, COMMENT, 403, id="pull_requests:write does not comment on an issue"),
        pytest.param({"contents": "write"}, REF, 200, id="contents:write moves a ref"),
        pytest.param({"contents": "read"}, REF, 403, id="contents:read does not move a ref"),
        pytest.param({"contents": "read"}, READ, 200, id="contents:read reads a file"),
        pytest.param({"issues": "write"}, READ, 403, id="issues:write does not read a file"),
        pytest.param({"checks": "write"}, CHECK, 201, id="checks:write makes a check run"),
        pytest.param({"contents": "write"}, CHECK, 403, id="contents:write makes no check run"),
        pytest.param({"contents": "write"}, PROTECTION, 403, id="protection takes administration"),
        pytest.param({"administration": "read"}, PROTECTION, 404, id="administration:read sees there is none"),
    ],
)
def test_a_workflows_token_does_what_it_was_granted_and_no_more(
    stage: Stage, granted: Mapping[str, str], wanted: tuple[str, str, Any], status: int
) -> None:
    answer = send(stage, wanted, stage.github.actions_token(stage.shop, permissions=granted))
    assert answer.status == status
    if status == 403:
        assert answer.message == INTEGRATION


def test_a_refusal_names_the_permission_that_would_have_done(stage: Stage) -> None:
    refused = send(stage, CHECK, stage.github.actions_token(stage.shop, permissions={}))
    assert refused.headers["x-accepted-github-permissions"] == "checks=write"


@pytest.mark.parametrize(
    ("level", "wanted", "status"),
    [
        pytest.param("read", COMMENT, 201, id="anyone who may read comments"),
        pytest.param("read", REF, 403, id="a reader does not move a ref"),
        pytest.param("write", REF, 200, id="a writer moves a ref"),
        pytest.param("admin", CHECK, 403, id="not even an administrator makes a check run"),
        pytest.param("write", PROTECTION, 403, id="a writer does not see the rules of protection"),
        pytest.param("admin", PROTECTION, 404, id="an administrator sees there are none"),
    ],
)
def test_a_person_does_what_their_level_allows(
    stage: Stage, level: str, wanted: tuple[str, str, Any], status: int
) -> None:
    stage.github.user("pat", level)
    assert send(stage, wanted, stage.github.user_token("pat")).status == status


@pytest.mark.parametrize("token", [None, "", "ghs_wrong", "a.b.c"], ids=["none", "empty", "unknown", "no signature"])
def test_without_a_good_credential_nothing_is_told(stage: Stage, token: str | None) -> None:
    assert send(stage, READ, token).status == 401
    assert stage.github.requests[-1].actor is None


def test_a_private_repository_does_not_exist_for_strangers(stage: Stage) -> None:
    secret = stage.github.repository("octo/secret", private=True)
    stage.github.user("stranger", "none")
    token = stage.github.user_token("stranger")
    assert stage.ask("/repos/octo/secret", token).status == 404
    assert stage.ask("/repos/octo/secret", stage.github.actions_token(stage.shop)).status == 404
    secret.permit("stranger", "read")
    assert stage.ask("/repos/octo/secret", token).status == 200


def test_another_public_repository_can_be_read_and_not_written(stage: Stage) -> None:
    stage.github.repository("octo/other").open_issue("Theirs")
    token = stage.github.actions_token(stage.shop)
    assert stage.ask("/repos/octo/other/issues/1", token).status == 200
    refused = stage.ask("/repos/octo/other/issues/1/comments", token, method="POST", body={"body": "hi"})
    assert (refused.status, refused.message) == (403, INTEGRATION)


def sign(app: App, *, key: str | None = None, algorithm: str = "RS256", **claims: Any) -> str:
    now = int(time.time())
    payload = {"iat": now - 60, "exp": now + 500, "iss": str(app.id), **claims}
    return jwt.encode(payload, key or app.private_key, algorithm=algorithm)


def test_an_app_finds_its_installation_and_mints_a_token_that_ends_after_an_hour(stage: Stage) -> None:
    app = stage.github.app("fixloop")
    installation = stage.github.install(app, stage.shop)
    own = sign(app)
    assert stage.ask("/app", own).body["slug"] == "fixloop"
    assert stage.ask(f"{SHOP}/installation", own).body["id"] == installation.id
    minted = stage.ask(f"/app/installations/{installation.id}/access_tokens", own, method="POST", body={})
    token = minted.body["token"]
    names = [item["full_name"] for item in stage.ask("/installation/repositories", token).body["repositories"]]
    assert names == ["octo/shop"]
    assert send(stage, CHECK, token).status == 201
    assert not stage.github.requests[-2].is_write
    assert [str(request.actor) for request in stage.github.requests] == ["fixloop"] * 3 + ["fixloop[bot]"] * 2
    stage.github.advance(3601)
    assert send(stage, READ, token).status == 401


def test_a_token_can_be_narrowed_and_never_widened(stage: Stage) -> None:
    app = stage.github.app("fixloop", permissions={"contents": "read", "checks": "write", "metadata": "read"})
    installation = stage.github.install(app, stage.shop)
    path, own = f"/app/installations/{installation.id}/access_tokens", sign(app)
    narrow = stage.ask(path, own, method="POST", body={"permissions": {"contents": "read"}}).body["token"]
    assert (send(stage, READ, narrow).status, send(stage, CHECK, narrow).status) == (200, 403)
    assert stage.ask(path, own, method="POST", body={"permissions": {"contents": "write"}}).status == 422
    assert stage.ask(path, own, method="POST", body={"repositories": ["other"]}).status == 422


@pytest.mark.parametrize(
    "claims",
    [
        pytest.param({"iss": "12"}, id="another app's id"),
        pytest.param({"exp": int(time.time()) - 5}, id="expired"),
        pytest.param({"exp": int(time.time()) + 3600}, id="good for an hour instead of ten minutes"),
        pytest.param({"algorithm": "HS256", "key": "x" * 40}, id="another algorithm"),
    ],
)
def test_a_json_web_token_that_github_would_not_take_is_refused(stage: Stage, claims: dict[str, Any]) -> None:
    assert stage.ask("/app", sign(stage.github.app("fixloop"), **claims)).status == 401


def test_a_json_web_token_of_another_key_is_refused(stage: Stage) -> None:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()
    assert stage.ask("/app", sign(stage.github.app("fixloop"), key=pem)).status == 401


@pytest.mark.parametrize(
    ("who", "path", "status"),
    [
        pytest.param("app", SHOP, 403, id="an app's own token reads no repository"),
        pytest.param("workflow", "/app", 401, id="a workflow's token is no app"),
        pytest.param("workflow", "/user", 403, id="a workflow's token is nobody"),
        pytest.param("person", "/installation/repositories", 403, id="a person is no installation"),
        pytest.param("person", "/app", 401, id="a person is no app"),
        pytest.param("person", "/user", 200, id="a person is somebody"),
    ],
)
def test_each_kind_of_token_has_its_own_paths(stage: Stage, who: str, path: str, status: int) -> None:
    github = stage.github
    tokens = {
        "app": sign(github.app("fixloop")),
        "workflow": github.actions_token(stage.shop),
        "person": github.user_token("pat"),
    }
    assert stage.ask(path, tokens[who]).status == status


@pytest.mark.parametrize(
    ("level", "permission"),
    [
        ("none", "none"),
        ("read", "read"),
        ("triage", "read"),
        ("write", "write"),
        ("maintain", "write"),
        ("admin", "admin"),
    ],
)
def test_the_permission_of_a_person_has_an_old_and_a_new_word(stage: Stage, level: str, permission: str) -> None:
    stage.github.user("pat", "none")
    stage.shop.permit("pat", level)
    answer = stage.ask(f"{SHOP}/collaborators/PAT/permission", stage.github.actions_token(stage.shop))
    assert (answer.body["permission"], answer.body["role_name"]) == (permission, level)
    assert answer.body["user"]["permissions"]["push"] is (permission in {"write", "admin"})


def test_nobody_knows_a_person_that_is_not_there(stage: Stage) -> None:
    answer = stage.ask(f"{SHOP}/collaborators/ghost/permission", stage.github.actions_token(stage.shop))
    assert (answer.status, answer.message) == (404, "ghost is not a user")


def test_a_persons_comment_is_changed_by_them_and_by_writers_alone(stage: Stage) -> None:
    comment = stage.shop.comment(1, "mine", author="pat")
    path = f"{SHOP}/issues/comments/{comment.id}"
    for login, level, status in [("eve", "read", 403), ("pat", "read", 200), ("wren", "write", 200)]:
        stage.github.user(login, level)
        token = stage.github.user_token(login)
        assert stage.ask(path, token, method="PATCH", body={"body": f"{login} was here"}).status == status
    assert list(comment.bodies) == ["mine", "pat was here", "wren was here"]


def test_only_the_app_that_made_a_check_run_changes_it(stage: Stage) -> None:
    run = stage.shop.check_run("theirs", stage.shop.head(), app=stage.github.app("other-ci"))
    path = f"{SHOP}/check-runs/{run.id}"
    refused = stage.ask(path, stage.github.actions_token(stage.shop), method="PATCH", body={"conclusion": "success"})
    assert (refused.status, run.conclusion) == (403, None)


def test_a_classic_token_tells_its_scopes(stage: Stage) -> None:
    token = stage.github.user_token("pat", scopes=["repo"])
    assert stage.ask("/user", token).headers["x-oauth-scopes"] == "repo"
    assert "x-oauth-scopes" not in send(stage, READ, stage.github.actions_token(stage.shop)).headers


def test_a_client_without_a_name_is_turned_away(stage: Stage) -> None:
    answer = ask(f"{stage.github.url}/user", token=stage.github.user_token("pat"), headers={"User-Agent": ""})
    assert answer.status == 403
