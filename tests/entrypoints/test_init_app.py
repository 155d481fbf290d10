"""Registering the App: from the page to the environment file that the service starts with."""

import http.client
import json
import shlex
import stat
import sys
from collections.abc import Iterator
from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from fixloop_bot.adapters.github.access import AppAccess, GitHubAccess
from fixloop_bot.adapters.github.installation import mint_token
from tests.e2e.workspace import Finished, finished, person_environment
from tests.fakes.github import FakeGitHub

FIXLOOP = [sys.executable, "-m", "fixloop_bot", "init", "--app"]
URL = "https://fixloop.example.com"


@pytest.fixture
def github() -> Iterator[FakeGitHub]:
    """A server of one's own."""
    with FakeGitHub(enterprise=True) as made:
        yield made


class Form(HTMLParser):
    """What a browser sends when the page's button is pressed."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.action, self.fields = "", dict[str, str]()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        if tag == "form":
            assert named["method"] == "post"
            self.action = named["action"]
        if tag == "input":
            self.fields[named["name"]] = named["value"]

    def press(self) -> str:
        """Return the address that GitHub sends the browser to."""
        to = urlsplit(self.action)
        with closing(http.client.HTTPConnection(to.netloc, timeout=10)) as connection:
            headers = {"User-Agent": "a browser", "Content-Type": "application/x-www-form-urlencoded"}
            connection.request("POST", to.path, body=urlencode(self.fields), headers=headers)
            answer = connection.getresponse()
            assert answer.status == 302, answer.read()
            return answer.getheader("Location", "")


def init(folder: Path, *more: str) -> Finished:
    return finished([*FIXLOOP, *more], env=person_environment(), cwd=folder)


def registered(github: FakeGitHub, folder: Path, *more: str) -> str:
    """Write the page, press its button, and return the code."""
    done = init(folder, "--url", URL, "--server-url", github.site, *more)
    assert done.code == 0, done.stderr
    came_to = urlsplit(Form(folder / "fixloop-app.html").press())
    assert came_to.hostname == "fixloop.example.com"
    return parse_qs(came_to.query)["code"][0]


def variables(folder: Path) -> dict[str, str]:
    lines = (folder / "fixloop-app.env").read_text().splitlines()
    return {name: shlex.split(value)[0] for name, _, value in (line.partition("=") for line in lines)}


def test_from_the_page_over_github_to_a_token(github: FakeGitHub, tmp_path: Path) -> None:
    shop, folder = github.repository("octo/shop"), tmp_path / "my service"
    folder.mkdir()
    code = registered(github, folder, "--org", "octo", "--name", "Repair it")
    app = github.apps["repair-it"]
    assert (app.owner.login, app.public) == ("octo", False)

    done = init(folder, "--server-url", github.site, "--code", code)
    assert done.code == 0, done.stderr
    found = variables(folder)
    assert found["FIXLOOP_WEBHOOK_SECRET"] == app.webhook_secret
    assert found["GITHUB_API_URL"] == github.url
    for path in (folder / "fixloop-app.env", Path(found["FIXLOOP_APP_PRIVATE_KEY_FILE"])):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    told = done.stdout + done.stderr
    for secret in (app.webhook_secret, app.client_secret, "PRIVATE KEY", code):
        assert secret not in told

    key = Path(found["FIXLOOP_APP_PRIVATE_KEY_FILE"]).read_text()
    access = AppAccess(
        app_id=int(found["FIXLOOP_APP_ID"]), private_key=key, installation_id=github.install(app, shop).id
    )
    minted = github.tokens[mint_token(GitHubAccess(full_name="octo/shop", credential=access, api_url=github.url))]
    assert minted.grants("contents:write")

    again = init(folder, "--server-url", github.site, "--code", code, "--output", "other.env")
    assert (again.code, sorted(path.name for path in folder.glob("other*"))) == (2, [])
    assert "only once" in again.stderr


def test_files_that_are_there_are_kept_and_then_the_code_is_not_spent(github: FakeGitHub, tmp_path: Path) -> None:
    code = registered(github, tmp_path)
    (tmp_path / "fixloop-app.private-key.pem").write_text("mine")
    assert init(tmp_path, "--server-url", github.site, "--code", code).code == 2
    assert not (tmp_path / "fixloop-app.env").exists()
    assert [path.read_text() for path in tmp_path.glob("*.pem")] == ["mine"]
    assert list(github.codes) == [code]
    assert "--force" in init(tmp_path, "--url", URL).stderr


def test_a_code_is_good_for_an_hour(github: FakeGitHub, tmp_path: Path) -> None:
    code = registered(github, tmp_path)
    github.advance(3601)
    done = init(tmp_path, "--server-url", github.site, "--code", code)
    assert (done.code, code in done.stderr) == (2, False)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        pytest.param((), "--url", id="no address"),
        pytest.param(("--url", "http://example.com"), "https://", id="an address in the clear"),
        pytest.param(("--code", "../../user"), "--code", id="a code that is a path"),
        pytest.param(("--url", URL, "--action", "a/b@v1"), "--action", id="what belongs to the workflow"),
    ],
)
def test_bad_usage_writes_nothing(tmp_path: Path, arguments: tuple[str, ...], word: str) -> None:
    done = init(tmp_path, *arguments)
    assert (done.code, done.stdout, list(tmp_path.iterdir())) == (2, "", [])
    assert word in done.stderr


def test_the_page_can_be_looked_at_first(tmp_path: Path) -> None:
    done = init(tmp_path, "--url", URL, "--print")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "page.html").write_text(done.stdout)
    manifest = json.loads(Form(tmp_path / "page.html").fields["manifest"])
    assert manifest["hook_attributes"]["url"] == f"{URL}/webhook"
