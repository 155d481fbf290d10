"""One connection to GitHub, as one identity, for one repository."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, TypeVar
from urllib.parse import quote

from github import Auth, Github, GithubIntegration
from github.Repository import Repository

from fixloop_bot.adapters.github.access import AppAccess, GitHubAccess
from fixloop_bot.adapters.github.app_key import to_app_auth
from fixloop_bot.adapters.github.errors import RAISED, RefusedError, to_forge_error
from fixloop_bot.adapters.github.installation import InstallationAuth
from fixloop_bot.adapters.github.retry import to_careful_retry, to_retry
from fixloop_bot.model.forge import ForgeErrorKind, TooLarge
from fixloop_bot.model.ticket import Absent
from fixloop_bot.ports.forge import ForgeError

T = TypeVar("T")

MOST_LISTED: Final = 1_000
USER_AGENT: Final = "fixloop"
_TRIES: Final = 2
_NONE_SUCH: Final = (404, 409, 410, 422)
"""Not there; an empty repository; gone; no commit of that name."""


class Session:
    """Asks GitHub through PyGithub and gives what it raises as `ForgeError`. Closing it ends its connections."""

    def __init__(self, access: GitHubAccess) -> None:
        self.access = access
        self.path = f"/repos/{quote(access.full_name)}"
        auth = _to_auth(access)
        # The second client is the one that an App's authentication mints its tokens through, and minting may repeat.
        self._careful = Github(auth=auth, retry=to_careful_retry(access.patience), **self._options())
        self.github = Github(auth=auth, retry=to_retry(access.patience), **self._options())
        self.repo: Repository = self.github.get_repo(access.full_name)

    def close(self) -> None:
        """Close the connections."""
        self.github.close()
        self._careful.close()

    def ask(self, permission: str, action: Callable[[], T]) -> T:
        """Return what the action returns. Raises `ForgeError`; `permission` is what the request needs."""
        with _errors(permission):
            return action()

    def find(self, permission: str, action: Callable[[], T]) -> T | Absent:
        """Return what the action returns, `Absent` where GitHub knows no such thing or name."""
        try:
            return self.ask(permission, action)
        except ForgeError as error:
            if error.status in _NONE_SUCH:
                return Absent()
            raise

    def get(self, permission: str, path: str, **parameters: str) -> dict[str, Any]:
        """Return the JSON object of a path below the repository."""
        requester = self.github.requester
        found: dict[str, Any] = self.ask(
            permission, lambda: requester.requestJsonAndCheck("GET", self.path + path, parameters=parameters)[1]
        )
        return found

    def send(self, permission: str, verb: str, path: str, body: Mapping[str, object]) -> dict[str, Any]:
        """Send a change that may be repeated without harm; return GitHub's JSON object."""
        requester = self.github.requester
        changed: dict[str, Any] = self.ask(
            permission, lambda: requester.requestJsonAndCheck(verb, self.path + path, input=dict(body))[1]
        )
        return changed

    def change(self, permission: str, path: str, body: Mapping[str, object]) -> dict[str, Any] | Absent:
        """Edit what is there; `Absent` where it was deleted meanwhile."""
        try:
            return self.send(permission, "PATCH", path, body)
        except ForgeError as error:
            if error.kind is ForgeErrorKind.NOT_FOUND:
                return Absent()
            raise

    def create(
        self, permission: str, path: str, body: Mapping[str, object], *, find: Callable[[], T | None]
    ) -> dict[str, Any] | T:
        """Make something new, once: when the answer is lost, `find` looks whether it is there before it is repeated."""
        for _ in range(_TRIES):
            try:
                return self._post(permission, path, body)
            except ForgeError as error:
                if error.kind is not ForgeErrorKind.UNAVAILABLE:
                    raise
            if (found := find()) is not None:
                return found
        return self._post(permission, path, body)

    def app(self) -> GithubIntegration:
        """Return the App speaking as itself; close it."""
        credential = self.access.credential
        if not isinstance(credential, AppAccess):
            raise TypeError("a token is no App")
        auth = to_app_auth(credential)
        return GithubIntegration(auth=auth, retry=to_retry(self.access.patience), **self._options())

    def _post(self, permission: str, path: str, body: Mapping[str, object]) -> dict[str, Any]:
        requester = self._careful.requester
        made: dict[str, Any] = self.ask(
            permission, lambda: requester.requestJsonAndCheck("POST", self.path + path, input=dict(body))[1]
        )
        return made

    def _options(self) -> dict[str, Any]:
        patience = self.access.patience
        return {
            "base_url": self.access.api_url.rstrip("/"),
            "timeout": patience.timeout_s,
            "user_agent": USER_AGENT,
            "per_page": 100,
            "seconds_between_requests": None,
            "seconds_between_writes": patience.between_writes_s or None,
            "lazy": True,
        }


def unless_too_large(action: Callable[[], T]) -> T | TooLarge:
    """Return what the action returns, or that a text was too long for GitHub."""
    try:
        return action()
    except RefusedError as error:
        if error.too_large:
            return TooLarge()
        raise


@contextmanager
def _errors(permission: str) -> Iterator[None]:
    try:
        yield
    except RAISED as error:
        raise to_forge_error(error, permission) from error


def _to_auth(access: GitHubAccess) -> Auth.Auth:
    credential = access.credential
    if isinstance(credential, AppAccess):
        return InstallationAuth(access, credential)
    return Auth.Token(credential.token)
