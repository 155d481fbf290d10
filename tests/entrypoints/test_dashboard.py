"""The dashboard's pages: every run is found, no foreign word is obeyed, and only its own page can answer."""

import re
from pathlib import Path
from urllib.parse import urlencode

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from fixloop_bot.entrypoints.dashboard.access import POLICY, Access
from fixloop_bot.model.answer import Choice
from fixloop_bot.model.outcome import QuestionKind
from tests.entrypoints.dashboard_folder import EVIL, HOST, Taken, client, question, wait
from tests.fakes.run_history import write_history, write_long_run

PAGES = ("/", "/decisions", "/productivity", "/health")
OWN = {"Origin": HOST}


def token(page: str) -> str:
    found = re.search(r'name="token" value="([0-9a-f]{64})"', page)
    assert found
    return found[1]


@pytest.mark.parametrize("path", PAGES)
def test_a_folder_that_is_not_there_has_every_page(tmp_path: Path, path: str) -> None:
    answered = client(tmp_path / "none").get(path)
    assert answered.status_code == 200
    assert not (tmp_path / "none").exists()


def test_many_runs_are_shown_page_by_page_newest_first(tmp_path: Path) -> None:
    write_history(tmp_path, runs=120, seed=1)
    browser = client(tmp_path)
    rows = re.compile(r'href="/runs/0/(20260101T(\d{6})-[0-9a-f]{8})"')
    pages = [rows.findall(browser.get(f"/?page={number}").text) for number in (1, 2, 3)]
    numbers = [int(number) for page in pages for _, number in page]
    assert numbers == list(range(119, -1, -1))
    assert [len(page) for page in pages] == [50, 50, 20]
    assert browser.get("/?page=99").text.count("/runs/0/") == 20
    assert browser.get("/?page=-1&page=x").status_code == 200
    assert browser.get(f"/runs/0/{pages[0][0][0]}").status_code == 200


def test_filters_keep_their_values_from_page_to_page(tmp_path: Path) -> None:
    write_history(tmp_path, runs=300, seed=2)
    page = client(tmp_path).get("/?status=DONE&branch=fix%2F").text
    assert "<option selected>DONE</option>" in page
    assert "BLOCKED</td>" not in page
    assert '<td class="prose">main</td>' not in page
    assert "/?status=DONE&amp;branch=fix%2F&amp;page=2" in page


def test_a_run_is_shown_with_its_attempts(tmp_path: Path) -> None:
    run_id = write_long_run(tmp_path, attempts=4, seed=1)
    page = client(tmp_path).get(f"/runs/0/{run_id}").text
    for words in ("Layers and attempts", "Changes and hashes", "attempt 4", "Cost so far", "Evidence of the gate"):
        assert words in page
    assert "&lt;script&gt;alert(1)" in page
    assert "<script" not in page


@pytest.mark.parametrize("path", ["/runs/0/none", "/runs/7/none", "/runs/0/..%2F..%2Fetc", "/x", "/runs/x/y"])
def test_what_is_not_there_is_not_found(tmp_path: Path, path: str) -> None:
    answered = client(tmp_path).get(path)
    assert answered.status_code == 404
    assert answered.headers["Content-Security-Policy"] == POLICY


@pytest.mark.parametrize("path", [*PAGES, "/runs/0/waits", "/?" + urlencode({"text": EVIL})])
def test_an_attackers_words_are_only_words(tmp_path: Path, path: str) -> None:
    wait(tmp_path, question())
    page = client(tmp_path, taken=Taken()).get(path).text
    for harm in ("<script", "<img", "\u202e", 'action="//', "<form action=//", "alert(3)</script>"):
        assert harm not in page


def test_a_secret_is_masked_on_every_page(tmp_path: Path) -> None:
    wait(tmp_path, question(words="s3cr3t-value"), branch="s3cr3t-value")
    browser = client(tmp_path, redact={"s3cr3t-value": "[masked]"})
    for path in ("/", "/decisions", "/productivity", "/runs/0/waits"):
        page = browser.get(path).text
        assert "[masked]" in page
        assert "s3cr3t-value" not in page


@pytest.mark.parametrize("path", [*PAGES, "/style.css"])
def test_every_answer_has_the_security_headers(tmp_path: Path, path: str) -> None:
    headers = client(tmp_path).get(path).headers
    assert headers["Content-Security-Policy"] == POLICY
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize(
    ("host", "code"),
    [
        ("localhost:8081", 200), ("127.0.0.1:8081", 200), ("[::1]:8081", 200), ("LOCALHOST", 200), ("bot.example", 200),
        ("evil.example", 421), ("localhost.evil.example", 421), ("127.0.0.1@evil.example", 421), ("", 421),
        ("localhost:8081:1", 421), ("localhost/x", 421),
    ],
)  # fmt: skip
def test_it_is_known_by_its_own_names_alone(tmp_path: Path, host: str, code: int) -> None:
    browser = client(tmp_path, access=Access(names=frozenset({"bot.example"})))
    assert browser.get("/", headers={"Host": host}).status_code == code


