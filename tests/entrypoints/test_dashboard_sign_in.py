"""Signing in to the service's dashboard: GitHub says who it is, the settings say who may read."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import requests
from starlette.testclient import TestClient

from fixloop_bot.entrypoints.dashboard.sign_in import own_place
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
    assert "Secure" in started.headers["Set-Cookie"]
    assert browser.get("/dashboard/", headers={"Host": "evil.example"}).status_code == 421
