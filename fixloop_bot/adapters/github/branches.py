"""The repository itself: branches, commits, files, people."""

import base64
import binascii
from itertools import islice
from typing import Any, Final
from urllib.parse import quote

from fixloop_bot.adapters.github.session import MOST_LISTED, Session
from fixloop_bot.core.permissions import to_permission
from fixloop_bot.model.event import RepositoryRef
from fixloop_bot.model.forge import Branch, ForgeErrorKind
from fixloop_bot.model.ticket import Absent, Permission
from fixloop_bot.ports.forge import ForgeError

CONTENTS: Final = "contents: read"
METADATA: Final = "metadata: read"


class Branches:
    """The part of `Forge` that is about the repository."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def repository(self) -> RepositoryRef:
        """See `ForgeFacts`."""
        found = self._session.get(METADATA, "")
        return RepositoryRef(full_name=found["full_name"], id=found["id"], default_branch=found["default_branch"])

    def branches(self) -> tuple[Branch, ...]:
        """See `ForgeSurvey`."""
        return self._session.ask(
            CONTENTS,
            lambda: tuple(
                Branch(name=one.name, head_sha=one.commit.sha, protected=bool(one.protected))
                for one in islice(self._session.repo.get_branches(), MOST_LISTED)
            ),
        )

    def branch_head(self, name: str) -> str | Absent:
        """See `ForgeFacts`."""
        found = self._branch(name)
        return found if isinstance(found, Absent) else found.head_sha

    def is_protected(self, branch: str) -> bool | Absent:
        """See `ForgeSurvey`."""
        found = self._branch(branch)
        return found if isinstance(found, Absent) else found.protected

    def permission(self, login: str) -> Permission:
        """See `ForgeFacts`."""
        path = f"/collaborators/{quote(login, safe='')}/permission"
        found = self._session.find(METADATA, lambda: self._session.get(METADATA, path))
        if isinstance(found, Absent):
            return Permission.NONE
        return to_permission(str(found.get("permission", "")), str(found.get("role_name", "")))

    def commit_message(self, sha: str) -> str | Absent:
        """See `ForgeFacts`."""
        return self._session.find(CONTENTS, lambda: self._session.repo.get_git_commit(sha).message)

    def file(self, path: str, ref: str) -> str | None:
        """See `ForgeFacts`."""
        at = f"/contents/{quote(path)}"
        try:
            found: object = self._session.get(CONTENTS, at, ref=ref)
        except ForgeError as error:
            if error.kind is ForgeErrorKind.NOT_FOUND:
                return None
            raise
        return _text(path, found) if isinstance(found, dict) else None

    def _branch(self, name: str) -> Branch | Absent:
        found = self._session.find(CONTENTS, lambda: self._session.get(CONTENTS, f"/branches/{quote(name, safe='')}"))
        if isinstance(found, Absent):
            return found
        return Branch(name=found["name"], head_sha=found["commit"]["sha"], protected=found["protected"])


def _text(path: str, found: dict[str, Any]) -> str:
    """Return a file's text; a link, a submodule or a large file has none here, and silence would hide the file."""
    advice = f"`{path}` must be a regular file of at most 1 MB in UTF-8"
    if found.get("type") != "file" or found.get("encoding") != "base64":
        raise ForgeError(ForgeErrorKind.REFUSED, 0, advice)
    try:
        return base64.b64decode(found["content"]).decode()
    except (binascii.Error, UnicodeDecodeError) as error:
        raise ForgeError(ForgeErrorKind.REFUSED, 0, advice) from error