def test_behind_a_proxy_nobody_is_answered_whom_it_does_not_name(tmp_path: Path) -> None:
    wait(tmp_path, question())
    taken = Taken()
    browser = client(tmp_path, taken=taken, access=Access(proxy_header="X-User", proxy_secret="a secret"))
    browser.headers["X-Fixloop-Proxy-Secret"] = "a secret"
    assert browser.get("/").status_code == 401
    page = browser.get("/decisions", headers={"X-User": "ada"}).text
    assert ", for ada." in page
    form = {"token": token(page), "choice": "B"}
    assert browser.post("/runs/0/waits/answer", data=form, headers=OWN).status_code == 401
    assert browser.post("/runs/0/waits/answer", data=form, headers={**OWN, "X-User": "ada"}).status_code == 200
    assert [answer.by for _, answer in taken.answers] == ["ada"]


@pytest.mark.parametrize(
    ("kind", "choice"),
    [
        (QuestionKind.STALE_TEST, Choice.A),
        (QuestionKind.CHOICE, Choice.B),
        (QuestionKind.APPROVAL, Choice.APPROVE),
        (QuestionKind.APPROVAL, Choice.DENY),
    ],
)
def test_an_answer_is_taken_from_the_form(tmp_path: Path, kind: QuestionKind, choice: Choice) -> None:
    wait(tmp_path, question(kind))
    taken = Taken()
    browser = client(tmp_path, taken=taken)
    page = browser.get("/runs/0/waits").text
    assert f'value="{choice}"' in page
    done = browser.post(
        "/runs/0/waits/answer", data={"token": token(page), "choice": choice, "text": " Tröt "}, headers=OWN
    )
    assert (done.status_code, "It goes on &lt;now&gt;." in done.text) == (200, True)
    ((run_id, answer),) = taken.answers
    assert (run_id, answer.choice, answer.text) == ("waits", choice, "Tröt")


def spoil_origin(browser: TestClient, form: dict[str, str], headers: dict[str, str], root: Path) -> None:
    headers["Origin"] = "http://localhost:3000"


def spoil_no_origin(browser: TestClient, form: dict[str, str], headers: dict[str, str], root: Path) -> None:
    del headers["Origin"]


def spoil_null_origin(browser: TestClient, form: dict[str, str], headers: dict[str, str], root: Path) -> None:
    headers["Origin"] = "null"


def spoil_site(browser: TestClient, form: dict[str, str], headers: dict[str, str], root: Path) -> None:
    headers["Sec-Fetch-Site"] = "same-site"


def spoil_token(browser: TestClient, form: dict[str, str], headers: dict[str, str], root: Path) -> None:
    form["token"] = "é" * 64


def spoil_session(browser: TestClient, form: dict[str, str], headers: dict[str, str], root: Path) -> None:
    browser.cookies.clear()


def spoil_question(browser: TestClient, form: dict[str, str], headers: dict[str, str], root: Path) -> None:
    wait(root, question(words="another question"))


def spoil_choice(browser: TestClient, form: dict[str, str], headers: dict[str, str], root: Path) -> None:
    form["choice"] = "approve"


def spoil_length(browser: TestClient, form: dict[str, str], headers: dict[str, str], root: Path) -> None:
    form["text"] = "x" * 70_000


def spoil_wait(browser: TestClient, form: dict[str, str], headers: dict[str, str], root: Path) -> None:
    (root / "runs/waits/state.json").unlink()


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (spoil_origin, 403), (spoil_no_origin, 403), (spoil_null_origin, 403), (spoil_site, 403), (spoil_token, 403),
        (spoil_session, 403), (spoil_question, 403), (spoil_choice, 400), (spoil_length, 413), (spoil_wait, 409),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)  # fmt: skip
def test_no_other_answer_is_taken(tmp_path: Path, spoil: object, code: int) -> None:
    wait(tmp_path, question())
    taken = Taken()
    browser = client(tmp_path, taken=taken)
    form, headers = {"token": token(browser.get("/decisions").text), "choice": "A"}, dict(OWN)
    assert callable(spoil)
    spoil(browser, form, headers, tmp_path)
    assert browser.post("/runs/0/waits/answer", data=form, headers=headers).status_code == code
    assert taken.answers == []


def test_where_answers_are_not_taken_the_command_is_shown(tmp_path: Path) -> None:
    wait(tmp_path, question(), branch="b")
    browser = client(tmp_path)
    page = browser.get("/decisions").text
    assert "<form" not in page
    assert f"fixloop decide waits A --state-dir {tmp_path}" in page
    assert browser.post("/runs/0/waits/answer", data={"choice": "A"}, headers=OWN).status_code == 409


def test_two_folders_are_shown_together_and_mounted_links_follow(tmp_path: Path) -> None:
    wait(tmp_path / "a", question(), run_id="one")
    wait(tmp_path / "b", question(), run_id="two")
    inner = client(tmp_path / "a", tmp_path / "b").app
    browser = TestClient(Starlette(routes=[Mount("/board", inner)]), base_url=HOST)
    page = browser.get("/board/").text
    links = re.findall(r'href="(/[^"]*)"', page)
    assert {"/board/runs/0/one", "/board/runs/1/two", "/board/style.css"} <= set(links)
    assert all(browser.get(link).status_code == 200 for link in links)
    assert 'aria-current="page">Runs' in page


def test_a_run_that_is_open_can_be_watched(tmp_path: Path) -> None:
    root = write_history(tmp_path, runs=30, seed=2).root
    browser = client(root)
    (run_id, *_) = re.findall(r'href="/runs/0/([^"]+)"', browser.get("/?status=UNFINISHED").text)
    assert "http-equiv" not in browser.get(f"/runs/0/{run_id}").text
    assert '<meta http-equiv="refresh" content="5">' in browser.get(f"/runs/0/{run_id}?live=1").text
