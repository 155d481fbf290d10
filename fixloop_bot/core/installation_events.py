"""From GitHub's events about an App's installation to how it stands; the webhook's parser of payloads reads them."""

from collections.abc import Mapping
from typing import Any, Final

from fixloop_bot.core.event_payloads import Field, MalformedError, to_time
from fixloop_bot.core.remote_address import is_full_name
from fixloop_bot.model.event import Ignored
from fixloop_bot.model.installation import InstallationChange, Standing

INSTALLATION_EVENTS: Final = frozenset({"installation", "installation_repositories"})
"""GitHub sends these to every App, without a subscription."""

_ACTIONS: Final = frozenset(
    {"created", "deleted", "suspend", "unsuspend", "new_permissions_accepted", "added", "removed"}
)


def parse_installation_event(name: str, payload: Mapping[str, Any]) -> InstallationChange | Ignored:
    """Return how the installation stands now, or why the event says nothing of it. Never raises."""
    field = Field(payload)
    try:
        action = field.at("action").text_or()
        if action not in _ACTIONS:
            return Ignored("fixloop does not act on this change of an installation")
        return _to_change(field, action)
    except MalformedError as error:
        return Ignored(f"the `{name}` payload cannot be used: {error}")


def to_installation(field: Field) -> InstallationChange:
    """Return an installation as webhooks and `GET /app/installations` show it. Raises MalformedError."""
    account = field.at("account")
    suspended = bool(field.at("suspended_at"))
    return InstallationChange(
        installation_id=field.at("id").number(),
        account=(account.at("login") or account.at("slug")).name(),
        standing=Standing.SUSPENDED if suspended else Standing.ACTIVE,
        changed_at=to_time(field.at("updated_at")),
    )


def _to_change(field: Field, action: str) -> InstallationChange:
    found = to_installation(field.at("installation"))
    return InstallationChange(
        installation_id=found.installation_id,
        account=found.account,
        standing=_standing(action, found.standing),
        changed_at=found.changed_at,
        removed=tuple(_names(field.at("repositories_removed"))),
    )


def _standing(action: str, found: Standing) -> Standing:
    """Return what the action says; payloads of old servers have no `suspended_at`."""
    told = {"deleted": Standing.DELETED, "suspend": Standing.SUSPENDED, "unsuspend": Standing.ACTIVE}
    return told.get(action, found)


def _names(repositories: Field) -> list[str]:
    names = (item.at("full_name").text_or() for item in repositories.items())
    return [name for name in names if is_full_name(name)]
