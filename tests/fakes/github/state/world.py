"""Everything that is the same for all repositories: the clock, the ids, the accounts, the tokens."""

import itertools
from collections.abc import Collection, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.fakes.github.state.accounts import (
    ACTIONS_APP_ID,
    ACTIONS_BOT_ID,
    ACTIONS_PERMISSIONS,
    Account,
    App,
    Code,
    Installation,
    Token,
)
from tests.fakes.github.state.repository import Repository

APP_PERMISSIONS: Mapping[str, str] = {**ACTIONS_PERMISSIONS, "workflows": "write"}


class World:
    """The state of the fake, and what a test calls to set the stage."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._ahead = timedelta()
        self._ids = itertools.count(2_000_000_011, 7)
        self.accounts: dict[str, Account] = {}
        self.repositories: dict[str, Repository] = {}
        self.apps: dict[str, App] = {}
        self.installations: dict[int, Installation] = {}
        self.tokens: dict[str, Token] = {}
        self.codes: dict[str, tuple[App, datetime]] = {}
        """Of Apps registered from a manifest, not yet handed over: the App, and until when."""
        self.members: dict[str, dict[str, str]] = {}
        """Organisation → login → `active` or `pending`, all in small letters."""
        self.browser_login: str | None = None
        """Who is signed in here in every browser; None: nobody; empty: somebody who tells the App nothing."""
        self.sign_in_codes: dict[str, Code] = {}
        self.actions_app = self._actions_app()

    def now(self) -> datetime:
        """Return the time, to the second, as GitHub gives it."""
        return (datetime.now(UTC) + self._ahead).replace(microsecond=0)

    def advance(self, seconds: float) -> None:
        """Turn this GitHub's clock on: tokens end, rate limits fill up."""
        self._ahead += timedelta(seconds=seconds)

    def next_id(self) -> int:
        """Return a number that was given to nothing else."""
        return next(self._ids)

    def repository(
        self,
        full_name: str,
        *,
        files: Mapping[str, str | bytes] | None = None,
        private: bool = False,
        default_branch: str = "main",
    ) -> Repository:
        """Return the repository of that name, made with one commit of `files` where there was none."""
        if full_name.lower() in self.repositories:
            return self.repositories[full_name.lower()]
        owner, name = full_name.split("/")
        made = Repository(
            world=self,
            owner=self.organization(owner),
            name=name,
            private=private,
            default_branch=default_branch,
        )
        made.git.create(default_branch)
        made.commit(default_branch, files or {"README.md": f"# {name}\n"}, message="Begin")
        self.repositories[full_name.lower()] = made
        return made

    def organization(self, login: str) -> Account:
        """Return an account that owns repositories."""
        return self._account(login, "Organization", "read")

    def join(self, organization: str, login: str, *, state: str = "active") -> None:
        """Make a person a member of an organisation, or invite them (`pending`)."""
        self.organization(organization)
        self.members.setdefault(organization.lower(), {})[self.account(login).login.lower()] = state

    def sign_in_token(self, code: Code) -> str:
        """Return a person's token through an App, good for eight hours; it has no scopes."""
        until = self.now() + timedelta(hours=8)
        account = self.account(code.login)
        return self._keep(Token(value=f"ghu_{self._secret()}", account=account, scopes=frozenset(), expires_at=until))

    def user(self, login: str, permission: str = "read") -> Account:
        """Return a person with that level (`none`, `read`, … `admin`) where no repository says otherwise."""
        account = self._account(login, "User", permission)
        account.permission = permission
        return account

    def account(self, who: str | Account) -> Account:
        """Return an account by its login; an unknown one becomes a person who may read."""
        return who if isinstance(who, Account) else self.accounts.get(who.lower()) or self.user(who)

    def app(self, slug: str, *, permissions: Mapping[str, str] | None = None) -> App:
        """Return the GitHub App of that name, registered where it was not."""
        if slug not in self.apps:
            self.apps[slug] = App(
                id=self.next_id() % 1_000_000,
                slug=slug,
                owner=self.organization("octo-apps"),
                bot=self._account(f"{slug}[bot]", "Bot", "none"),
                permissions=permissions or APP_PERMISSIONS,
                events=("check_run", "check_suite", "issue_comment", "pull_request", "push", "workflow_run"),
                created_at=self.now(),
                client_secret=self._secret(),
            )
        return self.apps[slug]

    def register(self, manifest: Mapping[str, Any], owner: Account) -> str:
        """Make the App of a manifest; return the code for its secrets, which is good for an hour and once."""
        made = self.app(str(manifest["name"]).lower().replace(" ", "-"), permissions=manifest["default_permissions"])
        made.owner, made.public = owner, bool(manifest.get("public"))
        made.events = tuple(manifest["default_events"])
        made.webhook_secret, made.client_secret = self._secret(), self._secret()
        code = f"{self.next_id():040x}"
        self.codes[code] = (made, self.now() + timedelta(hours=1))
        return code

    def install(self, app: App, *repositories: Repository) -> Installation:
        """Install an App on repositories of one owner."""
        made = Installation(
            id=self.next_id(),
            app=app,
            account=repositories[0].owner,
            repositories={repository.full_name for repository in repositories},
            permissions=app.permissions,
            created_at=self.now(),
        )
        self.installations[made.id] = made
        return made

    def user_token(self, who: str | Account, *, scopes: Collection[str] = ("repo", "workflow")) -> str:
        """Return a classic personal access token."""
        return self._keep(Token(value=f"ghp_{self._secret()}", account=self.account(who), scopes=frozenset(scopes)))

    def actions_token(self, repository: Repository, *, permissions: Mapping[str, str] | None = None) -> str:
        """Return the GITHUB_TOKEN of one job; it cannot push workflow files, and its pushes start no workflow."""
        return self._keep(
            Token(
                value=f"ghs_{self._secret()}",
                account=self.actions_app.bot,
                app=self.actions_app,
                permissions=ACTIONS_PERMISSIONS if permissions is None else permissions,
                repositories={repository.full_name},
            )
        )

    def installation_token(
        self,
        installation: Installation,
        *,
        permissions: Mapping[str, str] | None = None,
        repositories: Collection[str] | None = None,
    ) -> str:
        """Return a token of an installation, good for an hour."""
        return self._keep(
            Token(
                value=f"ghs_{self._secret()}",
                account=installation.app.bot,
                app=installation.app,
                installation=installation,
                permissions=permissions or installation.permissions,
                repositories=set(repositories or installation.repositories),
                expires_at=self.now() + timedelta(hours=1),
            )
        )

    def _keep(self, token: Token) -> str:
        self.tokens[token.value] = token
        return token.value

    def _secret(self) -> str:
        return f"{self.next_id():036d}"

    def _account(self, login: str, kind: str, permission: str) -> Account:
        key = login.lower()
        if key not in self.accounts:
            self.accounts[key] = Account(
                id=self.next_id() % 100_000_000,
                login=login,
                type=kind,
                permission=permission,
                created_at=self.now() - timedelta(days=900),
            )
        return self.accounts[key]

    def _actions_app(self) -> App:
        bot = self._account("github-actions[bot]", "Bot", "none")
        bot.id = ACTIONS_BOT_ID
        app = self.app("github-actions", permissions=ACTIONS_PERMISSIONS)
        app.id = ACTIONS_APP_ID
        return app
