"""Signing in with an App at the fake GitHub: refused where GitHub refuses, and as GitHub says it."""

import base64
import hashlib
from collections.abc import Iterator
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import requests

from tests.fakes.github import App, FakeGitHub

BACK = "https://bot.example/done"
VERIFIER = "v" * 43
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")


@pytest.fixture(scope="module")
def github() -> Iterator[FakeGitHub]:
    with FakeGitHub() as made:
        app = made.app("fixloop")
        app.callback_urls = (BACK, "http://127.0.0.1/done")
        made.user("pat")
        made.join("octo", "pat")
        made.browser_login = "pat"
        yield made


def come_back(github: FakeGitHub, redirect_uri: str = BACK) -> tuple[str, dict[str, str]]:
    """Return where the browser is sent, and with what."""
    app = github.app("fixloop")
    query = {
        "client_id": app.client_id, "redirect_uri": redirect_uri, "state": "s", "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
    }  # fmt: skip
    sent = requests.get(f"{github.site}/login/oauth/authorize?{urlencode(query)}", allow_redirects=False, timeout=10)
    place = urlsplit(sent.headers["Location"])
    return f"{place.scheme}://{place.netloc}{place.path}", {
        name: values[0] for name, values in parse_qs(place.query).items()
    }


def exchange(github: FakeGitHub, app: App, **more: str) -> dict[str, str]:
    """Send a code, and return what GitHub says."""
    form = {"client_id": app.client_id, "client_secret": app.client_secret, "code_verifier": VERIFIER, **more}
    headers = {"Accept": "application/json"}
    said = requests.post(f"{github.site}/login/oauth/access_token", data=form, headers=headers, timeout=10)
    assert said.status_code == 200
    found: dict[str, str] = said.json()
    return found


def test_a_code_is_good_once_for_a_token_that_names_the_person(github: FakeGitHub) -> None:
    place, said = come_back(github)
    assert (place, said["state"]) == (BACK, "s")
    app = github.app("fixloop")
    token = exchange(github, app, code=said["code"])["access_token"]
    assert exchange(github, app, code=said["code"]) == {"error": "bad_verification_code"}
    bearer = {"Authorization": f"Bearer {token}"}
    assert requests.get(f"{github.url}/user", headers=bearer, timeout=10).json()["login"] == "pat"
    membership = f"{github.url}/user/memberships/orgs/OCTO"
    assert requests.get(membership, headers=bearer, timeout=10).json()["state"] == "active"
    assert requests.get(membership.replace("OCTO", "other"), headers=bearer, timeout=10).status_code == 404


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"client_secret": "wrong"}, "incorrect_client_credentials"),
        ({"code_verifier": "w" * 43}, "bad_verification_code"),
        ({"code": "guessed"}, "bad_verification_code"),
        ({"redirect_uri": "https://evil.example/"}, "redirect_uri_mismatch"),
    ],
)
def test_what_does_not_belong_together_is_refused_with_a_200(
    github: FakeGitHub, more: dict[str, str], error: str
) -> None:
    _, said = come_back(github)
    assert exchange(github, github.app("fixloop"), **{"code": said["code"], **more}) == {"error": error}


def test_an_address_that_is_not_listed_is_not_gone_to_and_a_loopback_port_does_not_count(github: FakeGitHub) -> None:
    assert come_back(github, "https://evil.example/done") == (BACK, {"error": "redirect_uri_mismatch", "state": "s"})
    assert come_back(github, "http://127.0.0.1:4711/done")[0] == "http://127.0.0.1:4711/done"
    assert come_back(github, "http://127.0.0.1:4711/elsewhere")[1]["error"] == "redirect_uri_mismatch"


def test_a_code_ends_after_ten_minutes(github: FakeGitHub) -> None:
    _, said = come_back(github)
    github.advance(601)
    assert exchange(github, github.app("fixloop"), code=said["code"]) == {"error": "bad_verification_code"}
