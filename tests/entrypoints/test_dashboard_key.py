"""Whoever can connect to loopback, such as a command of a pull request, reads nothing and answers nothing."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from fixloop_bot.entrypoints.dashboard.access import Access
from fixloop_bot.entrypoints.dashboard.key import Key
from fixloop_bot.entrypoints.dashboard_settings import DashboardSettings
from tests.entrypoints.dashboard_folder import HOST, Taken, client, question, wait
from tests.entrypoints.service_board import browser_of, named, served_from
from tests.entrypoints.test_dashboard import OWN, token

PATHS = ("/", "/decisions", "/runs/0/waits", "/runs/0/none", "/style.css", "/nothing")
SECRET = "known-to-the-proxy-alone"


def keyed(root: Path, taken: Taken, key: Key) -> TestClient:
    wait(root, question())
    browser = client(root, taken=taken, access=Access(key=key))
    browser.follow_redirects = False
    return browser


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("key", ["", "?key=", "?key=wrong", "?key=%C3%A9%FF", "?KEY={}", "?key={}&key={}"])
def test_without_the_key_nothing_is_shown(tmp_path: Path, path: str, key: str) -> None:
    made = Key(place="which it printed")
    answered = keyed(tmp_path, Taken(), made).get(path + key.replace("{}", made.secret))
    assert (answered.status_code, "Set-Cookie" in answered.headers) == (401, False)
    assert answered.text == (
        "Open the dashboard with the address that holds its key, which it printed. Each start makes a new key.\n"
    )


def test_with_the_key_the_browser_has_a_cookie_that_does_not_tell_it(tmp_path: Path) -> None:
    key = Key(place="here")
    browser = keyed(tmp_path, Taken(), key)
    first = browser.get(f"/decisions?text=a+b&key={key.secret}")
    assert (first.status_code, first.headers["Location"]) == (303, "/decisions?text=a+b")
    cookie = first.headers["Set-Cookie"]
    assert ("HttpOnly" in cookie, "SameSite=strict" in cookie, "Path=/;" in cookie) == (True, True, True)
    assert key.secret not in cookie
    assert [browser.get(path).status_code for path in PATHS] == [200, 200, 200, 404, 200, 404]
    assert key.secret not in repr(key)


def test_another_dashboard_s_cookie_counts_for_nothing(tmp_path: Path) -> None:
    old, new = Key(place="here"), Key(place="here")
    before, browser = keyed(tmp_path, Taken(), old), keyed(tmp_path, Taken(), new)
    before.get(old.address("/"))
    browser.cookies = before.cookies
    assert browser.get("/").status_code == 401
    watched = browser.get("/runs/0/waits?live=1", headers={"HX-Request": "true"})
    assert (watched.status_code, watched.headers["HX-Refresh"]) == (401, "true")


def test_the_key_leads_nowhere_else(tmp_path: Path) -> None:
    key = Key(place="here")
    browser = keyed(tmp_path, Taken(), key)
    for path in ("//evil.example/x", "//%5Cevil.example/x", "///evil.example/x"):
        assert browser.get(f"{HOST}{path}?key={key.secret}").headers["Location"] == "/evil.example/x"
    foreign = browser.get(key.address("/"), headers={"Host": "evil.example"})
    assert (foreign.status_code, "Set-Cookie" in foreign.headers) == (421, False)


def test_nobody_answers_without_the_key(tmp_path: Path) -> None:
    taken, key = Taken(), Key(place="here")
    browser = keyed(tmp_path, taken, key)
    browser.get(key.address("/"))
    form = {"token": token(browser.get("/runs/0/waits").text), "choice": "B"}
    kept = dict(browser.cookies)
    process = keyed(tmp_path, taken, key)
    process.cookies.update({name: value for name, value in kept.items() if "key" not in name})
    for path in ("/runs/0/waits/answer", f"/runs/0/waits/answer?key={key.secret}"):
        assert process.post(path, data=form, headers=OWN).status_code == 401
    assert taken.answers == []
    assert browser.post("/runs/0/waits/answer", data=form, headers=OWN).status_code == 200
    assert len(taken.answers) == 1


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-User": "ada"},
        {"X-User": "ada", "X-Fixloop-Proxy-Secret": ""},
        {"X-User": "ada", "X-Fixloop-Proxy-Secret": "guessed"},
        {"X-User": "ada", "X-Fixloop-Proxy-Secret": SECRET[:-1]},
        {"X-Fixloop-Proxy-Secret": SECRET},
    ],
    ids=str,
)
def test_who_is_not_the_proxy_cannot_name_a_person(tmp_path: Path, headers: dict[str, str]) -> None:
    wait(tmp_path, question())
    taken = Taken()
    browser = client(tmp_path, taken=taken, access=Access(proxy_header="X-User", proxy_secret=SECRET))
    page = browser.get("/decisions", headers={"X-User": "ada", "X-Fixloop-Proxy-Secret": SECRET}).text
    form = {"token": token(page), "choice": "B"}
    for path in PATHS:
        assert browser.get(path, headers=headers).text == "The dashboard is reached through its proxy alone.\n"
    assert browser.post("/runs/0/waits/answer", data=form, headers={**OWN, **headers}).status_code == 401
    assert taken.answers == []


def test_no_proxy_is_believed_where_no_secret_is_set(tmp_path: Path) -> None:
    browser = client(tmp_path, access=Access(proxy_header="X-User"))
    assert browser.get("/", headers={"X-User": "ada"}).status_code == 401
    assert browser.get("/", headers={"X-User": "ada", "X-Fixloop-Proxy-Secret": ""}).status_code == 401


def test_the_service_writes_its_key_where_it_alone_reads_and_into_no_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wait(tmp_path, question())
    file = tmp_path / "dashboard-key"
    file.write_text("an old one, that everybody reads")
    file.chmod(0o644)
    stranger = browser_of(served_from(tmp_path), DashboardSettings.model_validate(named({})), with_key=False)
    said, address = capsys.readouterr().err, file.read_text().strip()
    place, _, key = address.partition("?key=")
    assert (place, file.stat().st_mode & 0o777, len(key)) == ("http://127.0.0.1:80/dashboard/", 0o600, 43)
    assert f'"address": "{place}", "key_file": "{file}"' in said
    assert key not in said
    for path in ("/", "/decisions", "/runs/0/waits", "/style.css", "/?key=wrong"):
        refused = stranger.get(f"/dashboard{path}")
        assert (refused.status_code, "records/dashboard-key" in refused.text) == (401, True)
    assert stranger.get("/healthz").status_code == 200
    let_in = stranger.get(f"/dashboard/?key={key}")
    assert let_in.headers["Location"] == "/dashboard/"
    assert "Path=/dashboard;" in let_in.headers["Set-Cookie"]
    assert stranger.get("/dashboard/decisions").status_code == 200
