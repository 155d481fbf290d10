"""Who fixloop is on GitHub, found out once."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from fixloop_bot.adapters.github.access import AppAccess
from fixloop_bot.adapters.github.installation import installation_of, within
from fixloop_bot.adapters.github.session import Session
from fixloop_bot.model.event import Actor
from fixloop_bot.model.forge import ForgeErrorKind
from fixloop_bot.model.ticket import Identity
from fixloop_bot.ports.forge import ForgeError

ACTIONS_BOT: Final = Actor(login="github-actions[bot]", id=41898282, type="Bot")
"""As whom GITHUB_TOKEN acts."""
_INSTALLATION_PREFIX: Final = "ghs_"
_BOTS: Final[dict[tuple[str, int], Actor]] = {}
"""Address of the API and App → its bot. A process serves one App, or a few in tests."""
_VIEWER: Final = "query { viewer { login databaseId } }"


@dataclass(frozen=True, slots=True, kw_only=True)
class Self:
    """The account that fixloop writes as."""

    author: Actor
    scopes: frozenset[str] | None = None
    """Of a classic token; None: the token tells none."""

    @property
    def is_person(self) -> bool:
        """Return whether it is a person's token."""
        return not self.author.is_bot


class WhoAmI:
    """Looks up the identity when it is first asked for."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @cached_property
    def self(self) -> Self:
        """Return the account; Raises `ForgeError`."""
        credential = self._session.access.credential
        if isinstance(credential, AppAccess):
            return self._app()
        if credential.token.startswith(_INSTALLATION_PREFIX):
            return Self(author=self._viewer())
        return self._person() or Self(author=self._viewer())

    def identity(self) -> Identity:
        """Return whose actions count as fixloop's own; a person's id is never among them."""
        access, author = self._session.access, self.self.author
        return Identity(
            actor_ids=frozenset({author.id}) if author.is_bot else frozenset(),
            app_id=access.credential.app_id if isinstance(access.credential, AppAccess) else None,
            workflow_path=access.workflow_path,
        )

    def may_change_workflows(self) -> bool | None:
        """Return whether workflow files may be pushed, None where nothing tells."""
        credential = self._session.access.credential
        if isinstance(credential, AppAccess):
            return self._granted(credential).get("workflows") == "write"
        me = self.self
        if me.author.id == ACTIONS_BOT.id:
            return False
        return "workflow" in me.scopes if me.scopes else None

    def _person(self) -> Self | None:
        """Return the token's own account, None for an installation's token, which may not ask."""
        github = self._session.github
        try:
            user = self._session.ask(
                "a user's token", lambda: _actor(github.requester.requestJsonAndCheck("GET", "/user")[1])
            )
        except ForgeError as error:
            if error.kind is ForgeErrorKind.NOT_PERMITTED:
                return None
            raise
        scopes = [scope.strip() for scope in github.oauth_scopes or []]
        return Self(author=user, scopes=frozenset(filter(None, scopes)) or None)

    def _viewer(self) -> Actor:
        """Return the bot of an installation's token; where GitHub will not say, it is GITHUB_TOKEN's."""
        requester = self._session.github.requester
        try:
            data = self._session.ask("metadata: read", lambda: requester.graphql_query(_VIEWER, {})[1])
        except ForgeError as error:
            if error.kind in (ForgeErrorKind.REFUSED, ForgeErrorKind.NOT_PERMITTED):
                return ACTIONS_BOT
            raise
        viewer = data["data"]["viewer"]
        return Actor(login=viewer["login"], id=viewer["databaseId"], type="Bot")

    def _app(self) -> Self:
        """Return an App's bot, `SLUG[bot]`: it stays the same, so a process asks once."""
        credential = self._session.access.credential
        if not isinstance(credential, AppAccess):
            raise TypeError("a token is no App")
        known = _BOTS.get((self._session.access.api_url, credential.app_id))
        if known is None:
            with self._session.app() as app:
                login = self._session.ask("the App's own key", lambda: f"{app.get_app().slug}[bot]")
            user = self._session.ask("metadata: read", lambda: self._session.github.get_user(login))
            known = Actor(login=login, id=self._session.ask("metadata: read", lambda: user.id), type="Bot")
            _BOTS[self._session.access.api_url, credential.app_id] = known
        return Self(author=known)

    def _granted(self, credential: AppAccess) -> dict[str, str]:
        """Return what the installation was granted, of that no more than a token is made for."""
        with self._session.app() as app:
            found = self._session.ask("the App's own key", lambda: installation_of(app.requester, credential))
        return within(found["permissions"], credential.permissions)


def _actor(user: dict[str, object]) -> Actor:
    return Actor(login=str(user["login"]), id=int(str(user["id"])), type=str(user["type"]))
