"""From what the library raises to what a person can mend."""

import json
from http import HTTPStatus
from typing import Final

from github import GithubException, RateLimitExceededException
from requests import RequestException

from fixloop_bot.model.forge import ForgeErrorKind
from fixloop_bot.ports.forge import ForgeError

Raised = GithubException | RequestException | RuntimeError
"""RuntimeError is PyGithub's word for a redirect to another host."""
RAISED: Final = (GithubException, RequestException, RuntimeError)

_SAID_LIMIT = 300
_TOO_LARGE = ("too long", "is too large", "too_large", "maximum is 6553", "characters are allowed")


class RefusedError(ForgeError):
    """GitHub's 422, with what it said: the caller may know a value for it."""

    def __init__(self, status: int, advice: str, said: str) -> None:
        super().__init__(ForgeErrorKind.REFUSED, status, advice)
        self.said = said

    @property
    def too_large(self) -> bool:
        """Return whether a text was too long."""
        return self.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE or any(word in self.said for word in _TOO_LARGE)


def to_forge_error(error: Raised, permission: str) -> ForgeError:
    """Return the error for people; `permission` is what the request needs, as a workflow writes it: `checks: write`."""
    if not isinstance(error, GithubException):
        return ForgeError(ForgeErrorKind.UNAVAILABLE, 0, f"GitHub cannot be reached: {str(error)[:_SAID_LIMIT]}")
    status, said = error.status or 0, _said(error)
    if isinstance(error, RateLimitExceededException) or status == HTTPStatus.TOO_MANY_REQUESTS:
        advice = f"GitHub's rate limit is used up and does not end soon enough; run again later. {said}"
        return ForgeError(ForgeErrorKind.RATE_LIMITED, status, advice)
    match status:
        case HTTPStatus.UNAUTHORIZED:
            advice = f"GitHub does not accept the credential; make a new token or key. {said}"
            return ForgeError(ForgeErrorKind.BAD_CREDENTIALS, status, advice)
        case HTTPStatus.FORBIDDEN:
            return ForgeError(ForgeErrorKind.NOT_PERMITTED, status, _lacks(error, permission, said))
        case HTTPStatus.NOT_FOUND | HTTPStatus.GONE:
            advice = f"GitHub knows no such thing, or the token may not see it (needs {_listed(permission)}). {said}"
            return ForgeError(ForgeErrorKind.NOT_FOUND, status, advice)
        case _ if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            advice = f"GitHub is out of order (HTTP {status}); run again later. {said}"
            return ForgeError(ForgeErrorKind.UNAVAILABLE, status, advice)
        case _:
            return RefusedError(status, f"GitHub refused the request (HTTP {status}). {said}", _everything(error))


def _lacks(error: GithubException, permission: str, said: str) -> str:
    """Name the permission: GitHub's own header knows best."""
    accepted = (error.headers or {}).get("x-accepted-github-permissions", "").replace("=", ": ").replace("_", "-")
    return (
        f"The token may not do this: it needs {_listed(accepted or permission)}. Grant it under `permissions:` of the "
        f"workflow, or in the settings of the GitHub App or token. {said}"
    )


def _listed(permissions: str) -> str:
    return " or ".join(f"`{one.strip()}`" for one in permissions.split(";") if one.strip())


def _said(error: GithubException) -> str:
    data = error.data
    message = data.get("message") if isinstance(data, dict) else error.message
    words = " ".join(str(message or "").split())[:_SAID_LIMIT]
    return f"GitHub says: {words}" if words else ""


def _everything(error: GithubException) -> str:
    return json.dumps(error.data, default=str).lower()[:10_000]
