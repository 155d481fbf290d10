"""The last step of an App's registration: GitHub hands its secrets over, once, for a code that is an hour good."""

from http import HTTPStatus
from typing import Any, Final

from github import Github

from fixloop_bot.adapters.github.access import Patience
from fixloop_bot.adapters.github.errors import RAISED, to_forge_error
from fixloop_bot.adapters.github.retry import to_careful_retry
from fixloop_bot.adapters.github.session import USER_AGENT
from fixloop_bot.model.app import RegisteredApp
from fixloop_bot.model.forge import ForgeErrorKind
from fixloop_bot.ports.forge import ForgeError

_PATIENCE: Final = Patience(retries=2)
_OVER = "GitHub does not know the code: it is good for an hour and only once. Register the App again"


def convert_code(code: str, *, api_url: str) -> RegisteredApp:
    """Return the App that the code stands for. Raises `ForgeError`, whose text does not hold the code.

    Source: docs.github.com/rest/apps/apps#create-a-github-app-from-a-manifest
    """
    client = Github(
        base_url=api_url, user_agent=USER_AGENT, retry=to_careful_retry(_PATIENCE), timeout=_PATIENCE.timeout_s
    )
    try:
        made: dict[str, Any] = client.requester.requestJsonAndCheck("POST", f"/app-manifests/{code}/conversions")[1]
    except RAISED as error:
        raise _told(to_forge_error(error, "no permission"), code) from None
    finally:
        client.close()
    return _to_app(made)


def _told(error: ForgeError, code: str) -> ForgeError:
    if error.status in (HTTPStatus.NOT_FOUND, HTTPStatus.UNPROCESSABLE_ENTITY):
        return ForgeError(error.kind, error.status, _OVER)
    return ForgeError(error.kind, error.status, error.advice.replace(code, "CODE"))


def _to_app(made: dict[str, Any]) -> RegisteredApp:
    try:
        return RegisteredApp(
            app_id=int(made["id"]),
            slug=str(made["slug"]),
            page=str(made["html_url"]),
            client_id=str(made["client_id"]),
            client_secret=str(made["client_secret"]),
            webhook_secret=str(made["webhook_secret"] or ""),
            private_key=str(made["pem"]),
        )
    except (KeyError, TypeError, ValueError):
        raise ForgeError(ForgeErrorKind.UNAVAILABLE, 0, "GitHub's answer is not that of a new App") from None
