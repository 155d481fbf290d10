"""Where the App is installed, and which repositories each installation reaches, asked of GitHub."""

from collections.abc import Iterator
from typing import Any, Final

from github import Auth, Github

from fixloop_bot.adapters.github.access import AppAccess, GitHubAccess
from fixloop_bot.adapters.github.app_key import to_app_auth
from fixloop_bot.adapters.github.errors import RAISED, to_forge_error
from fixloop_bot.adapters.github.installation import InstallationAuth
from fixloop_bot.adapters.github.retry import to_retry
from fixloop_bot.core.event_payloads import Field, MalformedError, to_repository
from fixloop_bot.core.installation_events import to_installation
from fixloop_bot.model.event import RepositoryRef
from fixloop_bot.model.installation import InstallationChange

MOST_PAGES: Final = 100
"""Of a hundred each."""
_PAGE: Final = 100


def list_installations(access: GitHubAccess) -> Iterator[InstallationChange]:
    """Yield every installation of the App, suspended ones too. Raises `ForgeError`."""
    credential = _credential(access)
    for item in _items(access, to_app_auth(credential), "/app/installations", ""):
        try:
            yield to_installation(Field(item))
        except MalformedError:
            continue


def list_repositories(access: GitHubAccess) -> Iterator[RepositoryRef]:
    """Yield the repositories that the installation reaches, without archived and disabled ones. Raises `ForgeError`."""
    auth = InstallationAuth(access, _credential(access))
    for item in _items(access, auth, "/installation/repositories", "repositories"):
        if isinstance(item, dict) and not item.get("archived") and not item.get("disabled"):
            try:
                yield to_repository(Field(item))
            except MalformedError:
                continue


def _credential(access: GitHubAccess) -> AppAccess:
    if not isinstance(access.credential, AppAccess):
        raise TypeError("a token is no App")
    return access.credential


def _items(access: GitHubAccess, auth: Auth.Auth, path: str, wrap: str) -> Iterator[object]:
    """Yield the items of a list, page after page; `wrap` names the field that holds it, where there is one."""
    patience = access.patience
    client = Github(
        auth=auth, base_url=access.api_url.rstrip("/"), retry=to_retry(patience), timeout=patience.timeout_s
    )
    try:
        for page in range(1, MOST_PAGES + 1):
            found = _page(client, path, page)
            items = found.get(wrap, []) if isinstance(found, dict) else found
            yield from items
            if len(items) < _PAGE:
                return
    finally:
        client.close()


def _page(client: Github, path: str, page: int) -> Any:  # noqa: ANN401 - JSON, of either shape
    parameters = {"per_page": str(_PAGE), "page": str(page)}
    try:
        return client.requester.requestJsonAndCheck("GET", path, parameters=parameters)[1]
    except RAISED as error:
        raise to_forge_error(error, "metadata: read") from error
