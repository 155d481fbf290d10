"""Tokens of a GitHub App's installation, made when they are needed: they die after an hour.

Each reaches one repository and may no more than it is for.
Source: docs.github.com/rest/apps/apps#create-an-installation-access-token-for-an-app
"""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from github import Auth, Github, GithubException, RateLimitExceededException
from github.InstallationAuthorization import InstallationAuthorization
from github.Requester import Requester

from fixloop_bot.adapters.github.access import AppAccess, GitHubAccess
from fixloop_bot.adapters.github.app_key import to_app_auth
from fixloop_bot.adapters.github.errors import RAISED, to_forge_error
from fixloop_bot.adapters.github.retry import to_retry
from fixloop_bot.model.forge import ForgeErrorKind
from fixloop_bot.ports.forge import NotInstalledError

_LEVELS: Final = {"read": 1, "write": 2, "admin": 3}
_GONE: Final = (HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND)
"""Suspended; deleted, or an App that is not this one."""
_REFUSED: Final = "GitHub makes no token for installation {number} (HTTP {status}): it is suspended or was removed"


class InstallationAuth(Auth.AppInstallationAuth):
    """Authenticates as an installation, on one repository; a token is made anew before it ends."""

    def __init__(self, access: GitHubAccess, credential: AppAccess) -> None:
        """Make no token yet."""
        app = to_app_auth(credential)
        super().__init__(app, credential.installation_id)
        self._access = access
        self._credential = credential

    def _get_installation_authorization(self) -> InstallationAuthorization:
        return _authorization(self.requester, self._access, self._credential)


def mint_token(access: GitHubAccess) -> str:
    """Return a new token of the installation that the access names.

    Raises `ForgeError`, of which `NotInstalledError` says that there is nothing to be done; `TypeError` for a token.
    """
    credential = access.credential
    if not isinstance(credential, AppAccess):
        raise TypeError("a token is no App")
    app = Github(
        auth=to_app_auth(credential),
        base_url=access.api_url.rstrip("/"),
        retry=to_retry(access.patience),
        timeout=access.patience.timeout_s,
    )
    try:
        return _authorization(app.requester, access, credential).token
    except RAISED as error:
        raise to_forge_error(error, "the App's own key") from error
    finally:
        app.close()


def installation_of(app: Requester, credential: AppAccess) -> dict[str, Any]:
    """Return the installation as GitHub shows it to the App. Raises `NotInstalledError`, else as PyGithub does."""
    try:
        found: dict[str, Any] = app.requestJsonAndCheck("GET", f"/app/installations/{credential.installation_id}")[1]
    except GithubException as error:
        if error.status == HTTPStatus.NOT_FOUND:
            raise _not_installed(credential, error) from error
        raise
    return found


def within(granted: Mapping[str, str], asked: Mapping[str, str] | None) -> dict[str, str]:
    """Return what was granted, and of that no more than was asked for."""
    if asked is None:
        return dict(granted)
    return {name: min(level, granted[name], key=_rank) for name, level in asked.items() if name in granted}


def _rank(level: str) -> int:
    return _LEVELS.get(level, 0)


def _authorization(app: Requester, access: GitHubAccess, credential: AppAccess) -> InstallationAuthorization:
    """Ask for the token. An installation whose owner has not granted all yet gives what it has."""
    try:
        return _ask(app, access, credential.permissions, credential.installation_id)
    except GithubException as error:
        if isinstance(error, RateLimitExceededException):
            raise
        if error.status in _GONE:
            raise _not_installed(credential, error) from error
        if error.status != HTTPStatus.UNPROCESSABLE_ENTITY:
            raise
    granted = within(installation_of(app, credential)["permissions"], credential.permissions)
    try:
        return _ask(app, access, granted, credential.installation_id)
    except GithubException as error:
        if error.status == HTTPStatus.UNPROCESSABLE_ENTITY:  # only the repository is left to be refused
            raise _not_installed(credential, error) from error
        raise


def _ask(
    app: Requester, access: GitHubAccess, permissions: Mapping[str, str] | None, number: int
) -> InstallationAuthorization:
    body: dict[str, Any] = {"repositories": [access.full_name.partition("/")[2]]} if access.full_name else {}
    if permissions is not None:
        body["permissions"] = dict(permissions)
    headers, made = app.requestJsonAndCheck("POST", f"/app/installations/{number}/access_tokens", input=body)
    return InstallationAuthorization(requester=app, headers=headers, attributes=made)


def _not_installed(credential: AppAccess, error: GithubException) -> NotInstalledError:
    """Return the error; its status is never 404, which would mean that what was asked for is not there."""
    advice = _REFUSED.format(number=credential.installation_id, status=error.status)
    return NotInstalledError(ForgeErrorKind.NOT_PERMITTED, HTTPStatus.FORBIDDEN, advice)
