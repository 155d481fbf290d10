"""What a token may do, found out without doing it."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from types import TracebackType
from typing import Final, Self

from fixloop_bot.adapters.github.access import AppAccess, GitHubAccess
from fixloop_bot.adapters.github.session import Session
from fixloop_bot.model.forge import ForgeErrorKind
from fixloop_bot.ports.forge import ForgeError

INSTALLATION_PREFIX: Final = "ghs_"
NONE_SUCH: Final = 999_999_999
_NO_COMMIT: Final = "f" * 40

_READS: Final[Mapping[str, str]] = {
    "actions: read": "/actions/runs",
    "statuses: read": "/commits/HEAD/status",
}
_WRITES: Final[Mapping[str, tuple[str, str, Mapping[str, object]]]] = {
    "contents: write": ("PATCH", "/git/refs/heads/fixloop/no-such-branch", {"sha": _NO_COMMIT}),
    "pull-requests: write": ("PATCH", f"/pulls/{NONE_SUCH}", {}),
    "checks: write": ("PATCH", f"/check-runs/{NONE_SUCH}", {"details_url": "https://example.invalid/"}),
}
"""Changes of what does not exist: with the permission GitHub finds nothing to change (404, 422), without it a 403.

For `issues: write` there is no such request: what edits an issue is allowed by `pull-requests: write` too.
"""


class PermissionProbe:
    """`Probe` for one repository; a context manager that closes its connections."""

    def __init__(self, access: GitHubAccess) -> None:
        # Nothing is changed, so the second that GitHub asks for between changes need not pass.
        patience = replace(access.patience, between_writes_s=0.0)
        self._session = Session(replace(access, patience=patience))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._session.close()

    @cached_property
    def _is_reader(self) -> bool:
        """Return whether the repository says that a person's token may not push; of an App's token it says nothing."""
        credential = self._session.access.credential
        if isinstance(credential, AppAccess) or credential.token.startswith(INSTALLATION_PREFIX):
            return False
        permissions = self._session.get("metadata: read", "").get("permissions") or {}
        return permissions.get("push") is False

    def may(self, permission: str) -> bool | None:
        """See `Probe`."""
        if permission in _WRITES and self._is_reader:
            return False  # GitHub would say 404 for what exists, too
        try:
            if path := _READS.get(permission):
                self._session.get(permission, path)
                return True
            if write := _WRITES.get(permission):
                self._session.send(permission, *write)
        except ForgeError as error:
            return _told_by(error)
        return None


def _told_by(error: ForgeError) -> bool | None:
    match error.kind:
        case ForgeErrorKind.NOT_PERMITTED:
            return False
        case ForgeErrorKind.NOT_FOUND | ForgeErrorKind.REFUSED:
            return True
        case _:
            raise error
