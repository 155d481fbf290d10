"""Signing people in by the GitHub App's web flow.

Source of the rules: docs.github.com, "Generating a user access token for a GitHub App" and "Get an organization
membership for the authenticated user". The person's token is used for two questions and then forgotten.
"""

import secrets
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote

import requests
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session

_TIMEOUT_S: Final = 15
_HEADERS: Final = {"Accept": "application/vnd.github+json", "User-Agent": "fixloop"}


class SignInError(Exception):
    """GitHub did not say who the person is; the text is for that person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInAccess:
    """The App as people sign in with it."""

    client_id: str
    client_secret: str = field(repr=False)
    server_url: str
    api_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """A sign-in that the person's browser has been sent to GitHub for."""

    url: str
    """Where it is sent."""
    state: str
    verifier: str = field(repr=False)
    """Of PKCE (RFC 7636)."""
    redirect_uri: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Who signed in."""

    login: str
    in_organization: bool = False
    """An active member of the organisation that was asked about."""


def begin(access: SignInAccess, redirect_uri: str) -> Begun:
    """Return a new sign-in; GitHub is not asked yet."""
    state, verifier = secrets.token_urlsafe(24), secrets.token_urlsafe(48)
    with _session(access, redirect_uri) as session:
        page = f"{access.server_url}/login/oauth/authorize"
        url, _ = session.create_authorization_url(page, state=state, code_verifier=verifier)
    return Begun(url=str(url), state=state, verifier=verifier, redirect_uri=redirect_uri)


def finish(access: SignInAccess, begun: Begun, code: str, *, organization: str = "") -> Person:
    """Return who came back with this code. Raises `SignInError`."""
    with _session(access, begun.redirect_uri) as session:
        try:
            session.fetch_token(
                f"{access.server_url}/login/oauth/access_token",
                code=code,
                code_verifier=begun.verifier,
                timeout=_TIMEOUT_S,
            )
            login = str(_asked(session, f"{access.api_url}/user").get("login", ""))
            return Person(login=login, in_organization=bool(organization) and _is_in(session, access, organization))
        except OAuthError as error:
            raise SignInError(f"GitHub refused the sign-in ({str(error.error)[:60]}). Begin again.") from None
        except (requests.RequestException, ValueError):
            raise SignInError("GitHub could not be reached, or gave no proper answer. Begin again.") from None


def _is_in(session: OAuth2Session, access: SignInAccess, organization: str) -> bool:
    """Return whether the person's membership is active; who may not be asked about is no member."""
    path = f"{access.api_url}/user/memberships/orgs/{quote(organization, safe='')}"
    answer = session.get(path, headers=_HEADERS, timeout=_TIMEOUT_S, allow_redirects=False)
    if answer.status_code != requests.codes.ok:
        return False
    found = answer.json()
    return isinstance(found, dict) and found.get("state") == "active"


def _asked(session: OAuth2Session, url: str) -> dict[str, Any]:
    answer = session.get(url, headers=_HEADERS, timeout=_TIMEOUT_S, allow_redirects=False)
    answer.raise_for_status()
    found = answer.json()
    if answer.status_code != requests.codes.ok or not isinstance(found, dict) or not found.get("login"):
        raise ValueError("no account")
    return found


def _session(access: SignInAccess, redirect_uri: str) -> OAuth2Session:
    return OAuth2Session(
        client_id=access.client_id,
        client_secret=access.client_secret,
        redirect_uri=redirect_uri,
        token_endpoint_auth_method="client_secret_post",  # noqa: S106 - the name of a method
        code_challenge_method="S256",
    )
