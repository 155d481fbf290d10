"""GitHub's site as far as people sign in with an App: docs.github.com, "Generating a user access token".

A browser in which nobody is signed in gets a page. A redirect address that the App does not list is refused by sending
the browser to the App's first one. Every refusal of a code is a 200 with an `error`, as GitHub gives it.
"""

import base64
import hashlib
import secrets
from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urlsplit

from tests.fakes.github.call import Reply, Request
from tests.fakes.github.state.accounts import App, Code

if TYPE_CHECKING:
    from tests.fakes.github.fake import FakeGitHub

PREFIX = "/login/oauth/"
LOOPBACK = ("127.0.0.1", "::1", "localhost")


def answer(github: "FakeGitHub", request: Request) -> Reply:
    """Return the reply to a request below `/login/oauth/`."""
    if (request.method, request.path) == ("GET", f"{PREFIX}authorize"):
        return _authorize(github, request.query)
    if (request.method, request.path) == ("POST", f"{PREFIX}access_token"):
        form = dict(parse_qsl(request.raw.decode(), keep_blank_values=True))
        body = _exchange(github, form)
        if "json" in request.headers.get("accept", ""):
            return Reply(body=body)
        form_type = {"Content-Type": "application/x-www-form-urlencoded; charset=utf-8"}
        return Reply(body=urlencode(body).encode(), headers=form_type)
    return Reply(status=404, body=b"Not Found", headers={"Content-Type": "text/html"})


def _authorize(github: "FakeGitHub", query: Mapping[str, str]) -> Reply:
    app = _app(github, query.get("client_id", ""))
    if app is None:
        return Reply(status=404, body=b"Not Found", headers={"Content-Type": "text/html"})
    wanted = query.get("redirect_uri") or app.callback_urls[0]
    if not any(_fits(wanted, listed) for listed in app.callback_urls):
        return _back(app.callback_urls[0], error="redirect_uri_mismatch", state=query.get("state", ""))
    if github.browser_login is None:
        return Reply(body=b"<h1>Sign in to GitHub</h1>", headers={"Content-Type": "text/html"})
    if github.browser_login == "":
        return _back(wanted, error="access_denied", state=query.get("state", ""))
    code = secrets.token_hex(10)
    challenge = query.get("code_challenge", "") if query.get("code_challenge_method") == "S256" else ""
    until = github.now() + timedelta(minutes=10)
    github.sign_in_codes[code] = Code(
        app=app, login=github.browser_login, redirect_uri=wanted, challenge=challenge, until=until
    )
    return _back(wanted, code=code, state=query.get("state", ""))


def _exchange(github: "FakeGitHub", form: Mapping[str, str]) -> dict[str, str | int]:
    app = _app(github, form.get("client_id", ""))
    if app is None or form.get("client_secret") != app.client_secret:
        return {"error": "incorrect_client_credentials"}
    code = github.sign_in_codes.pop(form.get("code", ""), None)
    if code is None or code.app is not app or code.until <= github.now() or not _proves(form, code):
        return {"error": "bad_verification_code"}
    if form.get("redirect_uri", code.redirect_uri) != code.redirect_uri:
        return {"error": "redirect_uri_mismatch"}
    return {
        "access_token": github.sign_in_token(code),
        "expires_in": 28_800,
        "refresh_token": f"ghr_{secrets.token_hex(18)}",
        "refresh_token_expires_in": 15_897_600,
        "scope": "",
        "token_type": "bearer",
    }


def _app(github: "FakeGitHub", client_id: str) -> App | None:
    return next((app for app in github.apps.values() if app.client_id == client_id and app.callback_urls), None)


def _fits(wanted: str, listed: str) -> bool:
    """Tell whether an address is a listed one; of a loopback address the port does not count (RFC 8252, 7.3)."""
    asked, known = urlsplit(wanted), urlsplit(listed)
    if asked.hostname in LOOPBACK:
        return (asked.scheme, asked.hostname, asked.path) == (known.scheme, known.hostname, known.path)
    return wanted == listed


def _proves(form: Mapping[str, str], code: Code) -> bool:
    digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
    return not code.challenge or base64.urlsafe_b64encode(digest).decode().rstrip("=") == code.challenge


def _back(address: str, **query: str) -> Reply:
    return Reply(status=302, headers={"Location": f"{address}?{urlencode(query)}"})
