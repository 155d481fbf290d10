"""Signing in to the service's dashboard: GitHub says who it is, the settings say who may read."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import requests
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

from fixloop_bot.adapters.github.sign_in import Begun, SignInAccess
from fixloop_bot.entrypoints.dashboard.pending import OnTheWay, Seal
from fixloop_bot.entrypoints.dashboard.sign_in import AT_ONCE, Readers, SignIn, own_place
from tests.entrypoints.service_board import HOST, browser_of, served_from, settings_of, sign_in
from tests.fakes.github import FakeGitHub

OWN = {"Origin": HOST}


@pytest.fixture(scope="module")
def github() -> Iterator[FakeGitHub]:
    with FakeGitHub() as made:
        made.user("pat")
        made.user("rita")
        made.join("octo", "rita")
        made.join("octo", "ivan", state="pending")
        yield made


@pytest.fixture
def browser(github: FakeGitHub, tmp_path: Path) -> TestClient:
    return browser_of(served_from(tmp_path, github), settings_of(github, users="ada, Pat", org="octo"))


def back_from_github(browser: TestClient, **query: str) -> Any:
    """Begin a sign-in and let GitHub send the browser back; `query` replaces what GitHub says."""
    started = browser.get("/dashboard/sign-in/github").headers["Location"]
    back = requests.get(started, allow_redirects=False, timeout=10).headers["Location"]
    said = {name: values[0] for name, values in parse_qs(urlsplit(back).query).items()}
    return browser.get(f"/dashboard/sign-in/done?{urlencode({**said, **query})}")


def test_nothing_is_shown_before_and_all_of_it_after(browser: TestClient, github: FakeGitHub) -> None:
    for path in ("/", "/decisions", "/health", "/runs/0/x", "/nothing"):
        turned = browser.get(f"/dashboard{path}")
        assert (turned.status_code, turned.text) == (303, "")
        assert turned.headers["Location"] == f"/dashboard/sign-in?{urlencode({'next': path})}"
    watched = browser.get("/dashboard/runs/0/x", headers={"HX-Request": "true"})
    assert (watched.status_code, watched.headers["HX-Refresh"]) == (401, "true")
    page = browser.get("/dashboard/sign-in?next=/health")
    assert 'href="/dashboard/sign-in/github?next=%2Fhealth"' in page.text
    assert "Decisions" not in page.text
    assert sign_in(browser, github, "pat", "/health") == "/dashboard/health"
    assert "for pat." in browser.get("/dashboard/health").text


def test_the_cookie_is_out_of_scripts_and_other_sites_reach(browser: TestClient, github: FakeGitHub) -> None:
    github.browser_login = "pat"
    cookie = back_from_github(browser).headers["Set-Cookie"]
    assert "fixloop-person=" in cookie
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Max-Age=28800" in cookie
    assert "pat" not in cookie.replace("path=", "")


def test_signing_out_ends_the_session_and_not_only_the_cookie(browser: TestClient, github: FakeGitHub) -> None:
    sign_in(browser, github, "pat")
    kept = browser.cookies["fixloop-person"]
    assert browser.post("/dashboard/sign-out", headers={"Origin": "http://evil.example"}).status_code == 403
    assert browser.get("/dashboard/").status_code == 200
    assert browser.post("/dashboard/sign-out", headers=OWN).headers["Location"] == "/dashboard/sign-in"
    browser.cookies.set("fixloop-person", kept)
    assert browser.get("/dashboard/").status_code == 303
    assert browser.post("/dashboard/runs/0/x/answer", headers=OWN).status_code == 401


@pytest.mark.parametrize(("login", "code"), [("pat", 303), ("rita", 303), ("ivan", 403), ("mallory", 403)])
def test_who_is_on_the_list_or_an_active_member_may_read(
    browser: TestClient, github: FakeGitHub, login: str, code: int
) -> None:
    github.browser_login = login
    assert back_from_github(browser).status_code == code
    assert browser.get("/dashboard/").status_code == (200 if code == 303 else 303)


@pytest.mark.parametrize(
    ("query", "code"),
    [({"state": "another"}, 400), ({"state": ""}, 400), ({"code": "guessed"}, 502)],
    ids=["another's sign-in", "no state", "a code that GitHub does not know"],
)
def test_what_was_not_begun_here_is_not_finished_here(
    browser: TestClient, github: FakeGitHub, query: dict[str, str], code: int
) -> None:
    github.browser_login = "pat"
    assert back_from_github(browser, **query).status_code == code
    assert browser.get("/dashboard/").status_code == 303


def test_a_return_counts_once_and_in_its_own_browser(browser: TestClient, github: FakeGitHub) -> None:
    github.browser_login = "pat"
    started = browser.get("/dashboard/sign-in/github").headers["Location"]
    back = urlsplit(requests.get(started, allow_redirects=False, timeout=10).headers["Location"])
    stranger = TestClient(browser.app, base_url=HOST, follow_redirects=False)
    assert stranger.get(f"{back.path}?{back.query}").status_code == 400
    assert browser.get(f"{back.path}?{back.query}").status_code == 303
    browser.cookies.clear()
    assert browser.get(f"{back.path}?{back.query}").status_code == 400


def test_who_does_not_let_the_app_know_is_told_so(browser: TestClient, github: FakeGitHub) -> None:
    github.browser_login = ""
    page = back_from_github(browser)
    assert (page.status_code, "access_denied" in page.text) == (403, True)
    assert "<script" not in back_from_github(browser, error="<script>alert(1)</script>").text


@pytest.mark.parametrize(
    "place",
    [
        "//evil.example", "https://evil.example", "/\\evil.example", "\\\\evil.example", "javascript:alert(1)", "evil",
        "/%2F/evil", "/a//b", "/ok\r\nSet-Cookie: x=1", "/" + "a" * 400, "/@evil", "",
    ],
)  # fmt: skip
def test_no_sign_in_leads_elsewhere(browser: TestClient, github: FakeGitHub, place: str) -> None:
    assert own_place(place) == "/"
    assert own_place("/runs/0/a-b_c.1?live=1") == "/runs/0/a-b_c.1?live=1"


def test_a_foreign_place_is_the_first_page(browser: TestClient, github: FakeGitHub) -> None:
    assert sign_in(browser, github, "pat", "//evil.example/x") == "/dashboard/"


def test_under_its_public_name_the_browser_comes_back_there(github: FakeGitHub, tmp_path: Path) -> None:
    settings = settings_of(github, users="pat", url="https://bot.example/dashboard")
    browser = browser_of(served_from(tmp_path, github, host="0.0.0.0"), settings, host="https://bot.example")
    github.browser_login = "pat"
    started = browser.get("/dashboard/sign-in/github")
    (asked,) = parse_qs(urlsplit(started.headers["Location"]).query)["redirect_uri"]
    assert asked == "https://bot.example/dashboard/sign-in/done"
    cookie = started.headers["Set-Cookie"]
    assert cookie.startswith("__Host-fixloop-sign-in=")
    assert "; Path=/; SameSite=lax; Secure" in cookie
    assert browser.get("/dashboard/", headers={"Host": "evil.example"}).status_code == 421
    done = back_from_github(browser)
    assert "; Path=/; SameSite=lax; Secure" in cookie_named("__Host-fixloop-person", done)
    assert "Max-Age=0" in cookie_named("__Host-fixloop-sign-in", done)
    assert browser.get("/dashboard/").status_code == 200
    left = browser.post("/dashboard/sign-out", headers={"Origin": "https://bot.example"})
    assert "; Path=/; SameSite=lax; Secure" in cookie_named("__Host-fixloop-person", left)
    assert browser.get("/dashboard/").status_code == 303


def cookie_named(name: str, answered: Any) -> str:
    (found,) = (one for one in answered.headers.get_list("Set-Cookie") if one.startswith(f"{name}="))
    return str(found)


def test_nothing_is_kept_of_a_sign_in_under_way_that_strangers_could_push_out(github: FakeGitHub) -> None:
    app = github.app("fixloop")
    app.callback_urls = (f"{HOST}/sign-in/done",)
    access = SignInAccess(
        client_id=app.client_id, client_secret=app.client_secret, server_url=github.site, api_url=github.url
    )
    begins = SignIn(access=access, readers=Readers(users=frozenset({"pat"})))
    ends = SignIn(access=access, readers=begins.readers, seal=begins.seal)
    routes = [Route("/sign-in/github", begins.start), Route("/sign-in/done", ends.done)]
    browser = TestClient(Starlette(routes=routes), base_url=HOST, follow_redirects=False)
    github.browser_login = "pat"
    started = browser.get("/sign-in/github?next=/health").headers["Location"]
    back = urlsplit(requests.get(started, allow_redirects=False, timeout=10).headers["Location"])
    assert browser.get(f"{back.path}?{back.query}").headers["Location"] == "/health"


def test_a_sign_in_that_was_sealed_elsewhere_is_none() -> None:
    begun = Begun(url="u", state="s", verifier="v", redirect_uri="r")
    one, other = Seal(), Seal()
    sealed = one.closed(OnTheWay(begun, "/health"))
    assert one.opened(sealed) == OnTheWay(replace(begun, url=""), "/health")
    text, _, mark = sealed.partition(".")
    for spoiled in (other.closed(OnTheWay(begun, "/")), f"{text}A.{mark}", text, f".{mark}", "", "é.é"):
        assert one.opened(spoiled) is None


def test_a_few_ask_github_and_the_others_are_told_to_come_again(github: FakeGitHub) -> None:
    access = SignInAccess(client_id="c", client_secret="s", server_url=github.site, api_url=github.url)
    board = SignIn(access=access, readers=Readers(users=frozenset({"pat"})))
    begun = Begun(url="", state="s", verifier="v", redirect_uri="r")
    sealed = board.seal.closed(OnTheWay(begun, "/"))
    browser = TestClient(Starlette(routes=[Route("/done", board.done)]), cookies={"fixloop-sign-in": sealed})
    with ExitStack() as others:
        for _ in range(AT_ONCE):
            others.enter_context(board.turns)
        assert browser.get("/done?state=s&code=c").status_code == 503
        assert browser.get("/done?state=another&code=c").status_code == 400
    for _ in range(AT_ONCE + 1):
        assert browser.get("/done?state=s&code=c").status_code == 502, "a turn is given back"
